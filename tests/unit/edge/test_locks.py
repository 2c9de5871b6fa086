"""The readers-writer lock, and the lock of a data folder."""

import os
import threading
from pathlib import Path

import pytest

from interlace_edge.storage.locks import SharedLock, lock_folder

SECONDS = 60


def test_readers_share_and_a_writer_is_alone() -> None:
    lock, entered, leave = SharedLock(), threading.Barrier(3), threading.Event()
    order: list[str] = []

    def read() -> None:
        with lock.shared():
            entered.wait(SECONDS)
            leave.wait(SECONDS)
            order.append("reader")

    def write() -> None:
        with lock.exclusive():
            order.append("writer")

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    entered.wait(SECONDS)
    writer = threading.Thread(target=write)
    writer.start()
    leave.set()
    for thread in (*readers, writer):
        thread.join(SECONDS)
    assert order == ["reader", "reader", "writer"]


def test_a_waiting_writer_goes_before_new_readers() -> None:
    lock, order = SharedLock(), list[str]()

    def write() -> None:
        with lock.exclusive():
            order.append("writer")

    def read() -> None:
        with lock.shared():
            order.append("reader")

    writer, late = threading.Thread(target=write), threading.Thread(target=read)
    with lock.shared():
        writer.start()
        with lock._state:
            lock._state.wait_for(lambda: lock._waiting == 1, SECONDS) or pytest.fail("no writer waits")
        late.start()
    for thread in (writer, late):
        thread.join(SECONDS)
    assert order == ["writer", "reader"]


def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    first = lock_folder(tmp_path / "data")
    with pytest.raises(BlockingIOError, match=rf"in use by another Qdrant Edge server \(process {os.getpid()}\)"):
        lock_folder(tmp_path / "data")
    os.close(first)
    os.close(lock_folder(tmp_path / "data"))
