"""Tenants: which there are, and how much each holds."""

import difflib
from dataclasses import asdict, dataclass

from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.queries import tenants as queries


@dataclass(frozen=True, slots=True)
class TenantCounts:
    """How much one tenant holds."""

    documents: int
    chunks: int
    entities: int
    facts: int
    communities: int


class Tenants:
    """Reads the tenants of the graph; a tenant begins with its first document."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def list(self) -> list[str]:
        """Return the names of all tenants in alphabetical order."""
        return [row.tenant for row in queries.list_tenants(self._graph)]

    def counts(self, tenant: str) -> TenantCounts:
        """Return how much a tenant holds; zeros for one that nothing was ingested for."""
        return TenantCounts(**asdict(queries.tenant_counts(self._graph, tenant=tenant)))

    def require(self, tenant: str) -> None:
        """Check that something was once ingested, or is on its way, for a tenant.

        Raises:
            NotFoundError: nothing was, but for others; the sentence suggests the nearest name.
        """
        if queries.tenant_known(self._graph, tenant=tenant).known:
            return
        names = self.list()
        # In a new installation there is nothing to confuse: every list is empty, and rightly so.
        if not names:
            return
        near = difflib.get_close_matches(tenant, names, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(names[:10])}."
        raise NotFoundError(
            f"There is no tenant {tenant}. {hint} `interlace ingest FOLDER --tenant {tenant}` begins one."
        )
