"""The reconciler: checks every invariant of a tenant, repairs what is broken, and records what the last check found."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries.invariants import record_violations
from interlace.queries.tenants import list_tenants
from interlace.reconciliation.entity_checks import EntityProjection
from interlace.reconciliation.graph_checks import graph_checks
from interlace.reconciliation.invariants import MEANINGS, InvariantCheck
from interlace.reconciliation.projection_checks import ChunkProjection, community_checks

EXAMPLES: Final = 5
"""Ids of violations that a report names."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Violations:
    """What a check found of one invariant.

    Args:
        tenant: the tenant that owns the data.
        invariant: its name.
        count: nodes or points that break it.
        examples: ids of the first few.
    """

    tenant: str
    invariant: str
    count: int
    examples: tuple[str, ...]


class Reconciler:
    """Checks and repairs.

    Args:
        graph: the source of truth.
        vectors: its projection.
        outbox: brings points in line with the graph.
        older_chunks: links chunks whose linking is overdue, or that a repair defers.
        refresh: detects the communities of a tenant again.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        outbox: Outbox,
        older_chunks: OlderChunks,
        refresh: Callable[[str], object],
    ) -> None:
        self._graph = graph
        self._checks: Sequence[InvariantCheck] = (
            *graph_checks(graph, outbox, older_chunks),
            ChunkProjection(graph, vectors, outbox),
            EntityProjection(graph, vectors, outbox),
            *community_checks(graph, vectors, refresh),
        )

    def tenants(self) -> list[str]:
        """Return every tenant that ever had a document."""
        return list_tenants(self._graph)

    def check(self, tenant: str) -> list[Violations]:
        """Return the invariants that are broken; changes nothing.

        Raises:
            UnavailableError: a server does not answer.
        """
        return self._pass(tenant, self._checks, repairing=False)

    def repair(self, tenant: str) -> list[Violations]:
        """Repair what is broken, record what remains, and return what was found; safe while workers run.

        Raises:
            UnavailableError: a server does not answer; what was repaired stays repaired.
        """
        found = self._pass(tenant, self._checks, repairing=True)
        self._record(tenant, self.check(tenant))
        return found

    def run_scheduled(self) -> list[Violations]:
        """Check every tenant, repair what may be repaired automatically, and record what remains; return what was repaired."""
        repaired: list[Violations] = []
        for tenant in self.tenants():
            repaired += self._pass(tenant, [check for check in self._checks if check.scheduled], repairing=True)
            remaining = self.check(tenant)
            self._record(tenant, remaining)
            for each in remaining:
                _logger.warning(
                    "Tenant %s: %s, %d times, for example %s", tenant, each.invariant, each.count, each.examples
                )
        return repaired

    def _pass(self, tenant: str, checks: Iterable[InvariantCheck], *, repairing: bool) -> list[Violations]:
        counts: Counter[str] = Counter()
        examples: dict[str, list[str]] = {}
        for check in checks:
            for invariant, ids in check.find(tenant):
                counts[invariant] += len(ids)
                some = examples.setdefault(invariant, [])
                some += ids[: EXAMPLES - len(some)]
                if repairing:
                    check.repair(tenant, invariant, ids)
        return [Violations(tenant, name, counts[name], tuple(examples[name])) for name in MEANINGS if counts[name]]

    def _record(self, tenant: str, found: Sequence[Violations]) -> None:
        counts = {each.invariant: each.count for each in found}
        record_violations(
            self._graph, tenant=tenant, names=list(MEANINGS), counts=[counts.get(name, 0) for name in MEANINGS]
        )
