"""Tells the container engine whether a process of the platform is well: ``python healthcheck.py api|worker|beat``.

Exits with 0 if it is. ``api`` asks ``/readyz``, ``worker`` looks for pool processes below process 1, ``beat`` for the lock that the
scheduler renews in Redis.
"""

import sys
import urllib.request
from http import HTTPStatus
from pathlib import Path

SECONDS = 4
POOL = 1


def api() -> bool:
    """Tell whether the API answers and the graph with it."""
    from interlace.settings import load_settings

    address = f"http://127.0.0.1:{load_settings().api.port}/readyz"
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:
        return bool(answer.status == HTTPStatus.OK)


def worker() -> bool:
    """Tell whether the worker, which is process 1, has a process that works."""
    children = Path("/proc/1/task/1/children").read_text(encoding="ascii").split()
    return len(children) >= POOL


def beat() -> bool:
    """Tell whether a scheduler holds its lock; a dead one's lapses."""
    from redis import Redis

    from interlace.settings import load_settings

    with Redis.from_url(load_settings().redis.url.get_secret_value(), socket_timeout=SECONDS) as redis:
        return bool(redis.exists("redbeat::lock"))


if __name__ == "__main__":
    sys.exit(0 if {"api": api, "worker": worker, "beat": beat}[sys.argv[1]]() else 1)
