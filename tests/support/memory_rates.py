"""The rate limiter of unit tests: the same sliding window counter in the memory of one process."""

import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter


class MemoryRateLimiter:
    """Implements ``RateLimiter`` in memory."""

    def __init__(self) -> None:
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    def take(self, caller: str, per_minute: int) -> float | None:
        rate = RateLimitItemPerMinute(per_minute)
        if self._window.hit(rate, caller):
            return None
        return max(self._window.get_window_stats(rate, caller).reset_time - time.time(), 0.0)

    def close(self) -> None:
        self._window.storage.reset()
