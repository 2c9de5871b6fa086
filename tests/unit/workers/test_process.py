"""The platform of one pool process."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from interlace.bootstrap import Platform
from interlace_workers import process


class Opened:
    """A platform that takes a moment to open."""

    closed = 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Opened]]:
    made: list[Opened] = []

    def open_slowly() -> Opened:
        made.append(Opened())
        time.sleep(0.05)
        return made[-1]

    monkeypatch.setattr(Platform, "open", open_slowly)
    process._opened.cache_clear()
    yield made
    process._opened.cache_clear()


def test_the_warm_up_and_the_first_task_share_one_platform(opened: list[Opened]) -> None:
    together = threading.Barrier(2)

    def first_use(_: int) -> object:
        together.wait()
        return process.platform()

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(first_use, range(2)))
    assert found == [opened[0]] * 2
    process.close_platform()
    assert [each.closed for each in opened] == [1]


def test_nothing_is_opened_to_be_closed(opened: list[Opened]) -> None:
    process.close_platform()
    assert not opened
