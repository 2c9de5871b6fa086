"""A file lock between processes, which the operating system releases when its owner dies."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Keep a file locked while the block runs.

    Args:
        path: the lock file; created if missing, never removed (removing it would let two owners in).
        waiting: called once before waiting, if another process has locked the file.
    """
    with path.open("a", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
