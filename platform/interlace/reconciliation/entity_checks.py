"""Invariants between entities and their points in the vector index."""

from collections.abc import Sequence

from more_itertools import batched

from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries.entities import entity_keys
from interlace.queries.invariants import check_entities, recorded_entities
from interlace.reconciliation.graph_pages import PAGE, ids_of
from interlace.reconciliation.invariants import Found
from interlace.vectors.entity_points import KIND, stale_points


class EntityProjection:
    """Entities and their points.

    Args:
        graph: the source of truth.
        vectors: its projection.
        outbox: brings points in line with the graph; where it embeds no entities, none lacks a point.
    """

    scheduled = True

    def __init__(self, graph: GraphDatabase, vectors: VectorIndex, outbox: Outbox) -> None:
        self._graph = graph
        self._vectors = vectors
        self._outbox = outbox

    def find(self, tenant: str) -> Found:
        """Yield points that disagree with the graph, and entities without a point, unless an entry or a note names them."""
        for points in batched(self._vectors.scroll(tenant, KIND), PAGE):
            if stale := self._stale(tenant, [point.id for point in points]):
                yield "entity point without entity", stale
        if self._outbox.embeds:
            for ids in ids_of(self._graph, check_entities, tenant):
                if missing := self._missing(tenant, ids):
                    yield "entity without point", missing

    def repair(self, tenant: str, invariant: str, ids: Sequence[str]) -> None:
        """Delete what is stale at once; what is missing is embedded in the background."""
        del invariant
        self._outbox.enter_entities(tenant, ids)

    def _stale(self, tenant: str, ids: Sequence[str]) -> list[str]:
        """Return stale points that no entry names, before or after they are read: a transaction enters what it changes."""
        recorded = self._recorded(tenant, ids)
        held = {point.id: point.payload for point in self._vectors.retrieve(tenant, KIND, ids)}
        stale = set(stale_points(self._graph, tenant, held)) - recorded
        return sorted(
            stale - self._recorded(tenant, sorted(stale)) & self._vectors.holding(tenant, KIND, sorted(stale))
        )

    def _missing(self, tenant: str, ids: Sequence[str]) -> list[str]:
        """Return entities without a point that no entry and no note names; an entity that goes meanwhile is left out."""
        recorded = self._recorded(tenant, ids)
        missing = sorted(set(ids) - self._vectors.holding(tenant, KIND, ids) - recorded)
        there = {row.id for row in entity_keys(self._graph, tenant=tenant, ids=missing)} if missing else set()
        return sorted(there - self._recorded(tenant, sorted(there)))

    def _recorded(self, tenant: str, ids: Sequence[str]) -> set[str]:
        return {row.id for row in recorded_entities(self._graph, tenant=tenant, ids=ids)} if ids else set()
