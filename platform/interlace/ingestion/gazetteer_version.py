"""Starts and logs versions of a tenant's gazetteer: a transaction that changes names holds the tenant's write lock from here to its commit."""

from collections.abc import Callable, Sequence
from typing import Final

from interlace.domain.errors import ConflictError
from interlace.ports.graph import Transaction
from interlace.queries.gazetteer import log_gazetteer_change
from interlace.queries.tenants import begin_tenant, lock_tenant

KEPT_CHANGES: Final = 1000
"""Changes that the log keeps: a copy of the gazetteer that is further behind is reloaded."""


def begin_version(transaction: Transaction, tenant: str, may_begin: Callable[[], bool] = lambda: True) -> int:
    """Acquire the tenant's write lock and return the version that this transaction creates.

    A new tenant is created if ``may_begin``, which is called only in that case, agrees.

    Raises:
        ConflictError: the tenant is being removed, or it does not exist and may not be created; nothing was written.
    """
    # MERGE would take a shared lock first, and two transactions that wait for each other's lock would deadlock.
    version = lock_tenant(transaction, tenant=tenant)
    if version is None and may_begin():
        begin_tenant(transaction, tenant=tenant)
        version = lock_tenant(transaction, tenant=tenant)
    if version is None:
        raise ConflictError(f"Tenant {tenant} does not exist, or is being removed; try again.")
    return version


def log_version(
    transaction: Transaction, tenant: str, version: int, *, changed: Sequence[str] = (), chunks: int = 0
) -> None:
    """Record a version in the log that copies of the gazetteer follow.

    Args:
        transaction: the transaction that creates the version.
        tenant: the tenant.
        version: the version.
        changed: ids of the entities whose normalised forms change, and ``decision_records.CHANGED`` if decisions do.
        chunks: by how many the tenant's chunks grow.
    """
    log_gazetteer_change(
        transaction, tenant=tenant, version=version, entity_ids=changed, keep=KEPT_CHANGES, chunks=chunks
    )
