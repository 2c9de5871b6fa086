"""The maintenance thread: it flushes collections in quiet moments, optimises large unindexed ones, and ends a server that cannot write.

The engine gives up a shard after a failed write, and reads its log only when it is opened again. So the process exits, and its
supervisor restarts it.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from interlace_edge.engine.schema import OPTIMIZER
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.collection import EdgeCollection
from interlace_edge.storage.free_space import folder_bytes, has_space

_logger = logging.getLogger(__name__)
POLL_SECONDS = 0.5
QUIET_SECONDS = 5.0
FLUSH_POINTS = 20_000
# If the index is rebuilt whenever a fifth has changed, a growing collection costs a small multiple of one build of its final size.
CHANGED_FRACTION = 0.2
FLOAT_BYTES = 4
KILOBYTE = 1024


class Maintenance:
    """Maintains the collections of a catalog until stopped.

    Args:
        catalog: the collections.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        # Collection to its last write when it was found to need nothing.
        self._settled: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="maintenance", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and any running optimisation, whose copy is dropped."""
        self._stopping.set()
        if self._child is not None:
            self._child.kill()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(POLL_SECONDS):
            for collection in self._catalog.open_collections():
                try:
                    self._maintain(collection)
                except Exception:
                    _logger.exception(
                        "maintenance of %s failed; it is tried again after more writes", collection.metadata.name
                    )

    def _maintain(self, collection: EdgeCollection) -> None:
        if collection.stuck:
            _logger.error("%s refuses all writes: this server exits, to be restarted", collection.metadata.name)
            os.kill(os.getpid(), signal.SIGTERM)
            self._stopping.wait()
            return
        name, written = collection.metadata.name, collection.last_write
        quiet = time.monotonic() - written > QUIET_SECONDS
        due = collection.unflushed >= FLUSH_POINTS or (collection.unflushed and quiet)
        # On a full disk a flush fails half way; the log has everything until there is space.
        if due and has_space(collection.folder, 0):
            collection.flush()
        # The check counts all points, so it is not repeated until something is written.
        if self._settled.get(name) == written:
            return
        if not needs_optimisation(collection):
            if quiet:
                self._settled[name] = written
        # For the copy, and for what optimising it writes.
        elif has_space(collection.folder, 2 * folder_bytes(collection.folder)):
            self._optimise(collection)

    def _optimise(self, collection: EdgeCollection) -> None:
        started = time.monotonic()
        try:
            copy = collection.begin_rebuild()
            if self._build(copy) and not self._stopping.is_set():
                collection.finish_rebuild()
                _logger.info("optimised %s in %.1f s", collection.metadata.name, time.monotonic() - started)
        finally:
            if collection.optimizing:
                collection.abandon_rebuild()

    def _build(self, copy: Path) -> bool:
        command = [sys.executable, "-m", "interlace_edge.storage.optimise", str(copy)]
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        # `stop` may have run between the check in `_optimise` and the start of the child.
        if self._stopping.is_set():
            self._child.kill()
        status = self._child.wait()
        if status and not self._stopping.is_set():
            _logger.error("the optimiser ended with status %s", status)
        return status == 0


def needs_optimisation(collection: EdgeCollection) -> bool:
    """Return whether enough has changed since the last optimisation for an index, or for a vacuum."""
    least = collection.count() * CHANGED_FRACTION
    dimensions = max((params.size for params in collection.config.vectors.values()), default=0)
    changed_kilobytes = collection.changed * dimensions * FLOAT_BYTES / KILOBYTE
    indexing = OPTIMIZER["indexing_threshold"] <= changed_kilobytes and collection.changed >= least
    return indexing or collection.dead >= max(OPTIMIZER["vacuum_min_vector_number"], least)
