"""A Redis of the tests: a child process on a free port, without persistence."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from tests.support.ports import free_port

_START_SECONDS = 120.0


@contextmanager
def redis_process(folder: Path) -> Iterator[str]:
    """Run a Redis in a folder; give its address."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--appendonly", "no"]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(["redis-server", *options], stdout=log, stderr=log)
    try:
        _wait_for(port, process, folder / "log")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(timeout=_START_SECONDS)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    with redis.Redis(port=port) as client:
        while time.monotonic() < deadline:
            try:
                client.ping()
            except redis.ConnectionError:
                assert process.poll() is None, log.read_text()
            else:
                return
    raise AssertionError(log.read_text())
