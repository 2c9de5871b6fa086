"""``interlace jobs``: what ingestion and deletion jobs have done and have yet to do."""

from datetime import timedelta
from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import describe, wait_for
from interlace.jobs.service import JobStatus

JobId = Annotated[str, typer.Argument(help="The job's id, as `ingest --no-wait` prints it.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Jobs that ingest or delete documents.", no_args_is_help=True)
    group.command("list")(list_jobs)
    group.command()(show)
    group.command()(cancel)
    app.add_typer(group, name="jobs")


def list_jobs(
    limit: Annotated[int, typer.Option(min=1, max=500, help="Jobs to return.")] = 20,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest jobs."""
    with platform_for(tenant) as (platform, name):
        found = platform.jobs.list(name, limit)
    if as_json:
        print_json(found)
        return
    rows = [(job.id, job.kind, job.state, describe(job), timedelta(seconds=round(job.seconds))) for job in found]
    print_table(("job", "kind", "state", "progress", "time"), rows)


def show(
    job_id: JobId,
    follow: Annotated[bool, typer.Option("--follow", help="Wait until it is finished.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a job: its progress and what failed. Exits with 1 if a document failed."""
    with platform_for(tenant) as (platform, name):
        status = platform.jobs.status(name, job_id)
        if follow and not status.finished:
            status = wait_for(platform.jobs, name, job_id, workers=platform.queue.workers, quiet=as_json)
    _print(status, as_json=as_json)
    if status.failed or status.unreadable:
        raise typer.Exit(1)


def cancel(job_id: JobId, tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """Cancel a job: documents not yet started are dropped; those in progress are finished."""
    with platform_for(tenant) as (platform, name):
        status = platform.jobs.cancel(name, job_id)
    _print(status, as_json=as_json)
    if status.state == "done":
        say("The job was finished already; nothing was cancelled.")
    if not status.finished:
        say("Documents not yet started are dropped; those in progress are finished first.")


def _print(status: JobStatus, *, as_json: bool) -> None:
    if as_json:
        print_json(status)
        return
    stages = ", ".join(f"{count} {stage}" for stage, count in sorted(status.stages.items()))
    write_line(f"{status.kind} job {status.id}: {status.state}")
    write_line(describe(status) + (f" · in progress: {stages}" if stages else ""))
    for reason in status.model.waiting if status.model else ():
        say(f"waits: {reason}")
    for failure in status.failures:
        say(f"failed: {failure.source_uri} after stage {failure.stage} ({failure.reason}): {failure.message}")
    for sentence in status.unreadable:
        say(f"failed: {sentence}")
