"""Runs tests: first those that compare times, with nothing beside them; then the rest in two halves side by side.

One half mostly waits, for servers that start and die and for browsers; the other keeps the processors busy meanwhile.

``.venv/bin/python ops/ci/halves.py [OPTION…]``, with options of pytest such as ``-m "not slow"``; without any, every test. Shows the busy half as it runs, the waiting half when it has ended, and last the busy half's closing
line again; ends with 1 if any test failed. Ctrl-C and SIGTERM are for the whole process group: every part stops the servers it started.
"""

import os
import signal
import subprocess
import sys
import tempfile
from typing import Final

import pytest

TIMED: Final = ("tests/integration/test_exactness_cost.py",)
WAITING: Final = (
    "tests/chaos/test_disk_full.py",
    "tests/chaos/test_disturbed_connections.py",
    "tests/chaos/test_killed_programs.py",
    "tests/chaos/test_killed_workers.py",
    "tests/contract",
    "tests/e2e",
    "tests/security",
    "tests/integration/test_access_keys.py",
    "tests/integration/test_backup.py",
    "tests/integration/test_exactness_evaluation.py",
    "tests/integration/test_stack.py",
    "tests/integration/test_summaries.py",
    "tests/integration/test_tenant_removal.py",
    "tests/integration/test_two_api_processes.py",
    "tests/integration/test_vectors_rebuild.py",
)
_PYTEST: Final = (sys.executable, "-m", "pytest", "--durations=15", *sys.argv[1:])
_NOTHING_CHOSEN: Final = pytest.ExitCode.NO_TESTS_COLLECTED
"""What a part ends with if the options leave it no test."""
_BLOCK: Final = 65_536


def main() -> int:
    """Run the tests that compare times, then both halves, and return 0 if all tests passed, and there were any."""
    stopped: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: stopped.append(number))
    timed = subprocess.run([*_PYTEST, *TIMED], check=False).returncode
    if stopped:
        return 1
    with tempfile.TemporaryFile() as log:
        waiting = subprocess.Popen([*_PYTEST, *WAITING], stdout=log, stderr=subprocess.STDOUT)
        reading, writing = os.pipe()
        busy = subprocess.Popen([*_PYTEST, *(f"--ignore={each}" for each in (*TIMED, *WAITING))], stdout=writing)
        os.close(writing)
        closing = _shown(reading)
        codes = (busy.wait(), waiting.wait())
        log.seek(0)
        _shown(log.fileno())
        os.write(sys.stdout.fileno(), closing + b"\n")
    failed = {timed, *codes} - {pytest.ExitCode.OK, _NOTHING_CHOSEN}
    return int(bool(failed) or {timed, *codes} == {_NOTHING_CHOSEN})


def _shown(source: int) -> bytes:
    """Pass bytes on as they come and return the last line that says anything."""
    last = b""
    while block := os.read(source, _BLOCK):
        os.write(sys.stdout.fileno(), block)
        last = (last + block)[-_BLOCK:]
    return last.rstrip().rpartition(b"\n")[2]


if __name__ == "__main__":
    raise SystemExit(main())
