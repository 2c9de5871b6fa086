"""A thread that flushes collections in quiet moments, has large unindexed ones optimised, and ends a server that writing is beyond.

A shard that the engine gave up is opened anew by the next process, which reads its log: whoever supervises the server starts it.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from interlace_edge.engine.schema import optimizer_values
from interlace_edge.storage.catalog import Catalog
from interlace_edge.storage.collection import Collection
from interlace_edge.storage.space import room_for, size_of

log = logging.getLogger(__name__)
LOOK_SECONDS = 0.5
QUIET_SECONDS = 5.0
FLUSH_POINTS = 20_000
# An index is rebuilt when a fifth has changed, so that building all of a growing collection costs a small multiple of its last size.
CHANGED_FRACTION = 0.2
FLOAT_BYTES = 4
KILOBYTE = 1024


class Maintenance:
    """Looks after the collections of a catalog until stopped.

    Args:
        catalog: the collections.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="maintenance", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, together with an optimisation under way: its copy is dropped."""
        self._stopping.set()
        if self._child is not None:
            self._child.kill()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            for collection in self._catalog.open_collections():
                try:
                    self._look_after(collection)
                except Exception:
                    log.exception(
                        "maintenance of %s failed; it is tried again after more writes", collection.metadata.name
                    )

    def _look_after(self, collection: Collection) -> None:
        if collection.stuck:
            log.error("%s takes no more writes: this server ends, to be started anew", collection.metadata.name)
            os.kill(os.getpid(), signal.SIGTERM)
            self._stopping.wait()
            return
        quiet = time.monotonic() - collection.last_write > QUIET_SECONDS
        if collection.unflushed >= FLUSH_POINTS or (collection.unflushed and quiet):
            collection.flush()
        if worth_optimising(collection) and room_for(collection.folder, 2 * size_of(collection.folder)):
            self._optimise(collection)

    def _optimise(self, collection: Collection) -> None:
        started = time.monotonic()
        try:
            copy = collection.begin_rebuild()
            if self._build(copy) and not self._stopping.is_set():
                collection.finish_rebuild()
                log.info("optimised %s in %.1f s", collection.metadata.name, time.monotonic() - started)
        finally:
            if collection.optimizing:
                collection.abandon_rebuild()

    def _build(self, copy: Path) -> bool:
        command = [sys.executable, "-m", "interlace_edge.storage.optimise", str(copy)]
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        if self._stopping.is_set():
            self._child.kill()
        status = self._child.wait()
        if status and not self._stopping.is_set():
            log.error("the optimiser ended with status %s", status)
        return status == 0


def worth_optimising(collection: Collection) -> bool:
    """Return whether enough has changed since the last optimisation for an index, or for a vacuum."""
    limits = optimizer_values(collection.config.optimizers_config)
    least = collection.count() * CHANGED_FRACTION
    sizes = [params.size for params in collection.config.dense().values()]
    changed_kilobytes = collection.changed * max(sizes, default=0) * FLOAT_BYTES / KILOBYTE
    indexing = 0 < limits["indexing_threshold"] <= changed_kilobytes and collection.changed >= least
    return indexing or collection.dead >= max(limits["vacuum_min_vector_number"], least)
