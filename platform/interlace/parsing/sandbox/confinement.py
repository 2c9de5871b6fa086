"""What a parser process may not do: grow, write files, start processes, or reach the network."""

import contextlib
import ctypes
import math
import os
import resource
import sys
from typing import Any

_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_PR_SET_NO_NEW_PRIVS = 38
_OPEN_FILES = 64
_REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile", "pty.")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def confine(memory_bytes: int) -> str:
    """Confine this process for good and return how the network is closed: ``network namespace`` or ``audit hook``.

    The audit hook is set either way; without a namespace (no privilege, or another system than Linux) it stands alone, and native code
    could get past it.
    """
    network = "network namespace" if _leave_network() else "audit hook"
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_AS, memory_bytes)
    # Counts a user's processes rather than this one's, and does not bind root: the audit hook does.
    _limit(resource.RLIMIT_NPROC, 0)
    sys.addaudithook(_refuse)
    return network


def allow_cpu(seconds: float) -> None:
    """Let the process use that much more CPU time, then the kernel ends it: holds even when nobody watches any more."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    # Some systems refuse a limit they do not know; the others still hold.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _leave_network() -> bool:
    """Move into an empty network namespace; as an ordinary user by way of a user namespace, where that is permitted."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    flags = _CLONE_NEWNET if os.geteuid() == 0 else _CLONE_NEWUSER | _CLONE_NEWNET
    return bool(libc.unshare(flags) == 0)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    writes = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _WRITING)
    if writes or event.startswith(_REFUSED):
        raise PermissionError(f"A parser process may not do this: {event}.")
