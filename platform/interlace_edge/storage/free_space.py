"""Free disk space for writes.

The engine maps its files into memory: on a full disk SIGBUS would end the process in the middle of a write. So writes are refused
while the disk is nearly full; reads continue, and the next write after space was freed is accepted.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from interlace_edge.errors import no_space

MIN_FREE_BYTES = 256 * 1024 * 1024
"""More than one request adds to a collection's files: its log and its vectors each grow by 32 MiB at a time."""


def check_space(folder: Path) -> None:
    """Refuse a write while the disk is nearly full.

    Raises:
        EdgeError: 507, fewer than ``MIN_FREE_BYTES`` are free.
    """
    free = shutil.disk_usage(folder).free
    if free < MIN_FREE_BYTES:
        raise no_space(folder, free, MIN_FREE_BYTES)


def has_space(folder: Path, size: int) -> bool:
    """Return whether ``size`` more bytes leave enough space for writes."""
    return shutil.disk_usage(folder).free - size >= MIN_FREE_BYTES


def folder_bytes(folder: Path) -> int:
    """Return the size of a folder's files in bytes, as a copy would have it; files that vanish meanwhile do not count."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += file.stat().st_size
    return total
