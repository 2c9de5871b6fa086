"""Workers that are killed at work: the job completes by itself, and what it leaves is what it would have left anyway."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from interlace.bootstrap import Platform
from interlace.ingestion.dump import dump
from interlace.ingestion.jobs import JobStatus
from interlace.ingestion.sources import find_sources
from interlace.parsing.limits import ParseLimits
from interlace.settings import Settings
from interlace.stack.status import status

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

DOCUMENTS = 150
TENANT = "chaos"
PATIENCE = 240.0
PEOPLE = ["Fritz Lang", "Thea von Harbou", "Brigitte Helm", "Erich Pommer", "Karl Freund", "Ada Lovelace"]
PLACES = ["Vienna", "Berlin", "Babelsberg", "Rome", "Old Mill", "Paris"]
SENTENCES = [
    "{a} directed a film in {p}.",
    "{b} was born in {p} and met {a}.",
    "In {p}, {a} worked with {b} for years.",
    "See [[{a}]] and [[{p}#place]] for more.",
    "{a} founded a studio in {p} that {b} bought.",
]


def write_corpus(folder: Path) -> None:
    """Write documents that name each other's people and places; the same ones every time."""
    chance = random.Random(7)
    folder.mkdir()
    for number in range(DOCUMENTS):
        subject = chance.choice(PEOPLE + PLACES)
        parts = [f"---\ntags: [group/{number % 5}]\naliases: [Alias {number % 9}]\n---\n# {subject} {number}\n"]
        for part in range(3):
            body = " ".join(
                chance.choice(SENTENCES).format(
                    a=chance.choice(PEOPLE), b=chance.choice(PEOPLE), p=chance.choice(PLACES)
                )
                for _ in range(8)
            )
            parts.append(f"\n## Part {part}\n\n{body} [next]({(number + 1) % DOCUMENTS}.md)\n")
        (folder / f"{number}.md").write_text("".join(parts), encoding="utf-8")


@pytest.fixture
def platform(hasty_stack: Settings) -> Iterator[Platform]:
    opened = Platform(hasty_stack)
    yield opened
    opened.close()


def wait(platform: Platform, job: str, enough: Callable[[JobStatus], bool]) -> JobStatus:
    deadline = time.monotonic() + PATIENCE
    while True:
        now = platform.jobs.status(TENANT, job)
        if enough(now):
            return now
        assert time.monotonic() < deadline, f"the job stands still: {now}"
        time.sleep(0.1)


def finished(now: JobStatus) -> bool:
    return now.finished


def begin(platform: Platform, folder: Path) -> str:
    return platform.intake.receive(TENANT, find_sources([folder], limits=ParseLimits())).job_id


def state(platform: Platform, target: Path) -> tuple[bytes, dict[str, object]]:
    """Return the dump, and every point: its vectors and its payload."""
    dump(platform.graph, TENANT, target)
    points: dict[str, object] = {
        point.id: ({name: vector.tobytes() for name, vector in point.dense.items()}, point.sparse, point.payload)
        for point in platform.vectors.scroll(TENANT, "chunks", vectors=True)
    }
    return target.read_bytes(), points


def worker(settings: Settings, after: int | None = None) -> psutil.Process:
    """Return the worker's parent process as the supervisor runs it now; one that follows the process ``after`` if given."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        (program,) = (program for program in status(settings) if program.name == "worker")
        if program.state == "RUNNING" and program.pid and program.pid != after:
            return psutil.Process(program.pid)
        time.sleep(0.1)
    raise AssertionError("the supervisor did not start the worker again")


def test_workers_killed_at_work_leave_what_undisturbed_ones_leave(
    platform: Platform, hasty_stack: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "films"
    write_corpus(folder)
    calm = wait(platform, begin(platform, folder), finished)
    assert (calm.ready, calm.failed) == (DOCUMENTS, 0)
    undisturbed = state(platform, tmp_path / "undisturbed.jsonl")
    gone = wait(platform, platform.intake.delete(TENANT, everything=True).job_id, finished)
    assert gone.deleted == DOCUMENTS
    assert state(platform, tmp_path / "empty.jsonl") == (b"", {})

    job = begin(platform, folder)
    wait(platform, job, lambda now: 0 < now.ready < DOCUMENTS)
    worker(hasty_stack).children()[0].send_signal(signal.SIGKILL)
    before = wait(platform, job, lambda now: now.ready > DOCUMENTS // 3)
    parent = worker(hasty_stack)
    pool = parent.children(recursive=True)
    # The pool's processes outlive their parent for a while: what they still do must not be done twice.
    parent.send_signal(signal.SIGKILL)
    assert before.ready < DOCUMENTS
    worker(hasty_stack, after=parent.pid)

    after = wait(platform, job, finished)
    assert (after.ready, after.failed) == (DOCUMENTS, 0)
    assert state(platform, tmp_path / "disturbed.jsonl") == undisturbed
    assert psutil.wait_procs(pool, timeout=60)[1] == []
