"""Begins versions of a tenant's gazetteer: whoever changes names holds the tenant's write lock from here to the commit."""

from interlace.ports.graph import Transaction
from interlace.queries.tenants import begin_tenant, lock_tenant


def begin_version(transaction: Transaction, tenant: str) -> int:
    """Wait for the tenant's write lock; return the version that this transaction makes. A tenant that is new begins."""
    # MERGE would take a shared lock first, and two that wait for each other's are a deadlock.
    row = lock_tenant(transaction, tenant=tenant)
    if row is None:
        begin_tenant(transaction, tenant=tenant)
        row = lock_tenant(transaction, tenant=tenant)
    assert row is not None  # noqa: S101 - the line above has made it
    return row.version
