"""What a process read a moment ago and need not read again: answers by key, each relied on for a limited time."""

import time
from typing import Final, Generic, TypeVar

MAX_KEYS: Final = 4096
"""Answers that are kept; callers choose the keys, so there must be a limit."""
Value = TypeVar("Value")


class Recent(Generic[Value]):
    """Answers that are at most ``seconds`` old; safe to share between threads."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._kept: dict[str, tuple[float, Value]] = {}

    def get(self, key: str) -> Value | None:
        """Return the answer; None if there is none, or it is too old."""
        kept = self._kept.get(key)
        return kept[1] if kept is not None and time.monotonic() - kept[0] < self._seconds else None

    def put(self, key: str, value: Value, started_at: float) -> None:
        """Keep an answer.

        Args:
            key: what was asked about.
            value: the answer.
            started_at: reading of the monotonic clock before the question, so that the time it took is part of the answer's age.
        """
        if len(self._kept) >= MAX_KEYS:
            self._kept.clear()
        self._kept[key] = started_at, value

    def forget(self, key: str) -> None:
        """Drop an answer."""
        self._kept.pop(key, None)
