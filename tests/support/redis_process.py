"""A Redis of the tests: a child process on a free port, without persistence."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import redis
from tests.support.ports import free_port
from tests.support.waiting import until

PATIENCE_SECONDS = 120.0


@contextmanager
def redis_process(folder: Path) -> Iterator[str]:
    """Run a Redis in a folder; give its address."""
    port = free_port()
    with running(folder, port):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def running(folder: Path, port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Redis with options of its own; give its process."""
    common = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--appendonly", "no"]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(["redis-server", *options, *common], stdout=log, stderr=log)
    try:
        _wait_for(port, process, folder / "log")
        yield process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        with suppress(redis.AuthenticationError):
            client.ping()
        return True

    with redis.Redis(port=port) as client:
        until(answers, PATIENCE_SECONDS, despite=(redis.ConnectionError,))
