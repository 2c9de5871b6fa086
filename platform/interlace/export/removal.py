"""Removes a tenant: all its data is deleted from graph and vector index, and work that was in progress brings none of it back.

First the tenant is marked: from then on no transaction that takes its write lock writes, uploads are refused, and claims disappear with their
records. Then its nodes are removed page by page, so that a transaction's memory is bounded and a process that dies leaves less work to the next.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from interlace.access.audit import Record, entry_of
from interlace.documents.tenants import TenantCounts, Tenants, unknown_tenant
from interlace.domain.errors import InvalidInputError
from interlace.export.schema import INGESTION_RECORD, KINDS, PENDING_EXTRACTION, REMOVAL
from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.vectors import VectorIndex
from interlace.queries import export as queries
from interlace.queries.access import write_audit
from interlace.queries.tenants import begin_removal, end_removal, lock_writers

COLLECTIONS: Final = ("chunks", "entities", "communities")
_LEASE: Final = "removal"
_LEASE_SECONDS: Final = 60
_FENCES: Final = (INGESTION_RECORD, PENDING_EXTRACTION)
"""Records through which workers hold what they are working on: without them, workers write nothing."""


@dataclass(frozen=True, slots=True)
class TenantState:
    """A tenant.

    Args:
        tenant: its name.
        state: ``ready``, or ``removing`` until nothing of it is left.
        counts: how much it holds.
    """

    tenant: str
    state: Literal["ready", "removing"]
    counts: TenantCounts


@dataclass(frozen=True, slots=True)
class TenantRemoval:
    """Removes tenants.

    Args:
        graph: the graph.
        vectors: the vector index.
        is_open: whether a tenant is open to the caller, so that a message may name it.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    is_open: Callable[[str], bool] = lambda _: True

    @property
    def _tenants(self) -> Tenants:
        return Tenants(self.graph)

    def state(self, tenant: str) -> TenantState:
        """Return whether a tenant is being removed, and how much it holds.

        Raises:
            NotFoundError: there is no such tenant.
        """
        if not self._tenants.exists(tenant):
            raise unknown_tenant(tenant, [name for name in self._tenants.list() if self.is_open(name)])
        state: Literal["ready", "removing"] = "removing" if self._tenants.is_being_removed(tenant) else "ready"
        return TenantState(tenant, state, self._tenants.counts(tenant))

    def begin(self, tenant: str, confirm: str, *, key: str = "", by: str = "") -> TenantState:
        """Mark a tenant as being removed; ``run`` does the rest, and a sweep resumes it if it is interrupted.

        Args:
            tenant: the tenant.
            confirm: its name again.
            key: id of the caller's API key; empty on this machine.
            by: who removes it, on this machine.

        Raises:
            InvalidInputError: the name is not confirmed.
            NotFoundError: there is no such tenant.
        """
        if confirm != tenant:
            raise InvalidInputError(
                f"confirm: this removes all the tenant's data; repeat its name, {tenant}, to confirm."
            )
        state = self.state(tenant)
        what = f"the tenant {tenant}, which had {state.counts.documents} documents" + (f" (by {by})" if by else "")
        entry = entry_of(Record("removed", what, key, (tenant,)))

        def work(tx: Transaction) -> None:
            begin_removal(tx, tenant=tenant)
            write_audit(tx, entries=[entry])

        self.graph.transact(work)
        return TenantState(tenant, "removing", state.counts)

    def run(self, tenant: str, should_continue: Callable[[], bool] = lambda: True) -> bool:
        """Remove the data of a tenant that is marked for removal; return whether it is gone. A tenant that is not marked stays as it is.

        Before each page ``should_continue`` is asked; if it says no, what is left is for the sweeper.

        Raises:
            ConflictError: another process is already doing so.
            UnavailableError: a server does not answer.
        """
        if not self._tenants.is_being_removed(tenant):
            return not self._tenants.exists(tenant)
        busy = f"Tenant {tenant} is being removed by another process"
        with acquired(self.graph, tenant, _LEASE, seconds=_LEASE_SECONDS, busy=busy) as lease:

            def renewed() -> bool:
                lease.renew()
                return should_continue()

            while renewed():
                if remove_all(self.graph, self.vectors, tenant, renewed) and self.graph.transact(
                    lambda tx: _end(tx, tenant)
                ):
                    return True
        return False


def remove_all(
    graph: GraphDatabase, vectors: VectorIndex, tenant: str, should_continue: Callable[[], bool] = lambda: True
) -> bool:
    """Remove the nodes and points of a tenant, except its own node; return whether ``should_continue`` allowed all of it."""
    for collection in COLLECTIONS:
        vectors.drop(tenant, collection)
    for kind in (*_FENCES, *REMOVAL):
        for page in kind.pages(graph, tenant):
            if not should_continue():
                return False
            queries.remove_nodes(graph, tenant=tenant, label=kind.label, keys=[node.key for node in page])
    # Again: points that were about to be written during the first pass may have been written since.
    for collection in COLLECTIONS:
        vectors.drop(tenant, collection)
    return True


def _end(tx: Transaction, tenant: str) -> bool:
    """Remove what is left with the tenant itself; return whether nothing came in meanwhile."""
    lock_writers(tx, tenant=tenant)
    if any(next(kind.pages(tx, tenant, limit=1), ()) for kind in KINDS):
        return False
    queries.remove_rest(tx, tenant=tenant)
    end_removal(tx, tenant=tenant)
    return True
