"""Search among atoms: the search pipeline over notes, by terms and by embeddings.

Candidates of the full-text index are scored by their fields and reordered by cosine; that list and the nearest atoms are fused. Without
embeddings, or when the vector index does not answer, the terms decide alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from interlace.domain.atoms import ATLAS_ID, ONLY_ATOMS, AtomDomain, AtomHit, AtomRequest, AtomResponse, AtomSection
from interlace.domain.effort import Work, effort_report
from interlace.domain.hits import QueryRequest
from interlace.domain.reader import reader_groups
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.parsing.metadata import unique, words_of
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Vector, VectorIndex
from interlace.queries.atoms import DescribeAtomsRow, atom_chunks, describe_atoms, entity_aliases
from interlace.search.atoms.options import profile_for
from interlace.search.atoms.terms import AtomQuery, analyse_atom_query
from interlace.search.atoms.terms_leg import ScoredAtom, score_atoms
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.embedding_choice import choose_embedder
from interlace.search.execution import Run, Task
from interlace.search.fuse import reciprocal_ranks
from interlace.search.legs.chunk_points import chunk_points
from interlace.search.legs.protocol import Scope
from interlace.search.limits import check_text
from interlace.search.pipeline import SearchPipeline
from interlace.search.profile import AtomProfile
from interlace.search.understand import embed

# Chunks compared per atom; a note about one thing has few.
_CHUNKS = 12
_SPARE = 10


@dataclass(frozen=True, slots=True)
class UnderstoodAtomRequest:
    """An analysed search among atoms: its terms, its weights, the embedding model, and the task that embeds the query."""

    tenant: str
    request: AtomRequest
    terms: AtomQuery
    profile: AtomProfile
    embedder: Embedder | None
    embedding: Task[Vector] | None


@dataclass(frozen=True, slots=True)
class RetrievedAtoms:
    """What terms and embeddings found.

    Args:
        scored: atom to its score by terms.
        nearest: the atoms nearest to the query.
        cosines: atom to cosine of its best chunk.
    """

    scored: Mapping[str, ScoredAtom]
    nearest: Sequence[Candidate] = ()
    cosines: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AtomStages:
    """The stages of a search among atoms.

    Args:
        graph: the graph, whose full-text index holds the atoms' stems.
        vectors: the vector index.
        embedders: by model, the first model first; none when embeddings are off.
        linkers: the gazetteers, for aliases.
        profile: weights and bounds.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    embedders: Mapping[str, Embedder]
    linkers: EntityLinkers
    profile: AtomProfile

    def understand(self, run: Run, tenant: str, request: AtomRequest) -> UnderstoodAtomRequest:
        """Find terms, aliases and sub-queries."""
        check_text(request.text)
        linker = self.linkers.current(tenant) if reader_groups() is None else self.linkers.state_of(tenant)
        embedder = choose_embedder(QueryRequest(request.text, model=request.model), linker, self.embedders)
        embedding = embed(run, "embedding", request.text, embedder) if embedder else None
        profile = profile_for(request.options, self.profile)
        terms = analyse_atom_query(request.text, self._aliases(linker, request), profile)
        return UnderstoodAtomRequest(tenant, request, terms, profile, embedder, embedding)

    def plan(self, query: UnderstoodAtomRequest) -> tuple[str, ...]:
        """Choose terms, and embeddings where there is a model."""
        return ("terms", "vector") if query.embedder else ("terms",)

    def retrieve(self, run: Run, query: UnderstoodAtomRequest, plan: tuple[str, ...]) -> RetrievedAtoms:
        """Score atoms by terms, and compare them and the nearest ones with the query."""
        scored = run.timed("terms", lambda: score_atoms(self.graph, query.tenant, query.terms, query.profile))
        vector = run.wait("vector", query.embedding) if query.embedding and "vector" in plan else None
        if vector is None or query.embedder is None:
            return RetrievedAtoms(scored)
        model = query.embedder.model
        scope = Scope(query.tenant, query.request.text, ONLY_ATOMS, self.profile.candidates, run.timeout)
        searching = run.start("vector", lambda: self._nearest(scope, vector, model))
        nearest = run.wait("vector", searching)
        if nearest is None:
            return RetrievedAtoms(scored)
        if not query.request.options.rerank:
            return RetrievedAtoms(scored, nearest)
        ids = sorted({*scored, *(each.id for each in nearest)})
        comparing = run.start("similarity", lambda: self._cosines(query.tenant, vector, model, ids))
        cosines = run.wait("similarity", comparing, degrades=("vector",))
        return RetrievedAtoms(scored) if cosines is None else RetrievedAtoms(scored, nearest, cosines)

    def fuse(self, query: UnderstoodAtomRequest, found: RetrievedAtoms) -> list[FusedCandidate]:
        """Reorder the list by terms with the cosines, and fuse it with the nearest atoms."""
        scores = {atom: _relevance(query, found, atom) for atom in found.scored}
        ranked = sorted(scores, key=lambda atom: (-scores[atom], atom))
        lists = {"terms": [Candidate(atom, scores[atom]) for atom in ranked], "vector": list(found.nearest)}
        weights = {"terms": self.profile.terms_list, "vector": self.profile.vector_list}
        return reciprocal_ranks(lists, weights)

    def rerank(
        self, run: Run, query: UnderstoodAtomRequest, found: RetrievedAtoms, fused: list[FusedCandidate]
    ) -> list[FusedCandidate]:
        """Keep the fused order, which already includes the cosines, without the atoms below the minimum relevance of the request."""
        del run
        least = query.request.options.min_score
        return [each for each in fused if _relevance(query, found, each.id) >= least] if least > 0 else fused

    def present(
        self, run: Run, query: UnderstoodAtomRequest, found: RetrievedAtoms, ranked: list[FusedCandidate]
    ) -> AtomResponse:
        """Describe the first atoms; those that are missing from the graph are left out."""
        first = ranked[: query.request.limit + _SPARE]
        rows = describe_atoms(self.graph, tenant=query.tenant, ids=[each.id for each in first]) if first else []
        known = {row.id: row for row in rows}
        hits = [each for each in first if each.id in known][: query.request.limit]
        work = Work(
            legs=bool(query.terms.own.terms) + bool(found.nearest),
            candidates=len({*found.scored, *found.cosines, *(each.id for each in found.nearest)}),
        )
        shown = tuple(_hit(rank, query, each, known[each.id], found) for rank, each in enumerate(hits, start=1))
        degraded = tuple(dict.fromkeys(run.degraded))
        return AtomResponse(
            query=query.request.text,
            hits=shown,
            terms=query.terms.asked,
            expansion=query.terms.expansion,
            sub_queries=tuple(" ".join(part) for part in query.terms.parts),
            model=query.embedder.model if query.embedder and not degraded else None,
            domains=_domains(shown),
            degraded=degraded,
            effort=effort_report(work),
        )

    def _aliases(self, linker: EntityLinker, request: AtomRequest) -> list[tuple[int, int, Sequence[str]]]:
        """Return the linked entities of the query: start, end, and their name and aliases."""
        if not request.expand:
            return []
        matches = linker.find(request.text)
        ids = sorted({entity for match in matches for entity in match.entities})
        rows = entity_aliases(self.graph, tenant=linker.tenant, ids=ids) if ids else []
        aliases = {row.id: row.names for row in rows}
        return [
            (match.start, match.end, [alias for entity in match.entities for alias in aliases.get(entity, ())])
            for match in matches
        ]

    def _nearest(self, scope: Scope, vector: Vector, model: str) -> list[Candidate]:
        points = chunk_points(self.graph, self.vectors, scope, vector, model, payload=True)
        return [Candidate(str(point.payload["document_id"]), point.score) for point in points]

    def _cosines(self, tenant: str, vector: Vector, model: str, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine of each atom's best chunk."""
        rows = atom_chunks(self.graph, tenant=tenant, ids=ids, each=_CHUNKS) if ids else []
        atoms = {chunk: row.atom for row in rows for chunk in row.chunks}
        if not atoms:
            return {}
        (found,) = self.vectors.cosines(tenant, "chunks", [vector], sorted(atoms), using=model)
        cosines: dict[str, float] = {}
        for chunk, cosine in found.items():
            cosines[atoms[chunk]] = max(cosine, cosines.get(atoms[chunk], -1.0))
        return cosines


AtomSearch: TypeAlias = SearchPipeline[
    AtomRequest, UnderstoodAtomRequest, tuple[str, ...], RetrievedAtoms, list[FusedCandidate], AtomResponse
]
"""Finds atoms."""


def _best(found: RetrievedAtoms) -> float:
    return max((item.total for item in found.scored.values()), default=0.0)


def _relevance(query: UnderstoodAtomRequest, found: RetrievedAtoms, atom: str) -> float:
    """Return the figure that orders the list by terms: alpha · normalised score + (1 - alpha) · cosine, 0 to 1."""
    best, item = _best(found), found.scored.get(atom)
    normalised = item.total / best if item and best else 0.0
    share = query.profile.lexical_share if found.cosines else 1.0
    return share * normalised + (1 - share) * max(0.0, found.cosines.get(atom, 0.0))


def _domains(hits: Sequence[AtomHit]) -> tuple[AtomDomain, ...]:
    found: dict[str, list[float]] = {}
    for hit in hits:
        for name in hit.domains:
            found.setdefault(name, []).append(hit.score)
    domains = (AtomDomain(name, len(scores), sum(scores)) for name, scores in found.items())
    return tuple(sorted(domains, key=lambda each: (-each.score, each.name)))


def _hit(
    rank: int, query: UnderstoodAtomRequest, fused: FusedCandidate, row: DescribeAtomsRow, found: RetrievedAtoms
) -> AtomHit:
    document, scored, best = row.document, found.scored.get(fused.id), _best(found)
    total = scored.total if scored else 0.0
    return AtomHit(
        rank=rank,
        score=fused.score,
        id=row.id,
        atlas_id=document[f"metadata.{ATLAS_ID}"],
        title=document["title"],
        source_uri=document["sourceUri"],
        tags=tuple(document.get("tags") or ()),
        sections=tuple(AtomSection(section.heading, section.type) for section in row.sections),
        ranks={name: part.rank for name, part in fused.legs.items()},
        domains=tuple(unique([*_words(document, "domain"), *_words(document, "domains")])),
        relevance=_relevance(query, found, row.id),
        tf_idf=total,
        normalised=total / best if best else 0.0,
        coverage=scored.terms.coverage if scored else 0.0,
        found_by=scored.found_by if scored else (),
        cosine=found.cosines.get(fused.id),
        terms=scored.terms.terms if scored else (),
    )


def _words(document: Mapping[str, object], key: str) -> list[str]:
    return words_of(document.get(f"metadata.{key}"))
