"""The repository of entities: look-up by name, and one entity with its neighbours and facts."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from interlace.domain.effort import Work, effort_report
from interlace.domain.errors import InterlaceError, no_entity
from interlace.domain.generated_text import GeneratedText
from interlace.domain.reader import reader_groups
from interlace.entities.descriptions import CANDIDATES, MAX_DESCRIPTION_CHARACTERS, describe
from interlace.entities.generated_texts import read_generated_texts
from interlace.entities.matching import MatchScore, score_match
from interlace.entities.normalization import clean_name, normalize_name
from interlace.entities.results import (
    AboutDocument,
    Entity,
    EntityDetail,
    EntityMatch,
    EntitySearch,
    Membership,
    StatedFact,
)
from interlace.entities.visible import visible_matches
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ports.graph import GraphDatabase
from interlace.queries import entities as queries
from interlace.queries.descriptions import entity_sentences
from interlace.queries.facts import entity_facts
from interlace.text.lucene import all_of, any_of, beginning_with, boosted, in_fields, in_tenant, phrase
from interlace.text.tokenizer import tokens

if TYPE_CHECKING:
    from interlace.entities.name_vectors import NameVectors

MAX_NEAREST_ENTITIES = 20
"""Entities that one search finds by meaning."""
MAX_COMPARED = 20
"""Entities that one search compares by embeddings; each that is not cached costs one inference."""

Candidate: TypeAlias = queries.EntitiesByIdRow

# Mentions that are read when the documents of an entity are counted: a hub must not make its own page slow.
_COUNTED_MENTIONS = 20_000
# The full-text index ranks by its own scores; ours need a few more candidates than are returned.
_OVERFETCH = 5
_MIN_FETCHED = 50
_FUZZY_FROM = 4
# Each becomes up to fifty words of the index in each of two fields, and Lucene refuses searches of more than 1,024.
_MAX_FUZZY = 8
_MAX_WORDS = 12


class EntityRepository:
    """Reads entities; keeps no state.

    Args:
        graph: the graph.
        vectors: compares names by embeddings; without it the other signals decide.
        cache: what readers restricted to groups have read about entities.
    """

    def __init__(
        self, graph: GraphDatabase, vectors: "NameVectors | None" = None, cache: VisibleEntityCache | None = None
    ) -> None:
        self._cache = cache or VisibleEntityCache(graph)
        self._graph = graph
        self._vectors = vectors

    def search(
        self, tenant: str, name: str, *, types: Sequence[str] = (), limit: int = 10, min_confidence: float = 0.0
    ) -> EntitySearch:
        """Return the entities that a name may mean.

        Candidates come from the index of normalised forms, the full-text index of names and aliases,
        a few times as many as are wanted, and the vector index of names with descriptions. The names of the twenty most similar ones are also compared by embeddings.

        Args:
            tenant: the tenant.
            name: a name, which may be misspelt, partial, or in another word order.
            types: only entities of these types; empty for all.
            limit: maximum number of entities.
            min_confidence: only matches of at least this confidence, 0 to 1.
        """
        form = normalize_name(name)
        rows = self._candidates(tenant, name, form, types, limit)
        compared = sorted(rows, key=lambda row: (-_score(row, form).confidence, row.id))[:MAX_COMPARED]
        cosines, degraded = self._compare(name, compared)
        meant = {} if degraded else self._meant(tenant, name)
        spelt = {row.id for row in rows}
        further = sorted(meant.keys() - spelt)
        if further:
            rows = [*rows, *queries.entities_by_id(self._graph, tenant=tenant, ids=further, types=list(types))]
        cosines = {**meant, **{node: max(cosine, meant.get(node, cosine)) for node, cosine in cosines.items()}}
        matches = [_match(row, form, cosines, spelt) for row in rows]
        matches.sort(key=lambda match: (-match.confidence, -match.entity.mentions, match.entity.id))
        legs = (2 if form else 0) + bool(cosines)
        return EntitySearch(
            matches=tuple(match for match in matches if match.confidence >= min_confidence)[:limit],
            model=self._vectors.model if self._vectors and cosines else None,
            degraded=degraded,
            effort=effort_report(Work(legs=legs, candidates=len(rows) + len(cosines))),
        )

    def _candidates(self, tenant: str, name: str, form: str, types: Sequence[str], limit: int) -> list[Candidate]:
        """Return a few more entities than are wanted, each once."""
        if not form:
            return []
        most = max(limit * _OVERFETCH, _MIN_FETCHED)
        search = name_search(tenant, name)
        if reader_groups() is not None:
            words, inexact = _words(name)
            return [*visible_matches(self._graph, tenant, search, words, inexact, types)]
        rows: list[Candidate] = [
            *queries.entity_named(self._graph, tenant=tenant, key=form, types=list(types), limit=limit),
            *queries.entity_search(self._graph, tenant=tenant, search=search, types=list(types), limit=most),
        ]
        return list({row.id: row for row in rows}.values())

    def _compare(self, name: str, rows: Sequence[Candidate]) -> tuple[dict[str, float], tuple[str, ...]]:
        """Return the cosine of each entity's name with the one asked for, by id, and the signals that failed."""
        if self._vectors is None:
            return {}, ()
        try:
            cosines = self._vectors.cosines(clean_name(name), [row.name for row in rows])
        except InterlaceError:
            return {}, ("vector",)
        return {row.id: cosine for row, cosine in zip(rows, cosines, strict=False)}, ()

    def _meant(self, tenant: str, name: str) -> dict[str, float]:
        """Return the entities that the name may describe, by id; none while the index does not answer: spelling then makes up for it.

        Vectors reflect what all documents say, so they are not searched for a reader restricted to groups.
        """
        if self._vectors is None or reader_groups() is not None:
            return {}
        try:
            return self._vectors.nearest(tenant, clean_name(name), MAX_NEAREST_ENTITIES)
        except InterlaceError:
            return {}

    def get(self, tenant: str, entity_id: str) -> EntityDetail:
        """Return one entity.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        row = queries.entity_detail(self._graph, tenant=tenant, id=entity_id, counted=_COUNTED_MENTIONS)
        found = self._seen(tenant, row) if row else None
        if row is None or found is None:
            raise no_entity(entity_id)
        entity, chunks, documents, facts = found
        sentences = entity_sentences(
            self._graph, tenant=tenant, id=entity_id, max_characters=MAX_DESCRIPTION_CHARACTERS, limit=CANDIDATES
        )
        return EntityDetail(
            entity=entity,
            chunks=chunks,
            documents=documents,
            facts=facts,
            about=tuple(AboutDocument(**item._asdict()) for item in row.about),
            communities=tuple(Membership(**item._asdict()) for item in row.communities),
            description=describe([entity.name, *entity.aliases], sentences),
            # It was written from all documents together.
            generated=None if reader_groups() is not None else self._generated(tenant, entity_id),
        )

    def _generated(self, tenant: str, entity_id: str) -> GeneratedText | None:
        return read_generated_texts(self._graph, tenant, [entity_id]).get(entity_id)

    def _seen(self, tenant: str, row: queries.EntityDetailRow) -> tuple[Entity, int, int, int] | None:
        """Return an entity as the documents visible to the reader define it, and its chunks, documents and facts; none if no such document does."""
        if reader_groups() is None:
            return _entity(row), row.chunks, row.documents, row.facts
        view = self._cache.view(tenant)
        found = view.entities([row.id]).get(row.id)
        if found is None:
            return None
        state = found.state
        entity = Entity(row.id, state.name, state.type, state.aliases, state.confidence, found.mentions)
        return entity, found.chunks, found.documents, view.facts(row.id)

    def facts(
        self, tenant: str, entity_id: str, *, limit: int = 25, after: tuple[float, str] | None = None
    ) -> list[StatedFact]:
        """Return the facts of this entity, most confident first.

        Args:
            tenant: the tenant.
            entity_id: the entity.
            limit: maximum number of facts.
            after: confidence and id of the last fact of the previous page.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        confidence, last = after or (None, None)
        rows = entity_facts(self._graph, tenant=tenant, id=entity_id, confidence=confidence, after=last, limit=limit)
        if not rows:
            self.get(tenant, entity_id)
        return [StatedFact(**row._asdict()) for row in rows]


def _entity(row: Candidate | queries.EntityDetailRow) -> Entity:
    return Entity(row.id, row.name, row.type, tuple(row.aliases or ()), row.confidence, row.mentions)


def _score(row: Candidate, form: str, cosines: Mapping[str, float] | None = None) -> MatchScore:
    spellings = [normalize_name(spelling) for spelling in (row.aliases or ())]
    return score_match(
        form,
        normalize_name(row.name),
        [*(row.keys or ()), *spellings],
        cosine=cosines.get(row.id) if cosines else None,
        vectors=bool(cosines),
    )


def _match(row: Candidate, form: str, cosines: Mapping[str, float], spelt: Collection[str]) -> EntityMatch:
    found = _score(row, form, cosines)
    return EntityMatch(_entity(row), found.confidence, found.via if row.id in spelt else "meaning", found.signals)


def name_search(tenant: str, name: str) -> str:
    """Return the full-text search for a name: the whole phrase first, then its words, long ones also misspelt."""
    words, inexact = _words(name)
    parts = [boosted(phrase(clean_name(name)), "8")]
    for word in words:
        parts.append(boosted(phrase(word), "2"))
        if word in inexact:
            parts.append(f"{word}~1")
    return in_tenant(tenant, in_fields(("name", "aliases"), any_of(parts)))


def initials_search(tenant: str, letters: str) -> str:
    """Return the full-text search for names that have words with certain initials, in any order."""
    words = all_of(dict.fromkeys(map(beginning_with, letters)))
    return in_tenant(tenant, in_fields(("name", "aliases"), words))


def _words(name: str) -> tuple[list[str], set[str]]:
    """Return the words of a name, each once, and those long enough for a fuzzy search."""
    words = list(dict.fromkeys(token.form for token in tokens(clean_name(name))))[:_MAX_WORDS]
    long = sorted((word for word in words if len(word) >= _FUZZY_FROM), key=len, reverse=True)
    return words, set(long[:_MAX_FUZZY])
