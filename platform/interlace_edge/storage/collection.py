"""One collection: a shard of the engine, the order of its writes, and the swap of the shard for an optimised copy.

Every write goes through the engine's write-ahead log before it is acknowledged, so it survives the death of this process
(not of the machine: like a Qdrant server, the log is not synced to disk on each write). ``flush`` then moves what is in the log
to the segments; that takes about 100 ms and is left to quiet moments.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateCollection, CreateVector
from interlace_edge.engine import operations, schema
from interlace_edge.engine.calls import call_engine
from interlace_edge.errors import EdgeError, no_collection, wrong_input
from interlace_edge.storage.free_space import check_space
from interlace_edge.storage.locks import SharedLock
from interlace_edge.storage.metadata import CollectionMetadata, read_metadata, write_metadata

_logger = logging.getLogger(__name__)
ReadT = TypeVar("ReadT")
# With so few updates left to replay, writers wait until the rest is done.
FEW_UPDATES = 10
# The engine's answer to every write after one that failed half way, until the shard is reopened.
STUCK = "Not recovered from previous error"


class EdgeCollection:
    """An open collection; its methods may be called from any thread.

    Args:
        folder: the collection's folder.
        metadata: the content of the folder's metadata file.
    """

    def __init__(self, folder: Path, metadata: CollectionMetadata) -> None:
        self.folder = folder
        self.metadata = metadata
        self._shard = engine.EdgeShard.load(str(metadata.shard(folder)))
        self._shard_lock = SharedLock()
        self._write_lock = threading.Lock()
        self._closed = False
        self.stuck = False
        self._operations = 0
        # Updates since the copy that is being optimised was made; None while there is no such copy.
        self._replay: list[Any] | None = None
        self._optimised_points = metadata.optimised_points
        self.changed = abs(self.count() - self._optimised_points)
        self.unflushed = 1
        self.last_write = time.monotonic()
        # `add_vector` writes the metadata first: a crash right after that is repaired here.
        for name, params in metadata.config.vectors.items():
            _apply_again(self._shard, operations.create_vector(name, params))

    @property
    def config(self) -> CreateCollection:
        """The current configuration, including vectors that were added later."""
        return self.metadata.config

    @property
    def optimizing(self) -> bool:
        """Whether an optimised shard is being built."""
        return self._replay is not None

    @property
    def dead(self) -> int:
        """The approximate number of points deleted or moved since the last optimisation: changes that did not add a point."""
        return self.changed - (self.count() - self._optimised_points)

    def read(self, call: Callable[[Any], ReadT]) -> ReadT:
        """Return the result of ``call`` for the shard.

        Raises:
            EdgeError: 400, the engine refuses the request; 404, the collection was deleted meanwhile.
        """
        with self._shard_lock.shared():
            self._check_open()
            return call_engine(call, self._shard)

    def count(self) -> int:
        """Return the exact number of points."""
        return self.read(lambda shard: int(shard.count(engine.CountRequest(exact=True))))

    def write(self, operation: Any, *, points_touched: int = 1) -> int:
        """Apply an update, durable on return, and return its number since the server started.

        Raises:
            EdgeError: 400 or 404, the engine refuses the update; 507, the disk is nearly full.
        """
        check_space(self.folder)
        with self._write_lock:
            return self._apply(operation, points_touched)

    def _apply(self, operation: Any, points_touched: int) -> int:
        # Shared, because the engine accepts concurrent reads and writes; only the swap of the shard is exclusive.
        with self._shard_lock.shared():
            self._check_open()
            self.unflushed += points_touched
            self.changed += points_touched
            self.last_write = time.monotonic()
            # Even an update that is then refused: its replay is refused in the same way.
            if self._replay is not None:
                self._replay.append(operation)
            try:
                call_engine(lambda shard: shard.update(operation), self._shard)
            except EdgeError as error:
                self.stuck = STUCK in error.message
                raise
        self._operations += 1
        return self._operations

    def add_vector(self, name: str, body: CreateVector) -> int:
        """Add a dense vector, and return the update's number.

        Raises:
            EdgeError: 400, there is a vector of that name.
        """
        with self._write_lock:
            if self.config.has_vector(name):
                raise wrong_input(f"vector `{name}` exists already")
            self.metadata = replace(self.metadata, config=self.config.with_vector(name, body.dense))
            write_metadata(self.folder, self.metadata)
            return self._apply(operations.create_vector(name, body.dense), 1)

    def flush(self) -> None:
        """Move the write-ahead log to the segments, so that opening stays fast."""
        with self._write_lock, self._shard_lock.shared():
            if not self._closed:
                self.unflushed = 0
                self._shard.flush()

    def begin_rebuild(self) -> Path:
        """Copy the shard to the next generation's folder, record every update from now on, and return that folder.

        Reads continue; writes wait for the copy.
        """
        with self._write_lock, self._shard_lock.shared():
            self._check_open()
            # Flushed, so that the copy has short logs to read; the write lock keeps its files unchanged.
            self._shard.flush()
            shutil.copytree(self.metadata.shard(self.folder), self._next().shard(self.folder))
            self._optimised_points = _count(self._shard)
            self._replay, self.changed, self.unflushed = [], 0, 0
        return self._next().shard(self.folder)

    def _next(self) -> CollectionMetadata:
        return replace(self.metadata, generation=self.metadata.generation + 1)

    def abandon_rebuild(self) -> None:
        """Discard the recorded updates and the copy, unless the file on disk already names the copy as current."""
        with self._write_lock:
            self._replay = None
            if read_metadata(self.folder).generation == self.metadata.generation:
                shutil.rmtree(self._next().shard(self.folder), ignore_errors=True)

    def finish_rebuild(self) -> None:
        """Bring the optimised copy up to date, make it the current generation and remove the old one."""
        fresh = engine.EdgeShard.load(str(self._next().shard(self.folder)))
        self._catch_up(fresh)
        with self._write_lock, self._shard_lock.exclusive():
            self._check_open()
            for operation in self._replay or []:
                _apply_again(fresh, operation)
            metadata = replace(self._next(), optimised_points=self._optimised_points)
            # From here on a restart opens the new generation.
            write_metadata(self.folder, metadata)
            old_folder, old_shard = self.metadata.shard(self.folder), self._shard
            self._shard, self.metadata, self._replay = fresh, metadata, None
            old_shard.close()
        shutil.rmtree(old_folder, ignore_errors=True)

    def _catch_up(self, fresh: Any) -> None:
        """Replay most recorded updates while writers continue, until few are left."""
        done = 0
        while self._replay is not None and len(self._replay) - done > FEW_UPDATES:
            upto = len(self._replay)
            for operation in self._replay[done:upto]:
                _apply_again(fresh, operation)
            done = upto
        if self._replay is not None:
            with self._write_lock:
                del self._replay[:done]

    def close(self) -> None:
        """Flush and close the shard; later calls find no collection."""
        with self._write_lock, self._shard_lock.exclusive():
            if not self._closed:
                self._closed, self._replay = True, None
                self._shard.close()

    def _check_open(self) -> None:
        if self._closed:
            raise no_collection(self.metadata.name)


def create_shard(folder: Path, config: CreateCollection) -> None:
    """Make the folder of a new, empty shard.

    Raises:
        EdgeError: 400, the engine refuses the configuration.
    """
    call_engine(lambda config: engine.EdgeShard.create(str(folder), config).close(), schema.engine_config(config))


def _apply_again(shard: Any, operation: Any) -> None:
    """Replay an update that the old shard has: what was refused there (for missing points, say) is refused here as well."""
    try:
        shard.update(operation)
    except Exception as error:  # noqa: BLE001 - the engine raises bare exceptions
        _logger.info("replaying an update: %s", error)


def _count(shard: Any) -> int:
    return int(shard.count(engine.CountRequest(exact=True)))
