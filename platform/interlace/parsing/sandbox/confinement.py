"""Confinement of the parser process: it cannot grow, write files, start processes, or reach the network.

Resource limits (``setrlimit``), a network namespace (``unshare``) where the kernel permits one, and an audit hook (PEP 578).
"""

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
_REFUSED_EVENTS = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile", "pty.",
)  # fmt: skip
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def confine(memory_bytes: int) -> str:
    """Confine this process permanently and return how the network is closed: ``network namespace`` or ``audit hook``.

    The audit hook is set in both cases. Without a namespace (no privilege, or a system other than Linux) it is the only barrier,
    and native code could get past it.
    """
    network = "network namespace" if _leave_network() else "audit hook"
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_AS, memory_bytes)
    # The kernel counts all processes of the user and exempts root; the audit hook covers both cases.
    _limit(resource.RLIMIT_NPROC, 0)
    sys.addaudithook(_refuse)
    return network


def allow_cpu(seconds: float) -> None:
    """Allow the process that much more CPU time; then the kernel kills it, even if the service that watches it is gone."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    # Some systems refuse a limit that they do not know; the other limits still apply.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _leave_network() -> bool:
    """Move into an empty network namespace and return whether that worked; without root this also needs a user namespace."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    flags = _CLONE_NEWNET if os.geteuid() == 0 else _CLONE_NEWUSER | _CLONE_NEWNET
    return bool(libc.unshare(flags) == 0)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    writes = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _WRITE_FLAGS)
    if writes or event.startswith(_REFUSED_EVENTS):
        raise PermissionError(f"A parser process may not do this: {event}.")
