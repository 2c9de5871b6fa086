"""Follows a job until it is finished: a progress bar for people, a warning when no worker runs, a way back after Ctrl-C."""

import sys
import time
from datetime import timedelta
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn

from interlace.cli.output import say
from interlace.jobs.service import Jobs, JobStatus

_ASK_SECONDS = 0.4
_PAUSE_FACTOR = 10.0  # an answer grows with the job; following it should not slow it down
_STILL_SECONDS = 15.0
_INTERRUPTED = 130


def wait_for(jobs: Jobs, tenant: str, job_id: str, *, quiet: bool = False) -> JobStatus:
    """Return the job's last state once it is finished.

    Args:
        jobs: where to ask.
        tenant: whose job.
        job_id: the job.
        quiet: show no progress, for scripts; warnings are shown all the same.

    Raises:
        Exit: with 130 on Ctrl-C, after telling how to go on; the job itself goes on by itself.
        NotFoundError: there is no such job.
    """
    watch = _Watch()
    with job_progress(quiet=quiet) as progress:
        task = progress.add_task("", total=None, shown="waiting for a worker")
        try:
            while True:
                asked = time.monotonic()
                status = jobs.status(tenant, job_id)
                pause = max(_ASK_SECONDS, _PAUSE_FACTOR * (time.monotonic() - asked))
                _show(progress, task, status)
                if status.finished:
                    return status
                if watch.stands_still(status):
                    progress.console.print(
                        f"Nothing has moved for {_STILL_SECONDS:.0f} s: no worker runs, or all have other work. What was received is kept. "
                        "`interlace status` shows the processes; `interlace up`, or `interlace worker`, starts them.",
                        style="yellow",
                    )
                time.sleep(pause)
        except KeyboardInterrupt:
            progress.stop()
            say(
                f"Stopped watching; the job goes on. `interlace jobs show {job_id} --follow` watches it again, "
                f"`interlace jobs cancel {job_id}` drops what is not begun."
            )
            raise typer.Exit(_INTERRUPTED) from None


def job_progress(*, quiet: bool) -> Progress:
    """Return a progress bar on standard error, of which only terminals see anything."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[shown]}"),
        console=console,
        disable=quiet or not sys.stderr.isatty(),
        transient=True,
    )


def describe(status: JobStatus) -> str:
    """Return a job's counts as one line: documents, chunks, names, facts, speed and time to go."""
    done = status.ready + status.deleted + status.failed
    parts = [f"{done:,}/{counted(status.total, 'document', 'documents')}"]
    if status.kind != "delete":
        parts.append(counted(status.chunks, "chunk", "chunks"))
        parts.append(counted(status.mentions, "entity", "entities"))
        parts.append(counted(status.facts, "fact", "facts"))
    if status.failed:
        parts.append(f"{status.failed:,} failed")
    if not status.finished:
        parts.append(f"{status.rate:.1f}/s")
        if status.eta_seconds is not None:
            parts.append(f"{timedelta(seconds=round(status.eta_seconds))} to go")
    return " · ".join(parts)


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def _show(progress: Progress, task: TaskID, status: JobStatus) -> None:
    done = status.ready + status.deleted + status.failed
    total = status.total if status.state != "receiving" else None
    progress.update(task, completed=done, total=total, shown=describe(status))


class _Watch:
    """Notices, once, that a job has not moved for a while."""

    def __init__(self) -> None:
        self._last: Any = None
        self._since = time.monotonic()
        self._said = False

    def stands_still(self, status: JobStatus) -> bool:
        """Return whether to say now that nothing moves; true once."""
        seen = (status.ready, status.deleted, status.failed, dict(status.stages))
        if seen != self._last:
            self._last, self._since = seen, time.monotonic()
        if self._said or time.monotonic() - self._since < _STILL_SECONDS:
            return False
        self._said = True
        return True
