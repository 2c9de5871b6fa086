"""How long to pause calls to a failing provider: as long as it asks, else twice as long after each failure (exponential backoff with jitter)."""

import random

from interlace.domain.errors import InterlaceError, InvalidOutputError, RateLimitedError

UNUSABLE_IN_A_ROW = 5
"""Consecutive answers that broke the schema after which the provider counts as failing: the waiting texts would be lost to it one by one."""
_FIRST = 2.0
_LONGEST = 600.0


class ProviderPauses:
    """Counts consecutive failures; the jitter keeps workers from returning together."""

    def __init__(self) -> None:
        self._failures = 0
        self._unusable = 0

    def reset(self) -> None:
        """Record a usable answer of the provider."""
        self._failures = 0
        self._unusable = 0

    def unusable(self, fault: InvalidOutputError) -> tuple[str, float] | None:
        """Record an unusable answer; after too many in a row, return the reason and the seconds to pause calls to the provider."""
        self._unusable += 1
        if self._unusable < UNUSABLE_IN_A_ROW:
            return None
        return f"{self._unusable} answers in a row could not be used. {fault.message}", self.after(fault)

    def after(self, error: InterlaceError) -> float:
        """Return the seconds to wait after a failure."""
        pause = min(_FIRST * 2**self._failures, _LONGEST) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        self._failures += 1
        asked = error.retry_after if isinstance(error, RateLimitedError) else None
        return pause if asked is None else asked + random.uniform(0, 0.2) * asked  # noqa: S311 - no secret
