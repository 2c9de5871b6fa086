"""Searches among atoms: candidates from the full-text index, scored by their fields, reranked by embeddings, fused with the vector list.

Without embeddings, or when the vector index does not answer, the terms decide alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.domain.atoms import ATLAS_ID, ONLY_ATOMS, AtomHit, AtomRequest, AtomResponse, AtomSection
from interlace.domain.effort import Work, reported
from interlace.domain.errors import InterlaceError, InvalidInputError
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.ports.graph import GraphDatabase, Row
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.search.atoms.scoring import AtomScore, fields_of, score
from interlace.search.atoms.terms import AtomQuery, counting, searches, understand
from interlace.search.embedding_choice import choose_embedder
from interlace.search.fusion import LegHit, ListedHit, reciprocal_ranks
from interlace.settings import AtomSettings
from interlace.text.rarity import smoothed_inverse_frequency

_FIND = query("atoms/find_atoms")
_COUNT = query("atoms/count_terms")
_DESCRIBE = query("atoms/describe_atoms")
_FIRST_CHUNKS = query("atoms/atom_chunks")
_ALIASES = query("atoms/entity_aliases")
_LONGEST = 2000
# Of an atom's chunks so many are compared; a note about one thing has few.
_CHUNKS = 12
_SPARE = 10


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An atom that terms found: its score with the bonus, and the parts of the query that found it."""

    terms: AtomScore
    total: float
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Likeness:
    """What embeddings say: atom to cosine of its best chunk, and the atoms nearest to the query."""

    cosines: Mapping[str, float]
    nearest: Sequence[LegHit]


class AtomSearch:
    """Finds atoms. One instance a process; safe for use by several threads.

    Args:
        graph: the graph, whose full-text index holds the atoms' stems.
        vectors: the vector index.
        embedders: by model, the first one first; none when embeddings are off.
        registries: all names, for aliases.
        settings: weights and bounds.
        rrf_k: the constant of reciprocal rank fusion.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        embedders: Mapping[str, Embedder],
        registries: EntityLinkers,
        settings: AtomSettings,
        *,
        rrf_k: int,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._embedders = embedders
        self._registries = registries
        self._settings = settings
        self._rrf_k = rrf_k

    def search(self, tenant: str, request: AtomRequest) -> AtomResponse:
        """Return the atoms that answer best.

        Raises:
            InvalidInputError: the query is empty or too long, or names an embedding model that cannot be asked.
            UnavailableError: the graph does not answer.
        """
        if not request.text.strip() or len(request.text) > _LONGEST:
            raise InvalidInputError(f"The query must have 1 to {_LONGEST} characters; it has {len(request.text)}.")
        registry = self._registries.current(tenant)
        asked = QueryRequest(request.text, model=request.model)
        embedder = choose_embedder(asked, registry, self._embedders)
        understood = understand(request.text, self._named(registry, request), self._settings)
        found = self._candidates(tenant, understood)
        likeness, degraded = self._compare(tenant, request.text, embedder, found)
        listed = self._fuse(found, likeness)
        return AtomResponse(
            query=request.text,
            hits=self._describe(tenant, listed, found, likeness, request.limit),
            terms=understood.asked,
            expansion=understood.expansion,
            sub_queries=tuple(" ".join(part) for part in understood.parts),
            model=embedder.model if embedder and not degraded else None,
            degraded=degraded,
            effort=reported(
                Work(
                    legs=bool(understood.own.terms) + bool(likeness.cosines),
                    candidates=len({*found, *likeness.cosines}),
                )
            ),
        )

    def _named(self, registry: EntityLinker, request: AtomRequest) -> list[tuple[int, int, Sequence[str]]]:
        """Return the known names in the query: start, end, and every name of what they mean."""
        if not request.expand:
            return []
        matches = registry.find(request.text)
        ids = sorted({entity for match in matches for entity in match.entities})
        rows = self._graph.run(_ALIASES, tenant=registry.tenant, ids=ids) if ids else []
        names = {row["id"]: row["names"] for row in rows}
        return [
            (match.start, match.end, [name for entity in match.entities for name in names.get(entity, ())])
            for match in matches
        ]

    def _candidates(self, tenant: str, asked: AtomQuery) -> dict[str, _Candidate]:
        if not asked.own.terms:
            return {}
        rows = self._graph.run(
            _FIND, tenant=tenant, searches=searches(tenant, asked, self._settings), limit=self._settings.candidates
        )
        if not rows:
            return {}
        idf = self._rarity(tenant, asked)
        found_by: dict[str, list[str]] = {}
        for row in rows:
            parts = found_by.setdefault(row["id"], [])
            if row["search"]:
                parts.append(" ".join(asked.parts[row["search"] - 1]))
        return {
            row["id"]: self._candidate(asked, row, idf, found_by[row["id"]])
            for row in {row["id"]: row for row in rows}.values()
        }

    def _candidate(self, asked: AtomQuery, row: Row, idf: Mapping[str, float], found_by: Sequence[str]) -> _Candidate:
        scored = score(asked, fields_of(row), idf, self._settings)
        bonus = self._settings.decomposition_bonus if len(found_by) > 1 else 0.0
        return _Candidate(scored, scored.score * (1 + bonus), tuple(found_by))

    def _rarity(self, tenant: str, asked: AtomQuery) -> dict[str, float]:
        terms = list(asked.discounts)
        (row,) = self._graph.run(
            _COUNT,
            tenant=tenant,
            searches=[counting(tenant, term) for term in terms],
            cap=self._settings.frequency_cap,
        )
        return {
            term: smoothed_inverse_frequency(held, row["atoms"])
            for term, held in zip(terms, row["counts"], strict=True)
        }

    def _compare(
        self, tenant: str, text: str, embedder: Embedder | None, found: Mapping[str, _Candidate]
    ) -> tuple[_Likeness, tuple[str, ...]]:
        if embedder is None:
            return _Likeness({}, ()), ()
        try:
            return self._likeness(tenant, text, embedder, found), ()
        except InvalidInputError:
            raise
        except InterlaceError:
            return _Likeness({}, ()), ("vector",)

    def _likeness(self, tenant: str, text: str, embedder: Embedder, found: Mapping[str, _Candidate]) -> _Likeness:
        question = embedder.embed_query(text)
        limit = self._settings.candidates
        near = self._vectors.search(
            tenant, "chunks", question, using=embedder.model, limit=limit, where=ONLY_ATOMS, payload=True
        )
        nearest = [LegHit(str(point.payload["document_id"]), point.score) for point in near]
        ids = sorted({*found, *(hit.chunk for hit in nearest)})
        rows = self._graph.run(_FIRST_CHUNKS, tenant=tenant, ids=ids, each=_CHUNKS) if ids else []
        atoms = {chunk: row["atom"] for row in rows for chunk in row["chunks"]}
        cosines: dict[str, float] = {}
        if atoms:
            points = self._vectors.search(
                tenant,
                "chunks",
                question,
                using=embedder.model,
                limit=len(atoms),
                among=sorted(atoms),
                exact=True,
            )
            for point in points:
                cosines.setdefault(atoms[point.id], point.score)
        return _Likeness(cosines, nearest)

    def _fuse(self, found: Mapping[str, _Candidate], likeness: _Likeness) -> list[ListedHit]:
        best = _best(found)
        share = self._settings.lexical_share if likeness.cosines else 1.0
        scores = {
            atom: share * (item.total / best if best else 0.0) + (1 - share) * max(0.0, likeness.cosines.get(atom, 0.0))
            for atom, item in found.items()
        }
        ranked = sorted(scores, key=lambda atom: (-scores[atom], atom))
        lists = {"terms": [LegHit(atom, scores[atom]) for atom in ranked], "vector": list(likeness.nearest)}
        weights = {"terms": self._settings.terms_weight, "vector": self._settings.vector_weight}
        return reciprocal_ranks(lists, weights, k=self._rrf_k)

    def _describe(
        self,
        tenant: str,
        listed: Sequence[ListedHit],
        found: Mapping[str, _Candidate],
        likeness: _Likeness,
        limit: int,
    ) -> tuple[AtomHit, ...]:
        """Describe the first hits; atoms that the graph does not hold (any more) are left out."""
        wanted = listed[: limit + _SPARE]
        rows = self._graph.run(_DESCRIBE, tenant=tenant, ids=[hit.chunk for hit in wanted]) if wanted else []
        known = {row["id"]: row for row in rows}
        shown = [hit for hit in wanted if hit.chunk in known][:limit]
        best = _best(found)
        return tuple(
            _hit(rank, hit, known[hit.chunk], found.get(hit.chunk), best, likeness.cosines.get(hit.chunk))
            for rank, hit in enumerate(shown, start=1)
        )


def _best(found: Mapping[str, _Candidate]) -> float:
    return max((item.total for item in found.values()), default=0.0)


def _hit(
    rank: int, listed: ListedHit, row: Row, candidate: _Candidate | None, best: float, cosine: float | None
) -> AtomHit:
    document = row["document"]
    total = candidate.total if candidate else 0.0
    return AtomHit(
        rank=rank,
        score=listed.score,
        id=row["id"],
        atlas_id=document[f"metadata.{ATLAS_ID}"],
        title=document["title"],
        source_uri=document["sourceUri"],
        tags=tuple(document.get("tags") or ()),
        sections=tuple(AtomSection(section["heading"], section["type"]) for section in row["sections"]),
        ranks={name: part.rank for name, part in listed.legs.items()},
        tf_idf=total,
        normalised=total / best if best else 0.0,
        coverage=candidate.terms.coverage if candidate else 0.0,
        found_by=candidate.found_by if candidate else (),
        cosine=cosine,
        terms=candidate.terms.terms if candidate else (),
    )
