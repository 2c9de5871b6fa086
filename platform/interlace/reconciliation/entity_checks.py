"""Invariants between entities and their points in the vector index."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from more_itertools import batched

from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.ports.vectors import VectorIndex
from interlace.queries.gazetteer import entity_keys
from interlace.queries.invariants import check_entities, recorded_entities
from interlace.reconciliation.graph_pages import PAGE, confirmed, ids_of
from interlace.reconciliation.invariants import Found
from interlace.vectors.entity_points import KIND, stale_points


@dataclass(frozen=True, slots=True)
class EntityProjection:
    """Entities and their points.

    Args:
        graph: the source of truth.
        vectors: its projection.
        outbox: brings points in line with the graph; where it embeds no entities, none lacks a point.
    """

    scheduled = True

    graph: GraphDatabase
    vectors: VectorIndex
    outbox: Outbox

    def find(self, tenant: str) -> Found:
        """Yield points that disagree with the graph, and entities without a point, unless an entry or a note names them."""
        for points in batched(self.vectors.scroll(tenant, KIND), PAGE):
            ids = [point.id for point in points]
            if stale := confirmed(self.graph, tenant, partial(self._stale, tenant=tenant, ids=ids), bool):
                yield "entity point without entity", stale
        if self.outbox.embeds:
            for ids in ids_of(self.graph, check_entities, tenant):
                if missing := confirmed(self.graph, tenant, partial(self._missing, tenant=tenant, ids=ids), bool):
                    yield "entity without point", missing

    def repair(self, tenant: str, invariant: str, ids: Sequence[str]) -> None:
        """Delete what is stale at once; what is missing is embedded in the background."""
        del invariant
        self.outbox.enter_entities(tenant, ids)

    def _stale(self, runner: QueryRunner, *, tenant: str, ids: Sequence[str]) -> list[str]:
        """Return stale points that no entry names, before or after they are read: a transaction enters what it changes."""
        recorded = _recorded(runner, tenant, ids)
        stored = {point.id: point.payload for point in self.vectors.retrieve(tenant, KIND, ids, ())}
        stale = set(stale_points(runner, tenant, stored)) - recorded
        return sorted(
            stale - _recorded(runner, tenant, sorted(stale)) & self.vectors.existing_ids(tenant, KIND, sorted(stale))
        )

    def _missing(self, runner: QueryRunner, *, tenant: str, ids: Sequence[str]) -> list[str]:
        """Return entities without a point that no entry and no note names; an entity that goes meanwhile is left out."""
        recorded = _recorded(runner, tenant, ids)
        missing = sorted(set(ids) - self.vectors.existing_ids(tenant, KIND, ids) - recorded)
        there = {row.id for row in entity_keys(runner, tenant=tenant, ids=missing)} if missing else set()
        return sorted(there - _recorded(runner, tenant, sorted(there)))


def _recorded(runner: QueryRunner, tenant: str, ids: Sequence[str]) -> set[str]:
    return set(recorded_entities(runner, tenant=tenant, ids=ids)) if ids else set()
