"""Runs tests in three parts side by side.

``.venv/bin/python ops/ci/parts.py [OPTION…]``, with options of pytest such as ``-m "not slow"``; without any, every test. Shows the last part as it runs, the others when they have ended, and then the last
one's closing line again; ends with 1 if any test failed. Ctrl-C and SIGTERM are for the whole process group: every part stops the servers it started.
"""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from itertools import chain
from typing import IO, Final

import pytest

# Two cores are busy only if some part always computes. The first part has all that needs `full_stack` or `hasty_stack` and nothing that needs `stack`, because a
# server costs as much to start as its first plans do. It often waits, for programs that die and for browsers, and so it has the unit tests, which compute.
PARTS: Final = (
    (
        "tests/chaos/test_killed_programs.py",
        "tests/chaos/test_killed_workers.py",
        "tests/e2e",
        "tests/eval/test_communities_stay.py",
        "tests/eval/test_retrieval_marks.py",
        "tests/eval/test_same_again.py",
        "tests/property",
        "tests/unit",
        "tests/integration/test_stack.py",
    ),
    (
        "tests/chaos/test_disk_full.py",
        "tests/chaos/test_disturbed_connections.py",
        "tests/chaos/test_killed_at_boundaries.py",
        "tests/contract",
        "tests/e2e/test_api_graph.py",
        "tests/e2e/test_browser_pages.py",
        "tests/eval/test_recorded_extraction.py",
        "tests/security",
        "tests/integration/test_access_keys.py",
        "tests/integration/test_backup.py",
        "tests/integration/test_browser_queries.py",
        "tests/integration/test_cypher_files.py",
        "tests/integration/test_exactness_evaluation.py",
        "tests/integration/test_summaries.py",
        "tests/integration/test_tenant_removal.py",
        "tests/integration/test_token_budgets.py",
        "tests/integration/test_two_api_processes.py",
        "tests/integration/test_vectors_rebuild.py",
    ),
)
"""All parts but the last, which is what they do not hold. Of a folder, a part has what no other part names."""
_PYTEST: Final = (sys.executable, "-m", "pytest", "--durations=15", *sys.argv[1:])
_NOTHING_CHOSEN: Final = pytest.ExitCode.NO_TESTS_COLLECTED
"""What a part ends with if the options leave it no test."""
_BLOCK: Final = 65_536


def main() -> int:
    """Run the parts and return 0 if all tests passed, and there were any."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # every part gets the signal, too, and is waited for
    with ExitStack() as logs:
        others = [_started(paths, logs.enter_context(tempfile.TemporaryFile())) for paths in PARTS]
        reading, writing = os.pipe()
        ignored = (f"--ignore={path}" for path in chain(*PARTS))
        last = subprocess.Popen([*_PYTEST, *ignored], stdout=writing)
        os.close(writing)
        closing = _shown(reading)
        codes = {last.wait()}
        for part, log in others:
            codes.add(part.wait())
            log.seek(0)
            _shown(log.fileno())
        os.write(sys.stdout.fileno(), closing + b"\n")
    return int(bool(codes - {pytest.ExitCode.OK, _NOTHING_CHOSEN}) or codes == {_NOTHING_CHOSEN})


def _started(paths: tuple[str, ...], log: IO[bytes]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    below = tuple(f"{path}/" for path in paths)
    ignored = (f"--ignore={path}" for path in chain(*PARTS) if path.startswith(below))
    return subprocess.Popen([*_PYTEST, *paths, *ignored], stdout=log, stderr=subprocess.STDOUT), log


def _shown(source: int) -> bytes:
    """Pass bytes on as they come and return the last line that says anything."""
    last = b""
    while block := os.read(source, _BLOCK):
        os.write(sys.stdout.fileno(), block)
        last = (last + block)[-_BLOCK:]
    return last.rstrip().rpartition(b"\n")[2]


if __name__ == "__main__":
    raise SystemExit(main())
