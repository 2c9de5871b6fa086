"""Large changes that readers see before or after, and never in part: the writer's half of a sequence lock, held as a lease.

Neo4j shows what a transaction wrote bit by bit while it commits, and a question is several queries. Whoever shows a large change takes the lease
``showing`` just before the commit and gives it back after it; the lease's token counts such changes.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase
from interlace.queries import leases as queries

_LEASE: Final = "showing"
_SECONDS: Final = 30
"""How long a commit may take; after the death of its writer readers wait for as long at most."""
_PAUSE: Final = 0.05


@contextmanager
def showing(graph: GraphDatabase, tenant: str) -> Iterator[None]:
    """Tell readers that a change is being committed, while the context is open.

    Raises:
        ConflictError: another process died while it showed one, less than half a minute ago.
    """
    with acquired(graph, tenant, _LEASE, seconds=_SECONDS, busy=f"A decision of tenant {tenant!r} is being shown"):
        yield


def changes_shown(graph: GraphDatabase, tenant: str) -> int:
    """Wait until nothing is being shown, and return the number of what was.

    Raises:
        UnavailableError: the graph does not answer.
    """
    while (row := queries.lease_state(graph, tenant=tenant, name=_LEASE)) and row.held:
        time.sleep(_PAUSE)
    return row.token if row else 0
