"""The rate limiter over Redis, with the library ``limits``: a sliding window counter, shared by all processes."""

import time

from limits import RateLimitItemPerMinute
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from interlace.adapters.redis.client import redis_client
from interlace.adapters.redis.failures import failures
from interlace.settings import RedisSettings

_PREFIX = "interlace:rate"
# A request waits for this answer, so a server that hangs must not delay it for long.
_SECONDS = 0.25


class RedisRateLimiter:
    """Implements ``RateLimiter``; connects on first use, and is safe to share between threads."""

    def __init__(self, settings: RedisSettings) -> None:
        self._settings = settings
        self._client = redis_client(settings, _SECONDS)
        # The storage opens no connections of its own, so it reads nothing of this address.
        storage = RedisStorage("redis://", self._client.connection_pool, _PREFIX, wrap_exceptions=True)
        self._window = SlidingWindowCounterRateLimiter(storage)

    def take(self, caller: str, per_minute: int) -> float | None:
        """Count a request; see ``RateLimiter.take``."""
        rate = RateLimitItemPerMinute(per_minute)
        with failures(self._settings, "Until then rate limits are not enforced."):
            if self._window.hit(rate, caller):
                return None
            return max(self._window.get_window_stats(rate, caller).reset_time - time.time(), 0.0)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
