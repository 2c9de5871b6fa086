"""Merge candidates: explained pairs of entities that may be the same, without those that are already decided.

Blocking uses indexes to find entities with similar words, or with the acronym or the shortened form of a name; then signals are compared. A call costs
a bounded number of look-ups, whatever the size of the graph. No rule merges by itself: every pair waits for a decision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from interlace.domain.decisions import EntityForm
from interlace.domain.errors import no_entity
from interlace.entities.decision_records import read_transition
from interlace.entities.forms import own_form
from interlace.entities.identities import Identities
from interlace.entities.mentions import mentions_of
from interlace.entities.pair_score import SMALL_WORDS, PairSignal, acronym_of, score_pair, without_affixes
from interlace.entities.repository import initials_search, name_search
from interlace.ports.graph import GraphDatabase
from interlace.queries import entities as queries
from interlace.queries.decisions import CompareEntitiesRow, compare_entities
from interlace.queries.gazetteer import entity_keys

MIN_SCORE: Final = 0.4
"""Pairs below this score are not offered."""
SENTENCES: Final = 2
_BLOCK = 50
_PAGE = 25
_MAX_PAGES = 10
_MAX_COMPARED = 200
_MAX_ACRONYM_CHARACTERS = 6
_MAX_WITH_INITIALS = 2000


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two entities, with sentences that name it."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    mentions: int
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Two entities that may be the same: the score, 0 to 1, and every signal."""

    one: Side
    other: Side
    score: float
    signals: Mapping[PairSignal, float]


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """A page of the queue, best first, and where the next page begins: None at the end."""

    candidates: tuple[MergeCandidate, ...]
    after: str | None = None


class Candidates:
    """Finds pairs of entities of one tenant that wait for a decision."""

    def __init__(self, graph: GraphDatabase, tenant: str) -> None:
        self._graph = graph
        self._tenant = tenant
        self._identities: Identities = read_transition(graph, tenant).after

    def of(self, entity_id: str, *, limit: int = 20) -> tuple[MergeCandidate, ...]:
        """Return the candidates of one entity, best first.

        Raises:
            NotFoundError: the tenant has no such entity.
        """
        row = queries.entity_detail(self._graph, tenant=self._tenant, id=entity_id, counted=1)
        keys = entity_keys(self._graph, tenant=self._tenant, ids=[entity_id])
        if row is None or not keys:
            raise no_entity(entity_id)
        side = Side(row.id, row.name, row.type, tuple(row.aliases or ()), row.mentions)
        return tuple(self._with_sentences(each) for each in self._pairs(side, keys[0].keys)[:limit])

    def queue(self, *, after: str = "", limit: int = 20) -> CandidatePage:
        """Return the pairs of the next entities in order of id, best first: of whole entities, so the last one may add more than ``limit``.

        Few entities have a pair, so pages of entities are read until there are enough pairs, at most ``_MAX_PAGES``.
        """
        found: list[MergeCandidate] = []
        for _ in range(_MAX_PAGES):
            rows = queries.entity_page(self._graph, tenant=self._tenant, after=after, limit=_PAGE)
            for row in rows:
                found += self._offered(row)
                after = row.id
                if len(found) >= limit:
                    return self._page(found, after)
            if len(rows) < _PAGE:
                return self._page(found, None)
        return self._page(found, after)

    def _page(self, found: Sequence[MergeCandidate], after: str | None) -> CandidatePage:
        best_first = sorted(found, key=lambda pair: (-pair.score, pair.one.id, pair.other.id))
        return CandidatePage(tuple(self._with_sentences(each) for each in best_first), after)

    def exist(self, pair: MergeCandidate) -> bool:
        """Return whether both entities of a pair are still there: a merge takes one away."""
        ids = [pair.one.id, pair.other.id]
        return len(entity_keys(self._graph, tenant=self._tenant, ids=ids)) == len(ids)

    def _offered(self, row: queries.EntityPageRow) -> list[MergeCandidate]:
        """Return the pairs that an entity offers: those with larger ids, and acronyms or names for them that do not find it."""
        side = Side(row.id, row.name, row.type, tuple(row.aliases or ()), row.mentions)
        return [
            pair
            for pair in self._pairs(side, row.keys)
            if pair.other.id > row.id or (pair.signals["acronym"] and not self._finds(pair.other, row.id))
        ]

    def _finds(self, side: Side, entity_id: str) -> bool:
        keys = entity_keys(self._graph, tenant=self._tenant, ids=[side.id])
        return any(row.id == entity_id for each in keys for row in self._block(side, each.keys))

    def _pairs(self, side: Side, keys: Sequence[str]) -> list[MergeCandidate]:
        """Return the pairs of an entity that may be offered, best first."""
        blocked = {row.id: row for row in self._block(side, keys) if row.id != side.id}
        offered = {row.id: row for row in blocked.values() if not self._is_decided(side.id, keys, row)}
        compared = compare_entities(
            self._graph, tenant=self._tenant, id=side.id, others=sorted(offered), limit=_MAX_COMPARED
        )
        pairs = [self._scored(side, keys, offered[row.id], row) for row in compared]
        return sorted(
            (pair for pair in pairs if pair.score >= MIN_SCORE), key=lambda pair: (-pair.score, pair.other.id)
        )

    def _block(self, side: Side, keys: Sequence[str]) -> list[queries.EntitiesByIdRow]:
        search = name_search(self._tenant, side.name)
        rows: list[queries.EntitiesByIdRow] = [
            *queries.entity_search(self._graph, tenant=self._tenant, search=search, types=[], limit=_BLOCK)
        ]
        further = {form for key in keys for form in (acronym_of(key), without_affixes(key)) if form}
        for form in sorted(further):
            rows += queries.entity_named(self._graph, tenant=self._tenant, key=form, types=[], limit=_BLOCK)
        # Merged, an acronym or a shortened form need not be the first form of its entity.
        origins = (EntityForm(form).id(self._tenant) for form in further)
        ids = sorted(set(map(self._identities.entity_of, origins)))
        rows += queries.entities_by_id(self._graph, tenant=self._tenant, ids=ids, types=[])
        for letters in sorted({each for name in (side.name, *side.aliases) if (each := self._letters(name))}):
            rows += queries.entity_of_initials(
                self._graph,
                tenant=self._tenant,
                search=initials_search(self._tenant, letters),
                initials=letters,
                small=sorted(SMALL_WORDS),
                candidates=_MAX_WITH_INITIALS,
                limit=_BLOCK,
            )
        return rows

    @staticmethod
    def _letters(name: str) -> str:
        """Return the letters of a name that may be an acronym; empty if it is none."""
        letters = name.replace(".", "")
        return (
            letters.lower()
            if letters.isalpha() and letters.isupper() and 1 < len(letters) <= _MAX_ACRONYM_CHARACTERS
            else ""
        )

    def _is_decided(self, entity_id: str, keys: Sequence[str], other: queries.EntitiesByIdRow) -> bool:
        one = own_form(self._identities, entity_id, keys)
        two = own_form(self._identities, other.id, other.keys or ())
        # Nothing can be decided about an entity without a form, and kinds that files declare differ by their type on purpose.
        return one is None or two is None or one.type != two.type or self._identities.are_apart(one, two)

    def _scored(
        self, side: Side, keys: Sequence[str], other: queries.EntitiesByIdRow, graph: CompareEntitiesRow
    ) -> MergeCandidate:
        found = score_pair(
            keys,
            other.keys or (),
            types=(side.type, other.type),
            neighbours=graph.shared / graph.near if graph.near else 0.0,
            together=graph.together / graph.chunks if graph.chunks else 0.0,
        )
        second = Side(other.id, other.name, other.type, tuple(other.aliases or ()), other.mentions)
        return MergeCandidate(side, second, found.score, found.signals)

    def _with_sentences(self, pair: MergeCandidate) -> MergeCandidate:
        return replace(pair, one=self._quoted(pair.one), other=self._quoted(pair.other))

    def _quoted(self, side: Side) -> Side:
        found = mentions_of(self._graph, self._tenant, side.id, limit=SENTENCES, after=None)
        return replace(side, sentences=tuple(each.sentence for each in found if each.sentence))
