"""Documents that were put aside: tried again from the beginning, or dropped."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue

_LIST = query("ingestion_records/quarantine_list")
_RETRY = query("ingestion_records/quarantine_retry")
_DISCARD = query("ingestion_records/quarantine_discard")
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Released:
    """Documents that left the quarantine, and the jobs that count them."""

    ids: tuple[str, ...]
    job_ids: tuple[str, ...]


class Quarantine:
    """Releases quarantined documents.

    Args:
        graph: where the ledger lives.
        queue: whom to tell about documents that are to be tried again.
    """

    def __init__(self, graph: GraphDatabase, queue: TaskQueue) -> None:
        self._graph = graph
        self._queue = queue

    def retry(self, tenant: str, *, ids: Sequence[str] = (), source: str = "") -> Released:
        """Try documents again, with all their attempts: those named, or all whose source begins so.

        Each goes to workers alone, because it may take its neighbours with it again.

        Raises:
            NotFoundError: none of them is quarantined.
            UnavailableError: graph or queue do not answer; what the ledger has released will be processed when they are back.
        """
        released: list[str] = []
        jobs: set[str] = set()
        for group in self._groups(tenant, ids, source):
            rows = self._graph.run(_RETRY, tenant=tenant, ids=group, release=uuid.uuid4().hex)
            released += [row["id"] for row in rows]
            jobs.update(row["jobId"] for row in rows)
            self._queue.ingest(tenant, [[row["id"]] for row in rows])
        return Released(tuple(released), tuple(sorted(jobs)))

    def discard(self, tenant: str, *, ids: Sequence[str] = (), source: str = "") -> Released:
        """Drop uploads for good: those named, or all whose source begins so. Older versions of the documents stay.

        Raises:
            NotFoundError: none of them is quarantined.
        """
        dropped: list[str] = []
        for group in self._groups(tenant, ids, source):
            dropped += [row["id"] for row in self._graph.run(_DISCARD, tenant=tenant, ids=group)]
        return Released(tuple(dropped), ())

    def _groups(self, tenant: str, ids: Sequence[str], source: str) -> list[list[str]]:
        found = [row["id"] for row in self._graph.run(_LIST, tenant=tenant, ids=list(ids), prefix=source)]
        if not found:
            raise NotFoundError(
                "No such document is quarantined; `interlace documents quarantined` shows those that are."
            )
        return [found[at : at + _AT_ONCE] for at in range(0, len(found), _AT_ONCE)]
