"""Retention: finished jobs and their idempotency keys are deleted after some days, a bounded batch at a time."""

import time
from typing import Final

from interlace.ports.graph import GraphDatabase
from interlace.queries import jobs as queries

BATCH: Final = 500
"""Jobs that one transaction deletes."""
_SECONDS_A_DAY = 86_400


def remove_old_jobs(graph: GraphDatabase, days: float) -> int:
    """Delete a batch of jobs that finished longer ago than this; return how many were deleted.

    A job stays while one of its documents is pending or in quarantine.

    Raises:
        UnavailableError: the graph database does not answer.
    """
    before = int((time.time() - days * _SECONDS_A_DAY) * 1000)
    return queries.remove_old_jobs(graph, before=before, limit=BATCH)
