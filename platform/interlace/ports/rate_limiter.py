"""The rate limiter: how many requests a minute a caller may send, over all processes together."""

from typing import Protocol


class RateLimiter(Protocol):
    """Counts requests of callers in a sliding window of a minute."""

    def take(self, caller: str, per_minute: int) -> float | None:
        """Count a request.

        Args:
            caller: the id of a key.
            per_minute: requests that this caller may send within a minute.

        Returns:
            None if the request is within the rate; else the seconds after which the next one is. A request beyond the rate is not counted.

        Raises:
            UnavailableError: the store of the counts does not answer.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
