"""Following a job: why nothing moves, and progress without a terminal."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_services import MemoryJobs
from tests.unit.cli.test_cli_jobs import DONE, RUNNING

from interlace.cli import waiting
from interlace.cli.commands.backup import save_with_retry
from interlace.domain.errors import ConflictError
from interlace.jobs.service import ReadByModel
from interlace.leases.lease import LeaseHeldError, acquired
from interlace.settings import load_settings


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_ASK_SECONDS", "_STILL_SECONDS", "_LINE_SECONDS"):
        monkeypatch.setattr(f"interlace.cli.waiting.{name}", 0.0)


@pytest.mark.parametrize(
    ("workers", "away", "sentence"),
    [
        (0, False, "no worker runs. `interlace up`"),
        (1, False, "1 worker runs, busy with other work"),
        (2, False, "2 workers run, busy"),
        (0, True, "Redis at 127.0.0.1:6379 does not answer"),
    ],
)
def test_a_job_that_waits_says_what_for(
    workers: int, away: bool, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    queue = MemoryQueue()
    for number in range(workers):
        queue.record_worker(str(number), 60)
    queue.away = away
    jobs: Any = MemoryJobs.of(RUNNING, RUNNING, DONE)
    waiting.wait_for(jobs, "acme", "j1", workers=queue.workers)
    assert capsys.readouterr().err.count(sentence) == 1


def test_a_job_whose_large_document_is_being_read_does_not_wait_for_others(capsys: pytest.CaptureFixture[str]) -> None:
    queue = MemoryQueue()
    queue.record_worker("1", 60)
    reading = replace(RUNNING, stages={"parsed": 1, "received": 3})
    jobs: Any = MemoryJobs.of(reading, reading, DONE)
    waiting.wait_for(jobs, "acme", "j1", workers=queue.workers)
    said = capsys.readouterr().err
    assert "1 worker runs, at work on 1 document of this job. A large one takes minutes." in said
    assert "other work" not in said


def test_a_job_whose_sender_is_silent_waits_for_no_worker(capsys: pytest.CaptureFixture[str]) -> None:
    queue = MemoryQueue()
    queue.record_worker("1", 60)
    silent = replace(RUNNING, state="receiving", stages={})
    jobs: Any = MemoryJobs.of(silent, silent, DONE)
    waiting.wait_for(jobs, "acme", "j1", workers=queue.workers)
    said = capsys.readouterr().err
    assert "nothing more has arrived from the sender" in said
    assert "other work" not in said


def test_progress_without_a_terminal_is_lines(capsys: pytest.CaptureFixture[str]) -> None:
    jobs: Any = MemoryJobs.of(RUNNING, RUNNING, replace(RUNNING, chunks=5000), DONE)
    waiting.wait_for(jobs, "acme", "j1", workers=lambda: 1)
    lines = [line for line in capsys.readouterr().err.splitlines() if "documents" in line]
    assert lines == [waiting.describe(RUNNING), waiting.describe(replace(RUNNING, chunks=5000))]
    waiting.wait_for(MemoryJobs.of(RUNNING, DONE), "acme", "j1", workers=lambda: 1, quiet=True)  # type: ignore[arg-type]
    assert "documents" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        (ReadByModel(994, 120, 0, 48_200, 0.03, ()), "enriching 120/994, 48k tokens, 0.03 $"),
        (ReadByModel(994, 994, 2, 900, 0.0, ()), "enriched 994/994, 900 tokens, 0.00 $, 2 without a usable answer"),
    ],
)
def test_a_job_says_how_far_a_model_has_read_its_documents(model: ReadByModel, shown: str) -> None:
    assert shown in waiting.describe(replace(RUNNING, model=model)).split(" · ")


@pytest.mark.parametrize(
    ("conflict", "attempts"),
    [
        (LeaseHeldError("Someone is at it"), 3),
        (ConflictError("Older chunks of tenant 'refreshed' are being linked"), 1),
    ],
)
def test_a_backup_waits_only_for_a_run_that_ends(
    monkeypatch: pytest.MonkeyPatch, conflict: ConflictError, attempts: int
) -> None:
    done = []

    def save(*_: Any, **__: Any) -> str:
        done.append(1)
        if len(done) < 3:
            raise conflict
        return "saved"

    monkeypatch.setattr("interlace.export.backup.save", save)
    monkeypatch.setattr("interlace.cli.waiting._RETRY_SECONDS", 0.0)
    platform: Any = SimpleNamespace(graph=None, settings=load_settings(), communities=SimpleNamespace(paused=None))
    with suppress(ConflictError):
        saved: Any = save_with_retry(platform, ["refreshed"], Path("b"))
        assert saved == "saved"
    assert len(done) == attempts


def test_who_waits_for_a_run_need_not_try_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("interlace.cli.waiting._RETRY_SECONDS", 0.0)
    graph: Any = SimpleNamespace(run=lambda *_, **__: [])
    attempts = iter((1, 2, 3))

    def work() -> None:
        if next(attempts) < 3:
            with acquired(graph, "acme", "communities", seconds=300, busy="Communities are being refreshed"):
                pass

    waiting.retry_on_conflict(work, timeout=60)
    assert capsys.readouterr().err == "Communities are being refreshed; waiting for it.\n"
