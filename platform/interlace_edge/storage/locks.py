"""A readers-writer lock for threads, and the lock file of a data folder."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SharedLock:
    """A lock for either several readers or one writer; a waiting writer goes before new readers."""

    def __init__(self) -> None:
        self._state = threading.Condition()
        self._readers = 0
        self._exclusive = False
        self._waiting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Acquire the lock together with other readers."""
        with self._state:
            self._state.wait_for(lambda: not self._exclusive and not self._waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._state:
                self._readers -= 1
                self._state.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Acquire the lock exclusively."""
        with self._state:
            self._waiting += 1
            try:
                self._state.wait_for(lambda: not self._exclusive and not self._readers)
                self._exclusive = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._state:
                self._exclusive = False
                self._state.notify_all()


def lock_folder(folder: Path) -> int:
    """Lock the folder for this process until it ends, and return the file descriptor, which must stay open.

    Raises:
        BlockingIOError: another process has locked it; the message names the folder and that process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
        os.close(descriptor)
        raise BlockingIOError(
            f"The data folder {folder} is in use by another Qdrant Edge server (process {owner}); stop that one or choose another --data."
        ) from None
    # The process id is for the message above; the lock itself ends with the process.
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor
