"""Begins versions of a tenant's gazetteer: whoever changes names holds the tenant's write lock from here to the commit."""

from collections.abc import Callable

from interlace.domain.errors import ConflictError
from interlace.ports.graph import Transaction
from interlace.queries.tenants import begin_tenant, lock_tenant


def begin_version(transaction: Transaction, tenant: str, may_begin: Callable[[], bool] = lambda: True) -> int:
    """Wait for the tenant's write lock; return the version that this transaction makes. A tenant that is new begins.

    Args:
        transaction: what holds the lock.
        tenant: whose.
        may_begin: whether a tenant that is not there may begin; asked only then.

    Raises:
        ConflictError: the tenant is being removed, or it is not there and may not begin; nothing was written.
    """
    # MERGE would take a shared lock first, and two that wait for each other's are a deadlock.
    row = lock_tenant(transaction, tenant=tenant)
    if row is None and may_begin():
        begin_tenant(transaction, tenant=tenant)
        row = lock_tenant(transaction, tenant=tenant)
    if row is None:
        raise ConflictError(f"Tenant {tenant} is being removed; try again when it is gone.")
    return row.version
