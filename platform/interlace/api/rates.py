"""Rate limits: a key sends so many requests a minute, over all processes of the API together."""

import logging
import math
import time

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.types import ASGIApp, Receive, Scope, Send

from interlace.access.callers import Caller
from interlace.api.problems import problem
from interlace.domain.errors import UnavailableError
from interlace.ports.rate_limiter import RateLimiter

_logger = logging.getLogger(__name__)
_PAUSE_SECONDS = 5.0
"""After a failure the store is left alone for so long, so that no request waits for it."""
_THREADS = 4


class RateLimitMiddleware:
    """Answers 429 to a key beyond its rate. While the store of the counts does not answer, rates are not limited, and the log says so.

    Whoever calls without a key, the one person at a loopback address, has no rate.

    Args:
        app: what to protect.
        limiter: counts requests.
        per_minute: requests a minute of a key without a rate of its own; None for no limit.
    """

    def __init__(self, app: ASGIApp, limiter: RateLimiter, per_minute: int | None) -> None:
        self._app = app
        self._limiter = limiter
        self._per_minute = per_minute
        self._off_until = 0.0
        self._off = False
        # Threads of its own: a count must not wait until the questions that it is to hold back are answered.
        self._threads: CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application unless the caller's key is beyond its rate."""
        caller = scope.get("state", {}).get("caller") if scope["type"] == "http" else None
        if isinstance(caller, Caller) and caller.key_id:
            wait = await self._take(caller)
            if wait is not None:
                seconds = max(1, math.ceil(wait))
                sentence = f"The key {caller.key_id} has reached its rate limit; send the next request in {seconds} s."
                answer = problem(scope, "rate-limited", sentence, headers={"Retry-After": str(seconds)})
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _take(self, caller: Caller) -> float | None:
        rate = caller.rate or self._per_minute
        if rate is None or time.monotonic() < self._off_until:
            return None
        self._threads = self._threads or CapacityLimiter(_THREADS)
        try:
            wait = await run_sync(self._limiter.take, caller.key_id, rate, limiter=self._threads)
        except UnavailableError as error:
            self._off_until = time.monotonic() + _PAUSE_SECONDS
            if not self._off:
                _logger.warning("%s", error.message)
            self._off = True
            return None
        if self._off:
            _logger.warning("Redis answers again; rate limits are enforced.")
        self._off = False
        return wait
