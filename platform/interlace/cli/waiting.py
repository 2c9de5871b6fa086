"""Follows a job until it is finished: a progress bar for people, a warning when no worker runs, a way back after Ctrl-C. And waits for other processes."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn

from interlace.cli.entry import INTERRUPTED
from interlace.cli.output import in_tenant, say
from interlace.cli.terminal import console
from interlace.domain.errors import ConflictError, UnavailableError
from interlace.jobs.service import Jobs, JobStatus, ReadByModel
from interlace.leases.lease import LeaseHeldError

T = TypeVar("T")
_ASK_SECONDS = 0.4
_RETRY_SECONDS = 1.0
_PAUSE_FACTOR = 10.0  # an answer grows with the job; following it should not slow it down
_STILL_SECONDS = 15.0
_NOT_BEGUN = frozenset({"received", "quarantined"})
_LINE_SECONDS = 5.0
_THOUSANDS = 10_000


def wait_for(jobs: Jobs, tenant: str, job_id: str, *, workers: Callable[[], int], quiet: bool = False) -> JobStatus:
    """Return the job's last state once it is finished.

    Args:
        jobs: where to ask.
        tenant: whose job.
        job_id: the job.
        quiet: show no progress, for scripts; warnings are shown all the same.
        workers: counts the workers that run, for the warning when nothing moves.

    Raises:
        Exit: with 130 on Ctrl-C, after telling how to go on; the job itself goes on by itself.
        NotFoundError: there is no such job.
    """
    stopped = (
        f"Stopped watching; the job goes on. `interlace jobs show {job_id} --follow` watches it again, "
        f"`interlace jobs cancel {job_id}` cancels what has not started."
    )
    stall, lines = _StallDetector(), Lines(quiet=quiet)
    with interruptible(stopped, tenant), job_progress(quiet=quiet) as progress:
        task = progress.add_task("", total=None, shown="waiting for a worker")
        while True:
            asked = time.monotonic()
            status = jobs.status(tenant, job_id)
            pause = max(_ASK_SECONDS, _PAUSE_FACTOR * (time.monotonic() - asked))
            _show(progress, task, status)
            if status.finished:
                return status
            lines.show(describe(status))
            if stall.detected(status):
                progress.console.print(_stall_reason(status, workers), style="yellow")
            time.sleep(pause)


@contextmanager
def interruptible(stopped: str, tenant: str) -> Iterator[None]:
    """Say on Ctrl-C what was done and how to go on in the tenant, and exit with 130."""
    try:
        yield
    except KeyboardInterrupt:
        say(in_tenant(stopped, tenant))
        raise typer.Exit(INTERRUPTED) from None


def job_progress(*, quiet: bool) -> Progress:
    """Return a progress bar on standard error, of which only terminals see anything."""
    return Progress(
        SpinnerColumn(),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[shown]}"),
        console=console(stderr=True),
        disable=quiet or not sys.stderr.isatty(),
        transient=True,
    )


def describe(status: JobStatus) -> str:
    """Return a job's counts as one line: documents, chunks, mentions, facts, speed and time to go."""
    if status.kind == "enrich":
        return enriching(status.model) if status.model is not None else "nothing to read"
    done = status.ready + status.deleted + status.failed
    parts = [f"{done:,}/{counted(status.total, 'document', 'documents')}"]
    if status.kind != "delete":
        parts.append(counted(status.chunks, "chunk", "chunks"))
        parts.append(counted(status.mentions, "mention", "mentions"))
        parts.append(counted(status.facts, "fact", "facts"))
    if status.failed:
        parts.append(f"{status.failed:,} failed")
    if status.model is not None:
        parts.append(enriching(status.model))
    if not status.finished:
        parts.append(f"{status.rate:.1f}/s")
        if status.eta_seconds is not None:
            parts.append(f"{timedelta(seconds=round(status.eta_seconds))} to go")
    return " · ".join(parts)


def enriching(model: ReadByModel) -> str:
    """Return how far a language model has read a job's documents, and what it took: ``enriching 120/994, 48k tokens, 0.03 $``."""
    tokens = f"{model.tokens / 1000:.0f}k" if model.tokens >= _THOUSANDS else str(model.tokens)
    verb = "enriched" if model.done == model.chunks else "enriching"
    shown = f"{verb} {model.done:,}/{model.chunks:,}, {tokens} tokens, {model.cost:.2f} $"
    return f"{shown}, {model.failed:,} without a usable answer" if model.failed else shown


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def _show(progress: Progress, task: TaskID, status: JobStatus) -> None:
    done = status.ready + status.deleted + status.failed
    total = status.total if status.state != "receiving" else None
    progress.update(task, completed=done, total=total, shown=describe(status))


def _stall_reason(status: JobStatus, workers: Callable[[], int]) -> str:
    """Return why nothing moves, as far as it is known, and what to do about it."""
    since = f"No progress for {_STILL_SECONDS:.0f} s"
    start = "`interlace up`, or `interlace worker`, starts one. Received documents are kept."
    try:
        running = workers()
    except UnavailableError as error:
        return f"{since}: {error.message}"
    if not running:
        return f"{since}: no worker runs. {start}"
    if status.state == "receiving" and not status.stages:
        return f"{since}: nothing more has arrived from the sender. After 15 minutes of silence the job is closed with what it has."
    shown = f"{since}: {counted(running, 'worker runs', 'workers run')}"
    if begun := sum(count for stage, count in status.stages.items() if stage not in _NOT_BEGUN):
        return f"{shown}, at work on {counted(begun, 'document', 'documents')} of this job. A large one takes minutes."
    return f"{shown}, busy with other work. This job follows when they are free."


def retry_on_conflict(work: Callable[[], T], *, timeout: float, passing: type[ConflictError] = ConflictError) -> T:
    """Return the result of work, repeated for ``timeout`` seconds while it ends in a conflict with another process that will pass."""
    deadline = time.monotonic() + timeout
    for attempt in count():
        try:
            return work()
        except passing as error:
            if time.monotonic() > deadline:
                raise
            if attempt == 0:
                held = error.busy if isinstance(error, LeaseHeldError) else ""
                say(f"{held}; waiting for it." if held else f"{error.message} Waiting for it.")
            time.sleep(_RETRY_SECONDS)
    raise AssertionError  # an attempt returns or raises


class Lines:
    """Progress for those who see no bar: a line on standard error every few seconds while something changes."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and not sys.stderr.isatty()
        self._last = ""
        self._since = time.monotonic()

    def show(self, line: str) -> None:
        """Write a line if it is time and says something new; the end is said by whoever waits."""
        if not self._shown or time.monotonic() - self._since < _LINE_SECONDS:
            return
        if line != self._last:
            say(line)
        self._last, self._since = line, time.monotonic()


class _StallDetector:
    """Notices, once, that a job has not moved for a while."""

    def __init__(self) -> None:
        self._last: Any = None
        self._since = time.monotonic()
        self._said = False

    def detected(self, status: JobStatus) -> bool:
        """Return whether to say now that nothing moves; true once."""
        seen = (status.ready, status.deleted, status.failed, dict(status.stages), status.model)
        if seen != self._last:
            self._last, self._since = seen, time.monotonic()
        if self._said or time.monotonic() - self._since < _STILL_SECONDS:
            return False
        self._said = True
        return True
