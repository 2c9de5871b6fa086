"""How long a provider that failed is left alone: as long as it asks, else twice as long after each failure (exponential backoff with jitter)."""

import random

from interlace.domain.errors import InterlaceError, RateLimitedError

_FIRST = 2.0
_LONGEST = 600.0


class ProviderPauses:
    """Counts failures in a row; the jitter keeps workers from returning together."""

    def __init__(self) -> None:
        self._failures = 0

    def reset(self) -> None:
        """Note that the provider answered."""
        self._failures = 0

    def after(self, error: InterlaceError) -> float:
        """Return the seconds to wait after a failure."""
        pause = min(_FIRST * 2**self._failures, _LONGEST) * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
        self._failures += 1
        asked = error.retry_after if isinstance(error, RateLimitedError) else None
        return pause if asked is None else asked + random.uniform(0, 0.2) * asked  # noqa: S311 - no secret
