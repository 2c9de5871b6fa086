"""The platform of one pool process, opened when its first task comes: connections and ONNX sessions do not survive a fork."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


@cache
def platform() -> "Platform":
    """Return this process's platform. Imported here, because the scheduler never needs it."""
    from interlace.bootstrap import Platform

    return Platform.open()


def close_platform() -> None:
    """Close this process's platform, if a task has opened it."""
    if platform.cache_info().currsize:
        platform().close()
