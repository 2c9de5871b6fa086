"""A repair's turn among the writers of a tenant: the same lock, the same version numbers, the same log of changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interlace.entities.linker import EntityLinker
from interlace.ingestion.writer import KEPT_GAZETTEER_CHANGES
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.entities import log_gazetteer_change
from interlace.queries.tenants import lock_tenant


@dataclass(slots=True)
class Turn:
    """One repair under the tenant's lock.

    Args:
        tenant: whose.
        version: of the registry, as this transaction makes it.
        renamed: ids of entities whose names the repair changed.
        chunks: by how many the counted chunks grow.
    """

    tenant: str
    version: int
    renamed: Sequence[str] = ()
    chunks: int = 0

    def registry(self, transaction: Transaction) -> EntityLinker:
        """Return all names before this turn, read for it alone: a registry that others use must not see what may be rolled back."""
        registry = EntityLinker(self.tenant)
        registry.catch_up(transaction, self.version - 1)
        return registry


def in_turn(graph: GraphDatabase, tenant: str, work: Callable[[Transaction, Turn], None]) -> None:
    """Run a repair in one transaction while the tenant's writers wait; a tenant without a registry has nothing to mend.

    Raises:
        UnavailableError: the database does not answer; nothing was changed, or all.
    """

    def run(tx: Transaction) -> None:
        row = lock_tenant(tx, tenant=tenant)
        if row is None:
            return
        turn = Turn(tenant, row.version)
        work(tx, turn)
        log_gazetteer_change(
            tx,
            tenant=tenant,
            version=turn.version,
            entity_ids=turn.renamed,
            keep=KEPT_GAZETTEER_CHANGES,
            chunks=turn.chunks,
        )

    graph.transact(run)
