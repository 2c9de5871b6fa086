"""Quarantine: documents that failed for good are retried from the first stage, or discarded."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from more_itertools import batched

from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue
from interlace.queries.ingestion_records import quarantine_discard, quarantine_list, quarantine_retry

_BATCH = 1000
_NONE = "No such document is quarantined; `interlace documents quarantined` shows those that are."


@dataclass(frozen=True, slots=True)
class Released:
    """Documents that left the quarantine, and the jobs that count them."""

    ids: tuple[str, ...]
    job_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Releases quarantined documents."""

    graph: GraphDatabase
    queue: TaskQueue

    def retry(self, tenant: str, *, ids: Sequence[str] = ()) -> Released:
        """Retry documents, all if none are named, with their full number of attempts.

        Each document gets a task of its own, because it may kill its worker again.

        Raises:
            NotFoundError: none of them is quarantined.
            UnavailableError: graph or queue do not answer; the sweeper enqueues what the ledger has released.
        """
        released: list[str] = []
        jobs: set[str] = set()
        for batch in self._batches(tenant, ids):
            rows = quarantine_retry(self.graph, tenant=tenant, ids=batch, release=uuid.uuid4().hex)
            released += [row.id for row in rows]
            jobs.update(row.job_id for row in rows)
            self.queue.ingest(tenant, [[row.id] for row in rows])
        if not released:  # another request released them in between
            raise NotFoundError(_NONE)
        return Released(tuple(released), tuple(sorted(jobs)))

    def discard(self, tenant: str, *, ids: Sequence[str] = ()) -> Released:
        """Drop uploads for good, named as in ``retry``; older versions of the documents stay.

        Raises:
            NotFoundError: none of them is quarantined.
        """
        discarded: list[str] = []
        for batch in self._batches(tenant, ids):
            discarded += quarantine_discard(self.graph, tenant=tenant, ids=batch)
        return Released(tuple(discarded), ())

    def _batches(self, tenant: str, ids: Sequence[str]) -> Iterator[list[str]]:
        found = quarantine_list(self.graph, tenant=tenant, ids=list(ids))
        if not found:
            raise NotFoundError(_NONE)
        return map(list, batched(found, _BATCH))
