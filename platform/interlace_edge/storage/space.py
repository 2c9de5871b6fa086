"""Whether a disk has room for a write.

The engine maps its files into memory: on a full disk the process would be ended by SIGBUS in the middle of a write. Refused in
time, a write costs nobody anything, reads go on, and the next write after space was made is taken.
"""

import shutil
from contextlib import suppress
from pathlib import Path

from interlace_edge.errors import no_space

LEAST_FREE_BYTES = 256 * 1024 * 1024
"""More than one request lets the files of a collection grow by: its log and its vectors grow by 32 MiB at a time each."""


def check_space(folder: Path) -> None:
    """Refuse a write while the disk is nearly full.

    Raises:
        EdgeError: 507, fewer than ``LEAST_FREE_BYTES`` are free.
    """
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE_BYTES:
        raise no_space(folder, free, LEAST_FREE_BYTES)


def room_for(folder: Path, size: int) -> bool:
    """Tell whether ``size`` bytes more leave room for writes."""
    return shutil.disk_usage(folder).free - size >= LEAST_FREE_BYTES


def size_of(folder: Path) -> int:
    """Return the bytes that a folder's files have, as a copy of them would; those that vanish meanwhile do not count."""
    total = 0
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += file.stat().st_size
    return total
