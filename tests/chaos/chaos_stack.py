"""What the tests that disturb a running stack share: the stack's processes, and what a tenant holds in the end."""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from tests.support import waiting
from tests.support.waiting import POLL_SECONDS

from interlace.bootstrap import Platform
from interlace.domain.errors import InterlaceError
from interlace.export.canonical import dump
from interlace.settings import Settings
from interlace_stack.status import status

State = tuple[bytes, dict[str, Any]]
until = partial(waiting.until, despite=(InterlaceError,))
"""Waits although servers are away."""


def seed() -> int:
    """Return the seed of this run: ``INTERLACE_TEST_SEED``, or one that no one has chosen. It is printed."""
    chosen = int(os.environ.get("INTERLACE_TEST_SEED") or random.SystemRandom().randrange(1_000_000))
    tell(f"INTERLACE_TEST_SEED={chosen}")
    return chosen


def tell(sentence: str) -> None:
    """Write what a run does to standard output: pytest shows it with a failure, and with ``-s`` at once."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def state(platform: Platform, tenant: str, target: Path) -> State:
    """Return a tenant's canonical dump, and every point: its vectors and its payload."""
    dump(platform.graph, tenant, target)
    points: dict[str, Any] = {
        point.id: (
            {name: vector.tobytes() for name, vector in point.dense.items()},
            point.sparse,
            {**point.payload, "indexed_at": ""},
        )
        for point in platform.vectors.scroll(tenant, "chunks", vectors=True)
    }
    return target.read_bytes(), points


def process(settings: Settings, program: str, seconds: float) -> psutil.Process:
    """Return a program's process, once its supervisor runs it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        (found,) = (each for each in status(settings) if each.name == program)
        with suppress(psutil.NoSuchProcess):
            if found.pid:
                return psutil.Process(found.pid)
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"no one started {program} again within {seconds:g} s")


def pool_process(settings: Settings, chance: random.Random, seconds: float) -> psutil.Process:
    """Return one of the processes in which the worker's tasks run."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            if pool := process(settings, "worker", seconds).children():
                return chance.choice(pool)
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"the worker had no pool within {seconds:g} s")


def kill(victim: psutil.Process) -> None:
    """Send SIGKILL; somebody who is gone already needs none."""
    with suppress(psutil.NoSuchProcess):
        victim.send_signal(signal.SIGKILL)
