"""Health check of a process of the platform, for the container engine: ``python healthcheck.py api|worker|beat``.

Exits with 0 if the process is healthy. ``api`` asks ``/readyz``, ``worker`` looks for pool processes below process 1, ``beat`` for the lock that the
scheduler renews in Redis.
"""

import sys
import urllib.request
from http import HTTPStatus
from pathlib import Path

SECONDS = 4
POOL = 1


def api() -> bool:
    """Return whether the API and, through it, the graph answer."""
    from interlace.settings import load_settings

    address = f"http://127.0.0.1:{load_settings().api.port}/readyz"
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:
        return bool(answer.status == HTTPStatus.OK)


def worker() -> bool:
    """Return whether the worker, which is process 1, has a process in its pool."""
    children = Path("/proc/1/task/1/children").read_text(encoding="ascii").split()
    return len(children) >= POOL


def beat() -> bool:
    """Return whether a scheduler has the lock; a dead scheduler's lock expires."""
    from interlace.adapters.redis.client import redis_client
    from interlace.settings import load_settings

    with redis_client(load_settings().redis, SECONDS) as redis:
        return bool(redis.exists("redbeat::lock"))


if __name__ == "__main__":
    sys.exit(0 if {"api": api, "worker": worker, "beat": beat}[sys.argv[1]]() else 1)
