"""One query while it runs: its searches side by side, each timed by itself and given up when it is late."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import TypeVar

from interlace.domain.errors import InterlaceError, InvalidInputError
from interlace.search.fusion import LegHit

T = TypeVar("T")


@dataclass(slots=True)
class Run:
    """What one query has gathered so far.

    Args:
        pool: where its searches run.
        timeout: seconds a search may take.
        lists: leg to hits, best first.
        degraded: searches that failed or were late.
        timings: milliseconds that each search itself took, not what waited for it; of a late one, what was waited.
    """

    pool: ThreadPoolExecutor
    timeout: float
    started: float = field(default_factory=time.perf_counter)
    lists: dict[str, list[LegHit]] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    def elapsed(self) -> float:
        """Return the milliseconds since the query began."""
        return since(self.started)

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """Do some work and note its milliseconds."""
        started = time.perf_counter()
        try:
            return work()
        finally:
            self.timings[name] = since(started)

    def start(self, work: Callable[[], T]) -> "Future[T]":
        """Begin some work beside the rest."""
        return self.pool.submit(work)

    def start_timed(self, name: str, work: Callable[[], T]) -> "Future[T]":
        """Begin a search beside the rest and note its own milliseconds when it ends."""
        return self.start(lambda: self.timed(name, work))

    def collect(self, leg: str, future: "Future[list[LegHit]]") -> None:
        """Keep a leg's hits, or note that it failed or is late."""
        found = self.result(leg, future)
        if found is not None:
            self.lists[leg] = found

    def result(self, name: str, future: "Future[T]", timeout: float | None = None) -> T | None:
        """Return what a search found, or note that it failed or is late. A defect of ours is not hidden: it is raised.

        Args:
            name: the search, as timings and degradations call it.
            future: the search.
            timeout: seconds it may take, if not those of every search.
        """
        started = time.perf_counter()
        try:
            return future.result(timeout=timeout or self.timeout)
        except (FutureTimeoutError, InterlaceError) as error:
            if isinstance(error, InvalidInputError):
                raise
            future.cancel()
            self.degraded.append(name)
            self.timings[name] = since(started)
            return None

    def answered(self, legs: Sequence[str]) -> tuple[str, ...]:
        """Return which of some legs had something to say, in their order."""
        return tuple(leg for leg in legs if self.lists.get(leg))


def since(started: float) -> float:
    """Return the milliseconds since a reading of ``time.perf_counter``."""
    return round((time.perf_counter() - started) * 1000, 2)
