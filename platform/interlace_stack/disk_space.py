"""Free disk space for servers: without enough of it, a starting Neo4j hangs in its recovery or gives up at once, and Qdrant opens no collection."""

import shutil
from pathlib import Path

MIN_FREE_BYTES = 256 * 1024 * 1024
"""Neo4j allocates 64 MiB at a time for the log of each of its two databases, and recovery keeps a copy of what it truncates. The Qdrant Edge server accepts no write with less."""


def missing_space(folder: Path) -> str:
    """Return how much space a folder's disk lacks and what to do, or an empty string if there is enough."""
    free = shutil.disk_usage(folder).free
    if free >= MIN_FREE_BYTES:
        return ""
    return (
        f"{free // 2**20} MiB are free at {folder}, and {MIN_FREE_BYTES // 2**20} MiB are needed. "
        "Free some disk space; nothing that was written is lost."
    )
