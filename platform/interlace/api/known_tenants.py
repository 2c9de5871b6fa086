"""Whether the tenant that a request names is there: a name that is misspelt would otherwise answer with empty lists."""

import time
from typing import Final

from interlace.access.callers import Caller
from interlace.access.recent import Recent
from interlace.documents.tenants import Tenants
from interlace.ports.graph import GraphDatabase

FRESH_SECONDS: Final = 5.0
"""How long a process relies on what it read."""


class KnownTenants:
    """Refuses requests for tenants that hold nothing; safe to share between threads."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._tenants = Tenants(graph)
        self._recent = Recent[bool](FRESH_SECONDS)

    def fresh(self, tenant: str) -> bool:
        """Return whether the tenant was there a moment ago, so that the database need not be asked."""
        return bool(self._recent.get(tenant))

    def check(self, caller: Caller, tenant: str) -> None:
        """Check that a tenant was begun; one that another process removed may count as there for ``FRESH_SECONDS``. The message names only tenants that are open to the caller.

        Raises:
            NotFoundError: it was not, although others were that are open to the caller.
        """
        started_at = time.monotonic()
        if self._tenants.check_known(
            tenant, lambda name: caller.can_access((name,))
        ) and not self._tenants.is_being_removed(tenant):
            self._recent.put(tenant, value=True, started_at=started_at)

    def forget(self, tenant: str) -> None:
        """Ask about a tenant again, because it is being removed."""
        self._recent.forget(tenant)
