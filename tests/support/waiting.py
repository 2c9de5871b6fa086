"""Waiting in tests for what other threads and programs do."""

import time
from collections.abc import Callable
from contextlib import suppress

POLL_SECONDS = 0.05
_MAX_POLL_SECONDS = 0.5
_POLL_SHARE = 0.02
"""Of the time waited so far: who asks twenty times a second for minutes takes the servers from those who are waited for."""


def until(
    true: Callable[[], object],
    seconds: float = 60,
    what: Callable[[], object] = lambda: "",
    *,
    despite: tuple[type[Exception], ...] = (),
) -> None:
    """Wait until something is true, as long as ``what()`` changes every now and then.

    Args:
        true: what is waited for.
        seconds: to wait while ``what()`` stays the same.
        what: how things stand; printed if they stand still.
        despite: errors of asking that end no wait, because a server may be away.

    Raises:
        AssertionError: it did not come true.
    """
    last: object = None
    began = time.monotonic()
    deadline = began + seconds
    while True:
        with suppress(*despite):
            if true():
                return
            now = what()
            if now != last:
                last, deadline = now, time.monotonic() + seconds
        assert time.monotonic() < deadline, f"nothing moved for {seconds:g} s: {last}"
        time.sleep(min(max(POLL_SECONDS, _POLL_SHARE * (time.monotonic() - began)), _MAX_POLL_SECONDS))
