"""Patience with a provider: every call has a time limit, and a circuit breaker stops calls for a while if the provider keeps failing.

The circuit breaker is that of Nygard, "Release It!" (2007): while a provider is down or slow, no question waits for it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from interlace.domain.errors import InterlaceError, NoProviderError, RateLimitedError, UnavailableError

T = TypeVar("T")
Give = Callable[[T], None]
CALLS = 8
"""Concurrent calls; a further one is refused instead of queued."""
_FAILURES = 2
_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 120.0


class Patience:
    """Makes calls within a time limit, and none while the circuit is open; safe for use by several threads.

    Args:
        clock: monotonic, in seconds.
        calls: concurrent calls.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, calls: int = CALLS) -> None:
        self._clock = clock
        self._slots = threading.BoundedSemaphore(calls)
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0

    def call(self, work: Callable[[Give[T]], object], seconds: float) -> Iterator[T]:
        """Yield what a call gives, as it gives it; it is made on a thread of its own, and a late call is abandoned there.

        Raises:
            UnavailableError: the call is late, or is not made: too many are in progress, or the circuit is open after failures.
            InterlaceError: the error that the call ended in.
        """
        if (left := self._until - self._clock()) > 0:
            raise UnavailableError(f"The language model failed and is left alone for another {left:.0f} s.")
        if not self._slots.acquire(blocking=False):
            raise UnavailableError("The language model is busy with other questions.")
        task = _Task(work, self._slots.release)
        try:
            yield from task.given(seconds)
        except NoProviderError:
            # A setting is wrong; each answer may say which.
            raise
        except InterlaceError as error:
            self._failed(error)
            raise
        with self._lock:
            self._failures = 0

    def _failed(self, error: InterlaceError) -> None:
        with self._lock:
            self._failures += 1
            pause = 0.0
            if self._failures >= _FAILURES:
                pause = _FIRST_PAUSE * 2 ** (self._failures - _FAILURES)
            if isinstance(error, RateLimitedError) and error.retry_after is not None:
                pause = max(pause, error.retry_after)
            self._until = self._clock() + min(pause, _LONGEST_PAUSE)


class _Task(Generic[T]):
    """A call on a daemon thread: the interpreter exits without waiting for a provider."""

    def __init__(self, work: Callable[[Give[T]], object], ended: Callable[[], None]) -> None:
        self._work = work
        self._release = ended
        self._given = SimpleQueue[tuple[T, ...]]()
        self._error: Exception | None = None
        threading.Thread(target=self._run, name="language-model", daemon=True).start()

    def given(self, seconds: float) -> Iterator[T]:
        until = time.monotonic() + seconds
        try:
            while given := self._given.get(timeout=max(until - time.monotonic(), 0)):
                yield from given
        except Empty:
            raise UnavailableError(f"The language model did not answer within {seconds:g} s.") from None
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._work(lambda each: self._given.put((each,)))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            self._error = error
        finally:
            self._release()
            self._given.put(())
