"""What a caller may see of a tenant: everything, or the documents that are open to everybody or to one of the caller's groups."""

from collections.abc import Callable

from interlace.access.callers import Caller
from interlace.access.restricted_tenants import RestrictedTenants
from interlace.domain.errors import ForbiddenError
from interlace.domain.reader import Groups

View = Callable[[], Groups | None]


def view_of(caller: Caller, tenant: str, restricted_tenants: RestrictedTenants) -> View:
    """Return the view that limits the caller's reads; it checks at each read whether the tenant restricts documents."""
    if caller.sees_all:
        return lambda: None
    return lambda: caller.groups if restricted_tenants(tenant) else None


def view_of_all_tenants(caller: Caller, restricted_tenants: RestrictedTenants) -> View:
    """Return the view that limits the caller's reads where no tenant is chosen: what is open to everybody, as soon as one restricts documents."""
    if caller.sees_all:
        return lambda: None
    return lambda: () if restricted_tenants(None) else None


def require_all_documents(caller: Caller, tenant: str, restricted_tenants: RestrictedTenants) -> None:
    """Refuse a caller restricted to groups anything that is derived from documents of all groups, or changes them.

    Raises:
        ForbiddenError: the tenant restricts documents, and the caller does not see all of them.
    """
    if view_of(caller, tenant, restricted_tenants)() is not None:
        raise ForbiddenError(
            f"The tenant {tenant} restricts documents to groups of readers, and the key {caller.key_id} sees only some of them: it "
            "may query, and read documents, links, atoms, entities and tools, and nothing else. Use a key of the group '*', or one with the scope 'admin'."
        )
