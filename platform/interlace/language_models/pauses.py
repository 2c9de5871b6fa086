"""How long to make no calls to a failing provider: as long as it asks, else twice as long after each failure (exponential backoff with jitter)."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from interlace.domain.errors import InvalidOutputError, RateLimitedError, UnavailableError

UNUSABLE_IN_A_ROW = 5
"""Consecutive answers that broke the schema after which the provider counts as failing: the waiting texts would be lost to it one by one."""
_MAX_DOUBLINGS = 30  # after a thousand failures in a row, the power would be no float


@dataclass(frozen=True, slots=True)
class Pause:
    """Why no calls are made for now.

    Args:
        reason: a sentence for users.
        seconds: time until the next attempt is worthwhile.
        job: the only job affected; empty if all are.
    """

    reason: str
    seconds: float
    job: str = ""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses that double with each failure in a row; the jitter keeps processes from returning together.

    Args:
        first: seconds of the first pause.
        max_pause: seconds of the longest pause.
        tolerated: failures in a row before the first pause.
    """

    first: float
    max_pause: float
    tolerated: int = 0

    def after(self, failures: int) -> float:
        """Return the seconds to pause after so many failures in a row."""
        doublings = failures - self.tolerated - 1
        if doublings < 0:
            return 0.0
        pause = min(self.first * 2.0 ** min(doublings, _MAX_DOUBLINGS), self.max_pause)
        return pause * random.uniform(0.5, 1.5)  # noqa: S311 - no secret


_IN_BACKGROUND = Backoff(2.0, 600.0)


class ProviderPauses:
    """Counts consecutive failures and knows when calls may continue; safe for use by several threads.

    Args:
        backoff: pauses that the provider does not ask for; without one, those of work in the background.
        clock: monotonic, in seconds.
    """

    def __init__(self, backoff: Backoff | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._backoff = backoff or _IN_BACKGROUND
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._unusable = 0
        self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds until calls may continue; 0 if they may now."""
        return max(0.0, self._until - self._clock())

    def reset(self) -> None:
        """Record a usable answer of the provider."""
        with self._lock:
            self._failures = 0
            self._unusable = 0

    def unusable(self, fault: InvalidOutputError) -> Pause | None:
        """Record an unusable answer; after too many in a row, return the pause of calls to the provider."""
        with self._lock:
            self._unusable += 1
            count = self._unusable
            if count < UNUSABLE_IN_A_ROW:
                return None
            # A run of them is no single failure, which may be tolerated.
            self._failures = max(self._failures, self._backoff.tolerated)
        return Pause(f"{count} answers in a row could not be used. {fault.message}", self.after(fault))

    def after(self, error: UnavailableError | InvalidOutputError) -> float:
        """Record a failure; return the seconds until calls may continue.

        A failure during a pause is that of a call that began before it: it extends the pause only if the provider asks for a longer one.
        """
        asked = error.retry_after if isinstance(error, RateLimitedError) else None
        with self._lock:
            paused = self.left > 0
            self._failures += not paused
            pause = 0.0
            if asked:  # 0 does not say for how long
                pause = asked * random.uniform(1, 1.2)  # noqa: S311 - no secret
            elif not paused:
                pause = self._backoff.after(self._failures)
            self._until = max(self._until, self._clock() + pause)
            return self.left
