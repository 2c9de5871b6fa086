"""The one file that says what a collection is and which of its folders is current; replaced as a whole or not at all."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from interlace_edge.wire.collections import CreateCollection

FILE = "collection.json"


@dataclass(frozen=True, slots=True)
class Metadata:
    """A collection's name, configuration, and the number of the generation that is current.

    Args:
        optimised_points: how many points there were when the current generation was built.
    """

    name: str
    config: CreateCollection
    generation: int = 1
    optimised_points: int = 0

    def shard(self, folder: Path) -> Path:
        """Return the folder of the current generation's shard."""
        return folder / f"shard-{self.generation}"


def write_metadata(folder: Path, metadata: Metadata) -> None:
    """Replace the file atomically and durably (temporary file, fsync, rename, fsync of the folder)."""
    body: dict[str, Any] = {
        "name": metadata.name,
        "config": metadata.config.model_dump(exclude_none=True),
        "generation": metadata.generation,
        "optimised_points": metadata.optimised_points,
    }
    temporary = folder / f".{FILE}"
    with temporary.open("wb") as file:
        file.write(orjson.dumps(body, option=orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / FILE)
    sync_folder(folder)


def read_metadata(folder: Path) -> Metadata:
    """Read the file.

    Raises:
        FileNotFoundError: the folder holds no collection.
    """
    body = orjson.loads((folder / FILE).read_bytes())
    return Metadata(
        name=body["name"],
        config=CreateCollection.model_validate(body["config"]),
        generation=body["generation"],
        optimised_points=body["optimised_points"],
    )


def sync_folder(folder: Path) -> None:
    """Make renames and new files in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
