"""One collection: a shard of the engine, the order of its writes, and the exchange of the shard for an optimised one.

Every write goes through the engine's write-ahead log before it is acknowledged, so it survives the death of this process
(not of the machine: like a Qdrant server, the log is not synced to disk on each write). ``flush`` then moves what the log
holds to the segments; it takes about 100 ms and is left to quiet moments.
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

from interlace_edge.engine import points, schema
from interlace_edge.engine.calls import call_engine
from interlace_edge.errors import EdgeError, no_collection, wrong_input
from interlace_edge.storage.locks import SharedLock
from interlace_edge.storage.metadata import Metadata, read_metadata, write_metadata
from interlace_edge.storage.space import check_space
from interlace_edge.wire.collections import CreateCollection, CreateVector

log = logging.getLogger(__name__)
Result = TypeVar("Result")
FEW = 10
# What the engine says to every write after one that failed half way, until the shard is opened anew.
STUCK = "Not recovered from previous error"


class Collection:
    """An open collection; its methods may be called from any thread.

    Args:
        folder: the collection's folder.
        metadata: what the folder's metadata file says.
    """

    def __init__(self, folder: Path, metadata: Metadata) -> None:
        self.folder = folder
        self.metadata = metadata
        self._shard = engine.EdgeShard.load(str(metadata.shard(folder)))
        self._open = SharedLock()
        self._writing = threading.Lock()
        self._closed = False
        self.stuck = False
        self._operations = 0
        self._since: list[Any] | None = None
        self._base = metadata.optimised_points
        self.changed = abs(self.count() - self._base)
        self.unflushed = 1
        self.last_write = time.monotonic()
        for name, body in metadata.config.named_vectors().items():
            _replay(self._shard, points.create_vector(name, body))

    @property
    def config(self) -> CreateCollection:
        """The configuration as of now, with vectors that were added later."""
        return self.metadata.config

    @property
    def optimizing(self) -> bool:
        """Whether an optimised shard is being built."""
        return self._since is not None

    def read(self, call: Callable[[Any], Result]) -> Result:
        """Return what ``call`` finds in the shard.

        Raises:
            EdgeError: 400, the engine refuses the request; 404, the collection was deleted meanwhile.
        """
        with self._open.shared():
            self._check_open()
            return call_engine(call, self._shard)

    def count(self) -> int:
        """Return the exact number of points."""
        return self.read(lambda shard: int(shard.count(engine.CountRequest(exact=True))))

    def write(self, operation: Any, *, points_touched: int = 1) -> int:
        """Apply an update; durable on return. Returns the operation's number since the server started.

        Raises:
            EdgeError: 400 or 404, the engine refuses the update; 507, the disk is nearly full.
        """
        check_space(self.folder)
        with self._writing:
            return self._apply(operation, points_touched)

    def _apply(self, operation: Any, points_touched: int) -> int:
        with self._open.shared():
            self._check_open()
            self.unflushed += points_touched
            self.changed += points_touched
            self.last_write = time.monotonic()
            if self._since is not None:
                self._since.append(operation)
            try:
                call_engine(lambda shard: shard.update(operation), self._shard)
            except EdgeError as error:
                self.stuck = STUCK in error.message
                raise
        self._operations += 1
        return self._operations

    def add_vector(self, name: str, body: CreateVector) -> int:
        """Add a named vector; the metadata is written first, and opening the collection makes up for a missing second step.

        Raises:
            EdgeError: 400, there is a vector of that name or the collection has an unnamed one.
        """
        with self._writing:
            config = self.config
            if name in config.dense() or name in (config.sparse_vectors or {}):
                raise wrong_input(f"vector `{name}` exists already")
            if "" in config.dense():
                raise wrong_input("a collection with an unnamed vector takes no named ones")
            self._save(config.with_vector(name, body))
            return self._apply(points.create_vector(name, body), 1)

    def remove_vector(self, name: str) -> int:
        """Remove a named vector.

        Raises:
            EdgeError: 400, there is no vector of that name.
        """
        with self._writing:
            if name not in self.config.dense() and name not in (self.config.sparse_vectors or {}):
                raise wrong_input(f"Not existing vector name error: {name}")
            number = self._apply(points.delete_vector(name), 1)
            self._save(self.config.without_vector(name))
            return number

    def _save(self, config: CreateCollection) -> None:
        self.metadata = replace(self.metadata, config=config)
        write_metadata(self.folder, self.metadata)

    def flush(self) -> None:
        """Move what the write-ahead log holds to the segments, so that opening stays fast."""
        with self._writing, self._open.shared():
            if not self._closed:
                self.unflushed = 0
                self._shard.flush()

    @property
    def dead(self) -> int:
        """About how many points were deleted or moved since the last optimisation: changes that did not add a point."""
        return self.changed - (self.count() - self._base)

    def begin_rebuild(self) -> Path:
        """Copy the shard to the next generation's folder and note every update from now on.

        Reads go on, writes wait for the copy. Returns the copy's folder.
        """
        with self._writing, self._open.shared():
            self._check_open()
            self._shard.flush()
            shutil.copytree(self.metadata.shard(self.folder), self._next().shard(self.folder))
            self._base = _count(self._shard)
            self._since, self.changed, self.unflushed = [], 0, 0
        return self._next().shard(self.folder)

    def _next(self) -> Metadata:
        return replace(self.metadata, generation=self.metadata.generation + 1)

    def abandon_rebuild(self) -> None:
        """Forget the noted updates and remove the copy, unless the file on disk already names it as current."""
        with self._writing:
            self._since = None
            if read_metadata(self.folder).generation == self.metadata.generation:
                shutil.rmtree(self._next().shard(self.folder), ignore_errors=True)

    def finish_rebuild(self) -> None:
        """Bring the optimised copy up to date, make it the current generation and remove the old one."""
        fresh = engine.EdgeShard.load(str(self._next().shard(self.folder)))
        self._catch_up(fresh)
        with self._writing, self._open.exclusive():
            self._check_open()
            self._catch_up_rest(fresh)
            metadata = replace(self._next(), optimised_points=self._base)
            write_metadata(self.folder, metadata)
            old_folder, old_shard = self.metadata.shard(self.folder), self._shard
            self._shard, self.metadata, self._since = fresh, metadata, None
            old_shard.close()
        shutil.rmtree(old_folder, ignore_errors=True)

    def _catch_up(self, fresh: Any) -> None:
        """Replay most noted updates while writers go on, until few are left."""
        done = 0
        while self._since is not None and len(self._since) - done > FEW:
            upto = len(self._since)
            for operation in self._since[done:upto]:
                _replay(fresh, operation)
            done = upto
        if self._since is not None:
            with self._writing:
                del self._since[:done]

    def _catch_up_rest(self, fresh: Any) -> None:
        for operation in self._since or []:
            _replay(fresh, operation)

    def close(self) -> None:
        """Flush and close the shard; later calls find no collection."""
        with self._writing, self._open.exclusive():
            if not self._closed:
                self._closed, self._since = True, None
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


def _replay(shard: Any, operation: Any) -> None:
    """An update that was refused (its points are missing, say) is refused in the copy as well."""
    try:
        shard.update(operation)
    except Exception as error:  # noqa: BLE001 - the engine raises bare exceptions
        log.info("replaying an update: %s", error)


def _count(shard: Any) -> int:
    return int(shard.count(engine.CountRequest(exact=True)))
