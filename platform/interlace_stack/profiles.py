"""Profiles: the flags of Neo4j's Java runtime for the cores and the memory of this machine."""

import os
from collections.abc import Mapping
from typing import Final, Literal

import psutil

from interlace.settings import StackSettings

Profile = Literal["small", "standard"]
SMALL_CORES = 2
MIN_HEAP_MB: Final = 1024
MAX_HEAP_MB: Final = 2048
"""Enough for a transaction that merges entities of 50,000 mentions; Java takes only as much as it needs."""
NEO4J_FLAGS: Mapping[Profile, tuple[str, ...]] = {
    "small": (
        # On two cores the optimising compiler and a parallel collector take as much from the workers as they give to the server.
        "-XX:TieredStopAtLevel=1",
        # Without the optimising compiler Java reserves 48 MiB for compiled code; Neo4j fills that, and is interpreted from then on.
        "-XX:ReservedCodeCacheSize=256m",
        "-XX:+UseSerialGC",
        # Garbage collection took an eighth of Neo4j's time when a third of the heap was for new objects and the class metadata grew in steps.
        "-XX:NewRatio=1",
        "-XX:MetaspaceSize=192m",
    ),
    # With enough cores Java chooses by itself.
    "standard": (),
}


def cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def profile_of(stack: StackSettings) -> Profile:
    """Return the profile that the settings name, or for ``auto`` the one that fits the machine's cores."""
    if stack.profile != "auto":
        return stack.profile
    return "small" if cores() <= SMALL_CORES else "standard"


def heap_mb(stack: StackSettings) -> int:
    """Return Neo4j's Java heap in MiB: as the settings say, or a quarter of the machine's memory within bounds."""
    if stack.neo4j_heap_mb is not None:
        return stack.neo4j_heap_mb
    return min(max((psutil.virtual_memory().total >> 20) // 4, MIN_HEAP_MB), MAX_HEAP_MB)
