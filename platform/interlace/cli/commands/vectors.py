"""``interlace vectors``: rebuild the vector index from the graph, and choose the embedding model that questions use."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, in_tenant, print_json, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import Lines, counted, interruptible, retry_on_conflict
from interlace.domain.errors import ConflictError, InvalidInputError

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.vectors.rebuild_run import Progress, RebuildReport

_RETRY_SECONDS = 120.0
ModelOption = Annotated[
    str | None,
    typer.Option("--model", help="Only this embedding model; questions use it afterwards.", show_default="all"),
]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="The vector index: rebuild, models.", no_args_is_help=True)
    for command in (rebuild, models, use):
        group.command()(command)
    app.add_typer(group, name="vectors")


def rebuild(
    model: ModelOption = None,
    background: Annotated[bool, typer.Option("--background", help="Let a worker write the missing vectors.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rebuild the vectors from the graph, in place; questions are still answered meanwhile."""
    if background and model:
        raise InvalidInputError("--background writes the missing vectors of every model; leave out --model.")
    with platform_for(tenant) as (platform, name):
        if background:
            platform.queue.enqueue("rebuild_vectors", name)
            later = "A worker will write the missing vectors; `interlace vectors models` shows when they are complete."
            say(in_tenant(later, name))
            if as_json:
                print_json({"tenant": name, "queued": True})
            return
        again = "`interlace vectors rebuild`" if model is None else f"`interlace vectors rebuild --model {model}`"
        stopped = f"Stopped before the end; the vectors written so far stay. {again} makes all of them."
        with interruptible(stopped, name), rebuild_progress(quiet=as_json) as progress:
            report = rebuild_with_retry(platform, name, progress, model=model)
    if as_json:
        print_json(report)
    else:
        write_line(summary_of(report))
    if not report.complete:
        raise ConflictError(
            f"Chunks without vectors of {', '.join(report.models)} keep coming in; have all workers use the same models "
            "(INTERLACE_EMBEDDING__MODELS) and run this again."
        )


def models(tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """List the embedding models: which are complete, which this configuration has, which one questions use."""
    with platform_for(tenant) as (platform, name):
        states = platform.vector_rebuild.models.states(name)
    if as_json:
        print_json(states)
    else:
        words = ("no", "yes")
        print_table(
            ("model", "complete", "configured", "used by questions"),
            [(one.name, words[one.complete], words[one.configured], words[one.used]) for one in states],
        )


def use(
    model: Annotated[str, typer.Argument(help="The model's name.", show_default=False)],
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a model whose vectors are complete the one that questions use, unless they choose another."""
    with platform_for(tenant) as (platform, name):
        platform.vector_rebuild.models.use(name, model)
    if as_json:
        print_json({"tenant": name, "model": model})
    else:
        say(f"Questions use {model}.")


def summary_of(report: "RebuildReport") -> str:
    """Return a rebuild as one line of text."""
    rate = report.embedded / report.seconds if report.seconds else 0.0
    return (
        f"{report.points:,} chunks, {report.embedded:,} written for {', '.join(report.models) or 'keywords alone'}, "
        f"{report.removed:,} orphaned points removed · {report.seconds:.1f} s ({rate:.1f}/s)"
    )


def rebuild_with_retry(
    platform: "Platform", tenant: str, progress: "Progress", *, model: str | None = None
) -> "RebuildReport":
    """Rebuild, waiting for a rebuild or a refresh of communities that a worker is doing."""
    service = platform.vector_rebuild
    return retry_on_conflict(
        lambda: service.rebuild(tenant, progress) if model is None else service.rebuild_model(tenant, model, progress),
        timeout=_RETRY_SECONDS,
    )


@contextmanager
def rebuild_progress(*, quiet: bool) -> "Iterator[Progress]":
    """Show chunks done, rate and time to go on standard error: as a bar in a terminal, else as lines."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from interlace.cli.terminal import console

    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("chunks · {task.fields[rate]:.1f}/s ·"),
        TimeRemainingColumn(),
    )
    disabled = quiet or not sys.stderr.isatty()
    with Bar(*columns, console=console(stderr=True), disable=disabled, transient=True) as bar:
        task, started, lines = bar.add_task("", total=None, rate=0.0), time.monotonic(), Lines(quiet=quiet)

        def advance(done: int, total: int) -> None:
            rate = done / max(time.monotonic() - started, 0.001)
            bar.update(task, completed=done, total=total, rate=rate)
            lines.show(f"{done:,}/{counted(total, 'chunk', 'chunks')} · {rate:.1f}/s")

        yield advance
