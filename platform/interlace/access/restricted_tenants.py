"""Whether a tenant restricts documents: some of them are, or once were, open to some groups of readers only.

While it does not, no view is restricted and every question runs as if groups did not exist. The first document with groups changes
that: it is written only once every process is certain to have noticed.
"""

import time
from typing import Final

from interlace.access.recent import Recent
from interlace.ports.graph import GraphDatabase
from interlace.queries import tenants as queries

FRESH_SECONDS: Final = 0.5
"""How long a process relies on what it read."""
SETTLED_SECONDS: Final = 2.0
"""Time after which every process knows that a tenant restricts documents."""


def mark_restricted(graph: GraphDatabase, tenant: str) -> None:
    """Note that a tenant restricts documents, and return when every process knows: immediately, unless that is new.

    Where every process knows, nothing is written: that would wait for those who write the tenant's documents. This does not recreate a tenant that was removed in the meantime.

    Raises:
        UnavailableError: the database does not answer.
    """
    row = queries.tenant_restriction(graph, tenant=tenant)
    if row is not None and row.age is not None and row.age / 1000 >= SETTLED_SECONDS:
        return
    if not queries.tenant_known(graph, tenant=tenant):
        return
    age = queries.restrict_tenant(graph, tenant=tenant) / 1000
    if age < SETTLED_SECONDS:
        time.sleep(SETTLED_SECONDS - age)


class RestrictedTenants:
    """Knows which tenants restrict documents, at most half a second late; safe to share between threads."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        self._known: set[str] = set()
        self._open = Recent[bool](FRESH_SECONDS)

    def __call__(self, tenant: str | None) -> bool:
        """Return whether a tenant restricts documents, or, without one, whether any does; once it does, it stays so.

        While a backup is being restored, the tenant is assumed to do so.

        Raises:
            UnavailableError: the database must be asked and does not answer.
        """
        if tenant in self._known:
            return True
        if tenant is None:
            return queries.some_restricted_tenant(self._graph) is not None
        now = time.monotonic()  # before the answer, so that the time it takes is part of its age
        if self._open.get(tenant):
            return False
        row = queries.tenant_restriction(self._graph, tenant=tenant)
        if row is not None and row.age is not None:
            self._known.add(tenant)
        elif row is None or not row.restoring:
            self._open.put(tenant, value=True, started_at=now)
            return False
        return True
