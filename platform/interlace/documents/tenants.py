"""Tenants: which there are, and how much each holds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from interlace.domain.errors import ConflictError, NotFoundError
from interlace.domain.validation import hint, nearest
from interlace.ports.graph import GraphDatabase
from interlace.queries import tenants as queries


@dataclass(frozen=True, slots=True)
class TenantCounts:
    """How much one tenant holds; the number of communities is null for a reader restricted to groups, who sees none."""

    documents: int
    chunks: int
    entities: int
    facts: int
    communities: int | None


@dataclass(frozen=True, slots=True)
class Tenants:
    """Reads the tenants of the graph; a tenant begins with its first document."""

    graph: GraphDatabase

    def list(self) -> list[str]:
        """Return the names of all tenants in alphabetical order."""
        return queries.list_tenants(self.graph)

    def missing(self, names: Iterable[str]) -> Sequence[str]:
        """Return a sentence for each of these tenants that is not there; none in a new installation, where there is nothing to confuse."""
        known = self.list()
        return [f"There is no tenant {name} yet{hint(name, known)}" for name in names if known and name not in known]

    def counts(self, tenant: str) -> TenantCounts:
        """Return how much a tenant holds; zeros for one for which nothing was ingested."""
        return TenantCounts(**queries.tenant_counts(self.graph, tenant=tenant)._asdict())

    def exists(self, tenant: str) -> bool:
        """Return whether anything was ever ingested, or is pending, for a tenant."""
        return queries.tenant_known(self.graph, tenant=tenant)

    def is_being_removed(self, tenant: str) -> bool:
        """Return whether a tenant is being removed."""
        return queries.tenant_being_removed(self.graph, tenant=tenant) is True

    def is_active(self, tenant: str) -> bool:
        """Return whether there is such a tenant and it is not being removed, so that work for it is worthwhile."""
        return self.exists(tenant) and not self.is_being_removed(tenant)

    def check_not_removed(self, tenant: str) -> None:
        """Refuse documents of a tenant that is being removed.

        Raises:
            ConflictError: the tenant is being removed.
        """
        if self.is_being_removed(tenant):
            raise ConflictError(f"Tenant {tenant} is being removed; try again when it is gone.")

    def check_known(self, tenant: str, shown: Callable[[str], bool] = lambda _: True) -> bool:
        """Check that something was once ingested, or is pending, for a tenant; return whether it was.

        A tenant of which the caller may not learn, as ``shown`` says, might as well not be there.

        Raises:
            NotFoundError: nothing was, although other tenants have data; the message suggests the nearest name.
        """
        if self.exists(tenant):
            return True
        names = [name for name in self.list() if shown(name)]
        # In a new installation there is nothing to confuse: every list is empty, and rightly so.
        if not names:
            return False
        raise unknown_tenant(tenant, names)


def unknown_tenant(tenant: str, names: Sequence[str]) -> NotFoundError:
    """Return the error that a tenant is not there; it suggests the nearest of the names that the caller may know."""
    near = nearest(tenant, names)
    remedy = f"Did you mean {near}?" if near else f"There are: {', '.join(names[:10]) or 'none'}."
    return NotFoundError(
        f"There is no tenant {tenant}. {remedy} `interlace ingest FOLDER --tenant {tenant}` creates one."
    )
