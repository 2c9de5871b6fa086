"""How Ctrl-C, SIGTERM and SIGHUP act while the stack is being started or stopped."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_STOP_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stop_signals_raise() -> Iterator[None]:
    """Raise ``SystemExit`` on SIGTERM and SIGHUP while the block runs, so that its clean-up runs."""

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    with _handlers(dict.fromkeys(_STOP_SIGNALS, leave)):
        yield


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Let only SIGKILL interrupt the block."""
    with _handlers(dict.fromkeys((signal.SIGINT, *_STOP_SIGNALS), signal.SIG_IGN)):
        yield


@contextmanager
def _handlers(wanted: dict[signal.Signals, Any]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may have signal handlers
        return
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
