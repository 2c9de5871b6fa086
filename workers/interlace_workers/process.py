"""The platform of one pool process, opened when its first task comes: connections and ONNX sessions do not survive a fork."""

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


_lock = threading.Lock()


def platform() -> "Platform":
    """Return this process's platform; the warm-up and the first task get the same one."""
    with _lock:
        return _opened()


def close_platform() -> None:
    """Close this process's platform, if a task has opened it."""
    if _opened.cache_info().currsize:
        platform().close()


@cache
def _opened() -> "Platform":
    # Imported here, because the scheduler never needs it.
    from interlace.bootstrap import Platform

    return Platform.open()
