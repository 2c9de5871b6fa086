"""Whether the disk has room for Neo4j, which must not be started without: it would hang over its recovery, or give up at once."""

import shutil
from pathlib import Path

LEAST_FREE_BYTES = 256 * 1024 * 1024
"""Neo4j takes 64 MiB at a time for the log of each of its two databases, and recovery sets aside what it cuts off."""


def lack_of_room(folder: Path) -> str:
    """Return what is missing on a folder's disk and what to do, or nothing if there is room enough."""
    free = shutil.disk_usage(folder).free
    if free >= LEAST_FREE_BYTES:
        return ""
    return (
        f"{free // 2**20} MiB are free at {folder}, and Neo4j needs {LEAST_FREE_BYTES // 2**20} MiB. "
        "Make room; nothing written is lost."
    )
