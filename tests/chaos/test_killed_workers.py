"""Workers that are killed at work: the job completes by itself, and what it leaves is what it would have left anyway."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from tests.chaos.chaos_stack import kill, process, state, until

from interlace.bootstrap import Platform
from interlace.jobs.service import JobStatus
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings

pytestmark = [pytest.mark.slow]

DOCUMENTS = 72
TENANT = "chaos"
PATIENCE = 150.0
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
    until(lambda: enough(platform.jobs.status(TENANT, job)), PATIENCE, lambda: platform.jobs.status(TENANT, job).stages)
    return platform.jobs.status(TENANT, job)


def finished(now: JobStatus) -> bool:
    return now.finished


def begin(platform: Platform, folder: Path) -> str:
    return platform.receiver.receive(TENANT, find_sources([folder], limits=ParseLimits())).job_id


def test_workers_killed_at_work_leave_what_undisturbed_ones_leave(
    platform: Platform, hasty_stack: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "films"
    write_corpus(folder)
    calm = wait(platform, begin(platform, folder), finished)
    assert (calm.ready, calm.failed) == (DOCUMENTS, 0)
    undisturbed = state(platform, TENANT, tmp_path / "undisturbed.jsonl")
    gone = wait(platform, platform.receiver.delete(TENANT, everything=True).job_id, finished)
    assert gone.deleted == DOCUMENTS
    assert state(platform, TENANT, tmp_path / "empty.jsonl") == (b"", {})

    job = begin(platform, folder)
    wait(platform, job, lambda now: 0 < now.ready < DOCUMENTS)
    kill(process(hasty_stack, "worker", PATIENCE).children()[0])
    before = wait(platform, job, lambda now: now.ready > DOCUMENTS // 3)
    parent = process(hasty_stack, "worker", PATIENCE)
    pool = parent.children(recursive=True)
    # The pool's processes outlive their parent for a while: what they still do must not be done twice.
    kill(parent)
    assert before.ready < DOCUMENTS
    until(lambda: process(hasty_stack, "worker", PATIENCE).pid != parent.pid, PATIENCE)

    after = wait(platform, job, finished)
    assert (after.ready, after.failed) == (DOCUMENTS, 0)
    assert state(platform, TENANT, tmp_path / "disturbed.jsonl") == undisturbed
    assert psutil.wait_procs(pool, timeout=PATIENCE)[1] == []
