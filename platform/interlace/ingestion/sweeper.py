"""Finishes what was left: by dead workers, by a queue that lost its memory, by an outage."""

import time
from collections import defaultdict

from interlace.cypher_files import query
from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue

_LEFT = query("ingest/left_intakes")
_SWEPT_AT_ONCE = 2000


class Sweeper:
    """Looks for work that nobody holds and asks workers to take it up; applies outbox entries that are due."""

    def __init__(self, graph: GraphDatabase, queue: TaskQueue, outbox: Outbox, *, batch_documents: int) -> None:
        self._graph = graph
        self._queue = queue
        self._outbox = outbox
        self._batch = batch_documents

    def sweep(self) -> int:
        """Return how many ledger entries were enqueued again.

        Entries are enqueued only while the queue is empty: as long as tasks wait, an unclaimed entry most likely waits for its own.
        A second task for the same entry is harmless, because claiming is a compare-and-set.
        """
        self._outbox.dispatch()
        if self._queue.depth():
            return 0
        left: dict[tuple[str, bool], list[str]] = defaultdict(list)
        for row in self._graph.read(_LEFT, now=int(time.time() * 1000), limit=_SWEPT_AT_ONCE):
            left[row["tenant"], row["attempt"] > 0].append(row["id"])
        for (tenant, tried), ids in left.items():
            size = 1 if tried else self._batch
            self._queue.ingest(tenant, [ids[at : at + size] for at in range(0, len(ids), size)])
        return sum(len(ids) for ids in left.values())
