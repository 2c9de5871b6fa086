"""What a reader restricted to groups may know about entities: everything follows from the documents it may see, as if there were no others.

An entity's names and type follow from its evidence (``entities.evidence``), relations from facts; both are recomputed from visible
documents. Mentions that linking found are left out, because they depend on the names in all documents.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz.distance import OSA

from interlace.domain.relations import confidence_level
from interlace.entities.evidence import EntityState, decode, describe
from interlace.entities.gazetteer import Gazetteer, Match
from interlace.ports.graph import GraphDatabase
from interlace.queries.entities import EntitiesByIdRow, entity_search
from interlace.queries.relations import EntityNeighborsRelation, EntityNeighborsRow, VisibleRelationsRow
from interlace.queries.visibility import visible_evidence
from interlace.text.tokenizer import tokens

if TYPE_CHECKING:
    from interlace.entities.visible_cache import VisibleView

MAX_SEARCHED: Final = 2_000
"""Entities found by the words of a name whose visible names are compared with it."""


@dataclass(frozen=True, slots=True)
class VisibleEntity:
    """An entity as visible documents define it.

    Args:
        state: what follows from their evidence.
        mentions: how often they mention it.
        chunks: how many of their chunks do.
        documents: how many of them do.
        titled: whether one is about it.
    """

    state: EntityState
    mentions: int
    chunks: int
    documents: int
    titled: bool

    @property
    def degree(self) -> int:
        """How many mentions count towards its rarity: those by a model where others name the entity too do not count."""
        return self.mentions - self.state.agreed


def visible_entities(
    graph: GraphDatabase, tenant: str, ids: Collection[str], *, timeout: float | None = None
) -> dict[str, VisibleEntity]:
    """Return id to entity; those for which no visible document gives evidence are left out."""
    rows = visible_evidence(graph, tenant=tenant, ids=sorted(ids), timeout=timeout) if ids else []
    return {
        row.id: VisibleEntity(describe(decode(row.evidence)), row.mentions, row.chunks, row.documents, row.titled)
        for row in rows
    }


def visible_links(text: str, known: Mapping[str, VisibleEntity]) -> list[Match]:
    """Return the longest visible aliases in a text.

    A hidden alias shadows no shorter one: the longest are chosen among what visible documents call the entities, of which ``known`` has every one
    that a part of the text could name (``EntityLinker.mentionable``).
    """
    gazetteer = Gazetteer()
    for entity_id, entity in known.items():
        gazetteer.assign(entity_id, entity.state.keys)
    return gazetteer.find(text)


def visible_matches(
    graph: GraphDatabase, tenant: str, search: str, words: Sequence[str], inexact: Collection[str], types: Sequence[str]
) -> list[EntitiesByIdRow]:
    """Return the entities whose visible names contain any of some words.

    Args:
        graph: the graph.
        tenant: the tenant.
        search: full-text search for the words, which finds entities by all their names.
        words: the words.
        inexact: those of them that may be misspelt by one letter.
        types: only entities whose visible type is one of these; empty for all.
    """
    return [
        row
        for row in visible_candidates(graph, tenant, search, types)
        if _holds([row.name, *(row.aliases or ())], words, inexact)
    ]


def visible_candidates(graph: GraphDatabase, tenant: str, search: str, types: Collection[str]) -> list[EntitiesByIdRow]:
    """Return the entities that a full-text search finds by any of their names, as visible documents define them.

    Args:
        graph: the graph.
        tenant: the tenant.
        search: full-text search.
        types: only entities whose visible type is one of these; empty for all.
    """
    found = entity_search(graph, tenant=tenant, search=search, types=sorted(types), limit=MAX_SEARCHED)
    known = visible_entities(graph, tenant, {row.id for row in found})
    return [
        EntitiesByIdRow(
            entity_id,
            state.name,
            state.type,
            list(state.aliases),
            list(state.keys),
            state.confidence,
            known[entity_id].mentions,
        )
        for entity_id, state in sorted((entity_id, each.state) for entity_id, each in known.items())
        if not types or state.type in types
    ]


def _holds(names: Sequence[str], words: Sequence[str], inexact: Collection[str]) -> bool:
    forms = {token.form for name in names for token in tokens(name)}
    return any(
        word in forms or (word in inexact and any(OSA.distance(word, each, score_cutoff=1) <= 1 for each in forms))
        for word in words
    )


@dataclass(frozen=True, slots=True)
class VisibleStep:
    """One step of a traversal; see the query ``relations/entity_neighbors``, whose parameters these are."""

    ids: Sequence[str]
    known: Collection[str]
    direction: str
    types: Sequence[str]
    predicates: Collection[str]
    confidence: float
    hub_cap: int
    start: bool
    limit: int


def visible_neighbors(visible: "VisibleView", step: VisibleStep) -> list[EntityNeighborsRow]:
    """Return what ``relations/entity_neighbors`` returns, from the facts that visible documents state."""
    by_start = visible.relations(step.ids)
    followed = {via: rows for via, rows in by_start.items() if step.start or len(rows) <= step.hub_cap}
    ids = {row.id for rows in followed.values() for row in rows}
    known = visible.entities(ids | followed.keys())
    found: list[EntityNeighborsRow] = []
    for via, rows in followed.items():
        if via in known:
            found += _neighbors(via, [row for row in rows if row.id in known], known, step)
    return sorted(found, key=lambda row: (-row.weight, row.name, row.id, row.via))


def _neighbors(
    via: str, rows: Sequence[VisibleRelationsRow], known: dict[str, VisibleEntity], step: VisibleStep
) -> list[EntityNeighborsRow]:
    """Return the entities that relations of one entity lead to, strongest first, as many as the step follows."""
    relations: dict[str, list[EntityNeighborsRelation]] = defaultdict(list)
    for row in sorted(rows, key=lambda each: (-each.weight, each.predicate, each.direction)):
        if _is_followed(row, known[row.id], step):
            sure = float(confidence_level(row.confidence))
            relations[row.id].append(
                EntityNeighborsRelation(row.predicate, row.direction, row.weight, row.documents, sure)
            )
    found = [
        EntityNeighborsRow(
            via,
            known[via].state.name,
            entity_id,
            known[entity_id].state.name,
            known[entity_id].state.type,
            sum(each.weight for each in kept),
            kept,
        )
        for entity_id, kept in relations.items()
    ]
    return sorted(found, key=lambda row: (-row.weight, row.name, row.id))[: step.limit]


def _is_followed(row: VisibleRelationsRow, entity: VisibleEntity, step: VisibleStep) -> bool:
    return (
        step.direction in ("both", row.direction)
        and float(confidence_level(row.confidence)) >= step.confidence
        and (not step.predicates or row.predicate in step.predicates)
        and (not step.types or entity.state.type in step.types)
        and row.id not in step.known
    )
