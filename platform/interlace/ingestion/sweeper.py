"""Finishes what was left: by dead workers, by a queue that lost its memory, by an outage."""

import time
from collections import defaultdict

from interlace.cypher_files import query
from interlace.ingestion.intake import tasks_of
from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase, Row
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
        A second task for the same entry is harmless, because claiming is a compare-and-set. Projections come last, so that a vector
        index that is away holds nothing up.
        """
        swept = 0 if self._queue.depth() else self._enqueue()
        self._outbox.dispatch()
        return swept

    def _enqueue(self) -> int:
        left: dict[tuple[str, bool], list[Row]] = defaultdict(list)
        for row in self._graph.read(_LEFT, now=int(time.time() * 1000), limit=_SWEPT_AT_ONCE):
            left[row["tenant"], row["attempt"] > 0].append(row)
        for (tenant, tried), rows in left.items():
            self._queue.ingest(tenant, list(tasks_of(rows, 1 if tried else self._batch)))
        return sum(len(rows) for rows in left.values())
