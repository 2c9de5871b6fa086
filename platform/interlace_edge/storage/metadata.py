"""The file that holds a collection's configuration and names its current folder; replaced atomically."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from interlace_edge.bodies.collections import CreateCollection

FILE = "collection.json"


@dataclass(frozen=True, slots=True)
class CollectionMetadata:
    """A collection's name, its configuration, and the number of the current generation.

    Args:
        name: the collection's name.
        config: its configuration.
        generation: each optimised shard is one generation later than the shard it was copied from.
        optimised_points: how many points there were when the current generation was built.
    """

    name: str
    config: CreateCollection
    generation: int = 1
    optimised_points: int = 0

    def shard(self, folder: Path) -> Path:
        """Return the folder of the current generation's shard."""
        return folder / f"shard-{self.generation}"


def write_metadata(folder: Path, metadata: CollectionMetadata) -> None:
    """Replace the file atomically and durably (temporary file, fsync, rename, fsync of the folder)."""
    body: dict[str, Any] = {
        "name": metadata.name,
        "config": metadata.config.model_dump(),
        "generation": metadata.generation,
        "optimised_points": metadata.optimised_points,
    }
    temporary = folder / f".{FILE}"
    with temporary.open("wb") as file:
        file.write(orjson.dumps(body, option=orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
    # Without the folder's fsync a power failure could undo the rename.
    temporary.replace(folder / FILE)
    sync_folder(folder)


def read_metadata(folder: Path) -> CollectionMetadata:
    """Read the file.

    Raises:
        FileNotFoundError: the folder holds no collection.
    """
    body = orjson.loads((folder / FILE).read_bytes())
    return CollectionMetadata(**{**body, "config": CreateCollection.model_validate(body["config"])})


def sync_folder(folder: Path) -> None:
    """Make renames and new files in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
