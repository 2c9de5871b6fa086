"""A circuit breaker (Nygard, "Release It!", 2007): every call has a time limit, and while a provider is down or slow, no question waits for it."""

import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from interlace.domain.errors import InvalidOutputError, NoProviderError, UnavailableError
from interlace.language_models.pauses import Backoff, ProviderPauses

T = TypeVar("T")
Emit = Callable[[T], None]
Work = Callable[[Emit[T]], bool]
"""Makes a call and emits what it finds; returns whether the model answered."""
CALLS = 8
"""Concurrent calls; a further one is refused instead of queued."""
_BACKOFF = Backoff(5.0, 120.0, tolerated=1)


class CircuitBreaker:
    """Makes calls within a time limit, and none while the circuit is open; safe for use by several threads.

    Args:
        clock: monotonic, in seconds.
        calls: concurrent calls.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, calls: int = CALLS) -> None:
        self._slots = threading.BoundedSemaphore(calls)
        self._pauses = ProviderPauses(_BACKOFF, clock)

    def call(self, work: Work[T], timeout: float) -> Iterator[T]:
        """Yield what a call emits, as it does; it is made on a thread of its own, and a late call is abandoned there.

        Raises:
            UnavailableError: the call is late, or is not made: too many are in progress, or the circuit is open after failures.
            InterlaceError: the error that the call ended in.
        """
        if (left := self._pauses.left) > 0:
            raise UnavailableError(f"The language model failed: calls to it are suspended for {left:.0f} s.")
        if not self._slots.acquire(blocking=False):
            raise UnavailableError("The language model is busy with other questions.")
        task = _Task(work, self._slots.release)
        try:
            yield from task.emitted(timeout)
        except NoProviderError:
            # A setting is wrong; each answer may say which.
            raise
        except InvalidOutputError as error:
            self._pauses.unusable(error)
            raise
        except UnavailableError as error:
            self._pauses.after(error)
            raise
        if task.answered:
            self._pauses.reset()


class _Task(Generic[T]):
    """A call on a daemon thread: the interpreter exits without waiting for a provider."""

    def __init__(self, work: Work[T], ended: Callable[[], None]) -> None:
        self._work = work
        self._release = ended
        self._emitted = SimpleQueue[tuple[T, ...]]()
        self._error: Exception | None = None
        self.answered = False
        threading.Thread(target=self._run, name="language-model", daemon=True).start()

    def emitted(self, timeout: float) -> Iterator[T]:
        until = time.monotonic() + timeout
        try:
            while emitted := self._emitted.get(timeout=max(until - time.monotonic(), 0)):
                yield from emitted
        except Empty:
            raise UnavailableError(f"The language model did not answer within {timeout:g} s.") from None
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self.answered = self._work(lambda each: self._emitted.put((each,)))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            self._error = error
        finally:
            self._release()
            self._emitted.put(())
