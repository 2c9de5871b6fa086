"""Tasks of a search: a shared thread pool for leaf tasks, deadlines, and the stopwatch of one search.

A task in a pool is a leaf: it calls a server or a model and never waits for another task of that pool. Work that depends on a result is submitted by
the caller's thread once that result is there. So a pool of any size makes progress, and no leg is late because its thread waits for
another. A task's deadline starts when a thread picks it up; the wait for a thread is measured separately (``queued``) and has its own
limit (``QUEUE_SECONDS``).
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from interlace.domain.errors import InterlaceError, InvalidInputError
from interlace.search.candidates import Candidate
from interlace.tracing import span

T = TypeVar("T")
THREADS = 16
QUEUE_SECONDS = 10.0
"""Seconds that a task waits for a thread before the search goes on without it."""
_NOTICEABLE = 10.0
"""Milliseconds of waiting for a thread that are worth noting."""


class Task(Generic[T]):
    """A call in a pool that knows when a thread picked it up and how long it ran."""

    def __init__(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> None:
        self._work = work
        self._began = threading.Event()
        self._submitted = self._started = self._ended = time.perf_counter()
        # Pool threads do not inherit the context, which carries the reader (``domain.reader``).
        self._future: Future[T] = pool.submit(copy_context().run, self._run)
        # A cancelled task never begins; whoever waits for it to begin must not wait forever.
        self._future.add_done_callback(lambda _: self._began.set())

    @property
    def queued(self) -> float:
        """Seconds from submission until a thread picked it up."""
        return self._started - self._submitted

    @property
    def ran(self) -> float:
        """Seconds that an ended task ran."""
        return self._ended - self._started

    def cancel(self) -> None:
        """Cancel the task if no thread has picked it up."""
        self._future.cancel()

    def result(self, timeout: float) -> T:
        """Wait for the result for ``timeout`` seconds from the moment a thread picks the task up.

        Raises:
            TimeoutError: it ran longer, or no thread was free for ``QUEUE_SECONDS`` seconds.
        """
        if not self._began.wait(QUEUE_SECONDS):
            raise FutureTimeoutError
        left = self._started + timeout - time.perf_counter()
        return self._future.result(timeout=max(left, 0.0))

    def _run(self) -> T:
        self._started = time.perf_counter()
        self._began.set()
        try:
            return self._work()
        finally:
            self._ended = time.perf_counter()


class TaskPool:
    """Threads for leaf tasks, first come, first served. One instance per process and purpose.

    Args:
        threads: tasks that run at once.
        name: begins the threads' names.
    """

    def __init__(self, threads: int = THREADS, name: str = "leg") -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def submit(self, work: Callable[[], T]) -> Task[T]:
        """Submit work that starts as soon as a thread is free."""
        return Task(self._executor, work)

    def close(self) -> None:
        """Let running tasks end, drop the others and stop the threads."""
        self._executor.shutdown(cancel_futures=True)


@dataclass(slots=True)
class Run:
    """A running search: its tasks, stopwatch and degradations.

    Args:
        pool: where its tasks run.
        timeout: seconds that a task may run.
        degraded: tasks that failed or were late.
        timings: milliseconds by task and step; for a late task, how long it was awaited. ``queued`` is the longest wait for a thread.
    """

    pool: TaskPool
    timeout: float
    started: float = field(default_factory=time.perf_counter)
    degraded: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    def elapsed(self) -> float:
        """Return the milliseconds since the search began."""
        return milliseconds(self.started)

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """Do some work in the caller's thread and record its milliseconds."""
        started = time.perf_counter()
        try:
            with span(name):
                return work()
        finally:
            self.timings[name] = milliseconds(started)

    def start(self, name: str, work: Callable[[], T], pool: TaskPool | None = None) -> Task[T]:
        """Start a leaf task and record its milliseconds when it ends.

        Args:
            name: of the task, in timings and degradations.
            work: must not wait for other tasks of its pool.
            pool: where it runs, if not with the others.
        """
        return (pool or self.pool).submit(lambda: self.timed(name, work))

    def wait(
        self,
        name: str,
        task: Task[T],
        *,
        timeout: float | None = None,
        spent: float = 0.0,
        degrades: Sequence[str] | None = None,
    ) -> T | None:
        """Return the result of a task; None if it failed or is late, which is recorded. Bugs and invalid input are raised.

        Args:
            name: the task.
            task: the task.
            timeout: seconds that it may run, if not the timeout of the search.
            spent: seconds of the timeout that an earlier task has used up, such as the embedding that a leg searches with.
            degrades: what its failure degrades, if not the task itself, such as the legs that need an embedding.
        """
        waited = time.perf_counter()
        try:
            return task.result((timeout or self.timeout) - spent)
        except InvalidInputError:
            raise
        except (FutureTimeoutError, CancelledError, InterlaceError):
            task.cancel()
            self.degraded.extend([name] if degrades is None else degrades)
            self.timings[name] = milliseconds(waited)
            return None
        finally:
            self._note_queued(task.queued * 1000)

    def _note_queued(self, waited: float) -> None:
        if waited >= _NOTICEABLE:
            self.timings["queued"] = round(max(waited, self.timings.get("queued", 0.0)), 2)


def answered(lists: Mapping[str, Sequence[Candidate]], legs: Sequence[str]) -> tuple[str, ...]:
    """Return which of some legs have candidates, in their order."""
    return tuple(leg for leg in legs if lists.get(leg))


def milliseconds(started: float) -> float:
    """Return the milliseconds since a reading of ``time.perf_counter``."""
    return round((time.perf_counter() - started) * 1000, 2)
