"""The rate limiter of unit tests: the sliding window counter in the memory of one process."""

import threading
import time
from math import floor

_WINDOW = 60.0


class MemoryRateLimiter:
    """Implements ``RateLimiter`` in memory.

    As on Redis, a caller's first window begins with its first request. One that began with the minute would end in the midst of a test
    every now and then, and the caller would get one request more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, tuple[float, int, int]] = {}
        """Of each caller: when its window began, the requests in the window before, and those in this one."""

    def take(self, caller: str, per_minute: int) -> float | None:
        now = time.monotonic()
        with self._lock:
            began, before, count = self._windows.get(caller, (now, 0, 0))
            passed = int((now - began) // _WINDOW)
            if passed:
                began, before, count = began + passed * _WINDOW, count if passed == 1 else 0, 0
            left = began + _WINDOW - now
            taken = floor(before * left / _WINDOW) + count < per_minute
            self._windows[caller] = began, before, count + taken
        return None if taken else left % (_WINDOW / before) if before else left

    def close(self) -> None:
        self._windows.clear()
