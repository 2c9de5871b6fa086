"""All collections of a data folder: ``<data>/collections/<name>/``; a folder whose name begins with a dot is being created or removed."""

import logging
import re
import shutil
import threading
import uuid
from pathlib import Path

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.errors import EdgeError, no_collection
from interlace_edge.storage.collection import EdgeCollection, create_shard
from interlace_edge.storage.free_space import check_space
from interlace_edge.storage.metadata import CollectionMetadata, read_metadata, sync_folder, write_metadata

_logger = logging.getLogger(__name__)
# Qdrant's own rule, and no leading dot.
NAME = re.compile(r'[^<>:"/\\|?*\x00-\x1f.][^<>:"/\\|?*\x00-\x1f]*')
NAME_BYTES = 255


class Catalog:
    """The collections of a data folder, opened once.

    Args:
        data: the data folder, locked by the caller.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / "collections"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._changing = threading.Lock()
        self._collections: dict[str, EdgeCollection] = {}
        for folder in sorted(self._folder.iterdir()):
            self._open(folder)

    def _open(self, folder: Path) -> None:
        # The server was killed while it created or removed this collection.
        if folder.name.startswith("."):
            shutil.rmtree(folder, ignore_errors=True)
            return
        metadata = read_metadata(folder)
        current = metadata.shard(folder)
        # Copies from an unfinished optimisation.
        for other in folder.iterdir():
            if other.is_dir() and other != current:
                shutil.rmtree(other, ignore_errors=True)
        self._collections[metadata.name] = EdgeCollection(folder, metadata)
        _logger.info("opened %s with %s points", metadata.name, self._collections[metadata.name].count())

    def open_collections(self) -> list[EdgeCollection]:
        """Return all current collections."""
        return list(self._collections.values())

    def get(self, name: str) -> EdgeCollection:
        """Return a collection.

        Raises:
            EdgeError: 404, it does not exist.
        """
        collection = self._collections.get(name)
        if collection is None:
            raise no_collection(name)
        return collection

    def exists(self, name: str) -> bool:
        """Return whether there is such a collection."""
        return name in self._collections

    def create(self, name: str, config: CreateCollection) -> None:
        """Create a collection; its folder gets its name once it is complete on disk.

        Raises:
            EdgeError: 409, it exists; 422, the name is not allowed; 400, the configuration is not; 507, the disk is nearly full.
        """
        if not NAME.fullmatch(name) or len(name.encode()) > NAME_BYTES:
            raise EdgeError(422, f"Validation error: collection name `{name[:80]}` is not allowed")
        with self._changing:
            if name in self._collections:
                raise EdgeError(409, f"Wrong input: Collection `{name}` already exists!")
            check_space(self._folder)
            metadata = CollectionMetadata(name, config)
            making = self._folder / f".new-{uuid.uuid4()}"
            making.mkdir()
            try:
                create_shard(metadata.shard(making), config)
                write_metadata(making, metadata)
            except BaseException:
                shutil.rmtree(making, ignore_errors=True)
                raise
            folder = making.rename(self._folder / name)
            sync_folder(self._folder)
            self._collections[name] = EdgeCollection(folder, metadata)

    def delete(self, name: str) -> bool:
        """Remove a collection, and return whether there was one."""
        with self._changing:
            collection = self._collections.pop(name, None)
            if collection is None:
                return False
            removing = collection.folder.rename(self._folder / f".gone-{uuid.uuid4()}")
            sync_folder(self._folder)
            collection.close()
        shutil.rmtree(removing, ignore_errors=True)
        return True

    def close(self) -> None:
        """Flush and close everything."""
        for collection in self.open_collections():
            collection.close()
