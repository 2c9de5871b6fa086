"""A sequence lock: readers see a large change before or after its commit, never partially.

A Neo4j transaction becomes visible piecemeal while it commits, and a question takes several queries. The writer of a large change holds the lease
``committing`` during its commit; the lease's token is the sequence number. A reader compares the number before and after, and
reads again if it moved (``search.optimistic_reads``).
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from interlace.leases.lease import acquired
from interlace.ports.graph import GraphDatabase
from interlace.queries import leases as queries

_LEASE: Final = "committing"
_SECONDS: Final = 30
"""How long a commit may take, and the longest that readers wait if its writer dies."""
_PAUSE: Final = 0.05


@contextmanager
def committing(graph: GraphDatabase, tenant: str) -> Iterator[None]:
    """Hold the lock; the context is open while a change commits.

    Raises:
        ConflictError: another process died during its commit, less than half a minute ago.
    """
    with acquired(graph, tenant, _LEASE, seconds=_SECONDS, busy=f"A decision of tenant {tenant!r} is being committed"):
        yield


def sequence_number(graph: GraphDatabase, tenant: str) -> int:
    """Wait until no large change is being committed, and return the number of those that were.

    Raises:
        UnavailableError: the graph does not answer.
    """
    while (row := queries.lease_state(graph, tenant=tenant, name=_LEASE)) and row.held:
        time.sleep(_PAUSE)
    return row.token if row else 0
