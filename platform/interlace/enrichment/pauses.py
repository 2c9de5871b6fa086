"""How long a provider that failed is left alone: as long as it asks, else twice as long after each failure (exponential backoff with jitter)."""

import random

from interlace.domain.errors import InterlaceError, InvalidOutputError, RateLimitedError

UNUSABLE_IN_A_ROW = 5
"""Answers in a row that broke the schema, after which the provider counts as failing: the texts that wait would be lost to it one by one."""
_FIRST = 2.0
_LONGEST = 600.0


class ProviderPauses:
    """Counts failures in a row; the jitter keeps workers from returning together."""

    def __init__(self) -> None:
        self._failures = 0
        self._unusable = 0

    def reset(self) -> None:
        """Note that the provider gave an answer that can be used."""
        self._failures = 0
        self._unusable = 0

    def unusable(self, fault: InvalidOutputError) -> tuple[str, float] | None:
        """Note an answer that cannot be used; return why and for how many seconds to leave the provider alone once it gave too many in a row."""
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
