"""The rate limiter over Redis, with the library ``limits``: a sliding window counter, shared by all processes."""

import time

from limits import RateLimitItemPerMinute
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from interlace.adapters.redis.failures import failures
from interlace.settings import RedisSettings

_PREFIX = "interlace:rate"
# A request waits for this answer, so a server that hangs must not delay it for long.
_SECONDS = 0.25


class RedisRateLimiter:
    """Implements ``RateLimiter``; connects on first use, and is safe to share between threads."""

    def __init__(self, settings: RedisSettings) -> None:
        self._url = settings.url.get_secret_value()
        self._storage: RedisStorage | None = None

    def take(self, caller: str, per_minute: int) -> float | None:
        """Count a request; see ``RateLimiter.take``."""
        rate = RateLimitItemPerMinute(per_minute)
        with failures(self._url, "Until then rate limits are not enforced."):
            window = self._opened()
            if window.hit(rate, caller):
                return None
            return max(window.get_window_stats(rate, caller).reset_time - time.time(), 0.0)

    def close(self) -> None:
        """Close all connections."""
        if self._storage is not None:
            self._storage.storage.close()
            self._storage = None

    def _opened(self) -> SlidingWindowCounterRateLimiter:
        if self._storage is None:
            self._storage = RedisStorage(
                self._url,
                wrap_exceptions=True,
                key_prefix=_PREFIX,
                socket_timeout=_SECONDS,
                socket_connect_timeout=_SECONDS,
            )
        return SlidingWindowCounterRateLimiter(self._storage)
