"""Traversal of relations: neighbours to three hops, and the shortest paths between two entities by breadth-first search from both ends.

Work is bounded at hubs: only the ``FOLLOWED`` strongest relations of each entity are followed, at most ``FRONTIER`` entities of one
distance are expanded, and an entity with more than ``HUB_CAP`` relations is not expanded unless the search starts there. Paths may still meet at a hub.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from interlace.domain.reader import reader_groups
from interlace.domain.relations import Direction
from interlace.entities.results import AboutDocument, EntityNeighbor, EntityPath, Relation
from interlace.entities.visible import VisibleStep, visible_neighbors
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ports.graph import GraphDatabase
from interlace.queries import relations as queries

MAX_HOPS: Final = 3
"""Hops to the farthest neighbours."""
MAX_PATH_HOPS: Final = 4
"""Relations of the longest path."""
FOLLOWED: Final = 100
FRONTIER: Final = 100
HUB_CAP: Final = 2_000
COMPARED: Final = 10_000
"""Paths of one length among which the strongest are chosen."""
RELATIONS: Final = 5
"""Relations between two entities that are explained, strongest first."""
SOURCES: Final = 5
"""Documents named as sources of a relation."""

_Way = tuple[queries.EntityNeighborsRow, ...]
_Ways = dict[str, list[_Way]]


@dataclass(frozen=True, slots=True)
class RelationFilter:
    """Which relations are followed, at every hop.

    Args:
        direction: relations from an entity, to it, or both.
        predicates: only these; empty for all.
        min_confidence: only those of at least this confidence, 0 to 1.
    """

    direction: Direction = "both"
    predicates: tuple[str, ...] = ()
    min_confidence: float = 0.0

    def reversed(self) -> "RelationFilter":
        """Return the filter as it is seen from the other end of a path."""
        other: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
        return replace(self, direction=other[self.direction])


class EntityTraversal:
    """Follows relations; keeps no state."""

    def __init__(self, graph: GraphDatabase, cache: VisibleEntityCache | None = None) -> None:
        self._graph = graph
        self._cache = cache or VisibleEntityCache(graph)

    def neighbors(
        self,
        tenant: str,
        entity_id: str,
        *,
        hops: int = 1,
        types: Sequence[str] = (),
        where: RelationFilter | None = None,
        limit: int = 25,
    ) -> list[EntityNeighbor]:
        """Return the entities within some hops, nearest first and strongest first among these, with sentences and sources.

        Args:
            tenant: the tenant.
            entity_id: id of the entity.
            hops: 1 to ``MAX_HOPS``.
            types: only neighbours of these types; those in between may have any.
            where: which relations are followed; all by default.
            limit: maximum number of neighbours.
        """
        where = where or RelationFilter()
        found: dict[str, EntityNeighbor] = {}
        known, frontier = {entity_id}, [entity_id]
        for hop in range(1, hops + 1):
            rows = self._step(tenant, frontier, known, where, types, start=hop == 1, limit=limit)
            for row in rows:
                found.setdefault(row.id, _neighbor(row, hop))
            if hop == hops or len(found) >= limit:
                break
            between = rows if not types else self._step(tenant, frontier, known, where, (), start=hop == 1)
            frontier = list(dict.fromkeys(row.id for row in between))[:FRONTIER]
            known.update(frontier)
        return self._with_sources(tenant, list(found.values())[:limit])

    def paths(
        self, tenant: str, entity_id: str, other: str, *, where: RelationFilter | None = None, limit: int = 5
    ) -> list[EntityPath]:
        """Return the shortest paths of at most ``MAX_PATH_HOPS`` relations between two entities, each step with its sentence.

        Args:
            tenant: the tenant.
            entity_id: id of the entity where paths begin.
            other: id of the one where they end.
            where: which relations are followed; all by default.
            limit: maximum number of paths.
        """
        where = where or RelationFilter()
        if entity_id == other:
            return []
        ahead: list[_Ways] = [{entity_id: [()]}]
        behind: list[_Ways] = [{other: [()]}]
        seen = {entity_id}, {other}
        for length in range(MAX_PATH_HOPS):
            # Alternately from either end, so that the lengths of the paths that meet grow by one.
            if length % 2 == 0:
                ahead.append(self._farther(tenant, ahead[-1], seen[0], where, start=length == 0))
                pairs = [(ahead[-1], each) for each in behind]
            else:
                behind.append(self._farther(tenant, behind[-1], seen[1], where.reversed(), start=length == 1))
                pairs = [(each, behind[-1]) for each in ahead]
            for firsts, lasts in pairs:
                if meeting := sorted(firsts.keys() & lasts.keys()):
                    ways = ((*first, *last[::-1]) for each in meeting for first in firsts[each] for last in lasts[each])
                    strongest = sorted(islice(ways, COMPARED), key=lambda way: -min(row.weight for row in way))[:limit]
                    return self._explained(tenant, entity_id, strongest)
        return []

    def _farther(self, tenant: str, ways: _Ways, seen: set[str], where: RelationFilter, *, start: bool) -> _Ways:
        """Return the ways that are one relation longer, by the entity where they end."""
        found: _Ways = {}
        for row in self._step(tenant, list(ways)[:FRONTIER], seen, where, (), start=start):
            found.setdefault(row.id, []).extend((*way, row) for way in ways[row.via])
        seen.update(found)
        return found

    def _step(
        self,
        tenant: str,
        ids: Sequence[str],
        known: Iterable[str],
        where: RelationFilter,
        types: Sequence[str],
        *,
        start: bool,
        limit: int = FOLLOWED,
    ) -> list[queries.EntityNeighborsRow]:
        most = max(limit, FOLLOWED)
        if reader_groups() is not None:
            asked = (where.direction, types, where.predicates, where.min_confidence)
            step = VisibleStep(ids, set(known), *asked, HUB_CAP, start, most)
            return visible_neighbors(self._cache.view(tenant), step)
        return queries.entity_neighbors(
            self._graph,
            tenant=tenant,
            ids=list(ids),
            known=sorted(known),
            direction=where.direction,
            types=list(types),
            predicates=list(where.predicates),
            confidence=where.min_confidence,
            hub_cap=HUB_CAP,
            start=start,
            limit=most,
        )

    def _with_sources(self, tenant: str, found: Sequence[EntityNeighbor]) -> list[EntityNeighbor]:
        pairs = [(each.via, each.id, relation) for each in found for relation in each.relations]
        explained = iter(self._explain(tenant, pairs))
        return [replace(each, relations=tuple(islice(explained, len(each.relations)))) for each in found]

    def _explained(self, tenant: str, start: str, ways: Sequence[_Way]) -> list[EntityPath]:
        paths: list[EntityPath] = []
        for way in ways:
            ids, names, pairs = [start], [], []
            for row in way:
                # The second half of a way was found from its end.
                forward = row.via == ids[-1]
                relation = _relation(row.relations[0])
                pairs.append((ids[-1], row.id if forward else row.via, relation if forward else _turned(relation)))
                names.append(row.via_name if forward else row.name)
                ids.append(row.id if forward else row.via)
            names.append(way[-1].name if way[-1].id == ids[-1] else way[-1].via_name)
            paths.append(EntityPath(tuple(ids), tuple(names), tuple(self._explain(tenant, pairs))))
        return paths

    def _explain(self, tenant: str, pairs: Sequence[tuple[str, str, Relation]]) -> list[Relation]:
        """Return relations with their most confident sentences; each is given with the entity it was reached from and the one it leads to."""
        rows = [
            {"number": number, "predicate": relation.predicate, **_ends(start, end, relation)}
            for number, (start, end, relation) in enumerate(pairs)
        ]
        found = {
            row.number: row
            for row in (
                queries.relation_sources(self._graph, tenant=tenant, rows=rows, sources=SOURCES) if rows else ()
            )
        }
        return [
            replace(
                relation,
                sentence=found[number].sentence,
                sources=tuple(AboutDocument(**each._asdict()) for each in found[number].documents),
            )
            if number in found
            else relation
            for number, (_, _, relation) in enumerate(pairs)
        ]


def _neighbor(row: queries.EntityNeighborsRow, hops: int) -> EntityNeighbor:
    relations = tuple(map(_relation, row.relations[:RELATIONS]))
    return EntityNeighbor(row.id, row.name, row.type, row.weight, relations, hops, row.via, row.via_name)


def _relation(found: queries.EntityNeighborsRelation) -> Relation:
    return Relation(**found._asdict())


def _turned(relation: Relation) -> Relation:
    return replace(relation, direction="in" if relation.direction == "out" else "out")


def _ends(start: str, end: str, relation: Relation) -> dict[str, str]:
    subject, target = (start, end) if relation.direction == "out" else (end, start)
    return {"subject": subject, "object": target}
