"""``interlace backup`` and ``interlace restore``: graph and settings in one file, and back; vectors are rebuilt."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel

from interlace.cli.commands.vectors import rebuild_progress, rebuild_with_retry, summary_of
from interlace.cli.output import ForceOption, JsonOption, TenantOption, confirm, file_to_write, print_json, say
from interlace.cli.session import platform_for
from interlace.cli.waiting import Lines, interruptible, retry_on_conflict
from interlace.domain.errors import InvalidInputError
from interlace.leases.lease import LeaseHeldError
from interlace.queries.export import end_restore
from interlace.queries.tenants import list_tenants

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.export.backup_format import Contents
    from interlace.ports.graph import GraphDatabase
    from interlace.settings import Settings

_RETRY_SECONDS = 300.0
_OF_A_MACHINE = ("stack", "uri", "url", "browser_url", "port", "keys")
FileArgument = Annotated[Path, typer.Argument(help="The backup.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command()(backup)
    app.command()(restore)


def backup(
    file: FileArgument,
    all_tenants: Annotated[bool, typer.Option("--all-tenants", help="The documents of all tenants.")] = False,
    force: ForceOption = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Save the graph with waiting uploads, and the settings without secrets; workers may go on meanwhile."""
    if all_tenants and tenant:
        raise InvalidInputError("--all-tenants and --tenant contradict each other; give one.")
    target = file_to_write(file, force=force)
    with platform_for(tenant, new=all_tenants) as (platform, name):
        tenants = list_tenants(platform.graph) if all_tenants else [name]
        with interruptible(f"Stopped; no backup was written to {file}. Run the command again for one.", name):
            contents = save_with_retry(platform, tenants, target)
    if as_json:
        print_json(contents)
    else:
        say(
            f"{contents.nodes:,} nodes and {contents.relationships:,} relationships of {', '.join(contents.tenants)} saved in {file} "
            f"({file.stat().st_size / 1e6:.1f} MB). It contains documents, but no passwords or keys."
        )


def restore(
    file: FileArgument,
    replace: Annotated[bool, typer.Option("--replace", help="Delete the tenants' current data first.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask whether to restore a backup that names no version of the schema.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Restore the tenants of a backup, then rebuild their vectors."""
    from interlace.export.restore import restore as write

    if not file.is_file():
        raise InvalidInputError(f"There is no backup {file}.")
    with platform_for(None, new=True) as (platform, name):
        accept = partial(_accept, graph=platform.graph, file=file, replace=replace, yes=yes)
        with _progress(accept, quiet=as_json) as (expect, done):
            contents = write(platform.graph, platform.vectors, file, replace=replace, checked=expect, progress=done)
        for setting, value in differing(contents.settings, portable(platform.settings)).items():
            say(f"The backup was made with {setting} set to {value}; its value here differs.")
        reports = []
        for number, tenant in enumerate(contents.tenants):
            left = ", ".join(f"`interlace vectors rebuild --tenant {each}`" for each in contents.tenants[number:])
            stopped = f"Stopped before all vectors were there; the data is restored. What is left to run: {left}."
            with interruptible(stopped, name), rebuild_progress(quiet=as_json) as progress:
                reports.append(rebuild_with_retry(platform, tenant, progress))
        for tenant in contents.tenants:
            end_restore(platform.graph, tenant=tenant)
    if as_json:
        print_json({"restored": contents, "vectors": reports})
        return
    say(f"{contents.nodes:,} nodes and {contents.relationships:,} relationships restored.")
    for report in reports:
        say(f"{report.tenant}: {summary_of(report)}")


def _accept(contents: "Contents", *, graph: "GraphDatabase", file: Path, replace: bool, yes: bool) -> None:
    """Name tenants of which only the vectors are made; ask, or say with ``--yes``, before a backup is restored that may lack what migrations have added since."""
    from interlace.export.restore import restored_tenants

    for tenant in () if replace else restored_tenants(graph, contents):
        say(
            f"Tenant {tenant!r} was restored from {file} before, without the end of its vectors: these are rebuilt, and its data stays as it is "
            "now. --replace restores that again, too."
        )
    if contents.schema:
        return
    unsaid = (
        "does not say which version of the database's schema it was saved with, and may lack what later versions store"
    )
    if not yes:
        confirm(f"restore {file}, which {unsaid}", f"{file} {unsaid}. Restore it all the same?")
    say(f"{file} {unsaid}; it is restored now, and `interlace doctor` checks the data afterwards.")


def save_with_retry(platform: "Platform", tenants: list[str], file: Path) -> "Contents":
    """Save, waiting for a refresh of communities that a worker is doing."""
    from interlace.export.backup import save

    return retry_on_conflict(
        lambda: save(platform.graph, tenants, file, portable(platform.settings), pause=platform.communities.paused),
        timeout=_RETRY_SECONDS,
        passing=LeaseHeldError,
    )


def portable(settings: "Settings") -> dict[str, Any]:
    """Return the settings that were set by variable, without secrets, addresses of servers and paths of this machine."""
    from interlace.settings import PREFIX

    found: dict[str, Any] = {}
    for name, value in _portable(settings).items():
        if isinstance(getattr(settings, name), BaseModel):
            found |= {f"{PREFIX}{name}__{field}".upper(): chosen for field, chosen in value.items()}
        else:
            found[f"{PREFIX}{name}".upper()] = value
    return found


def _portable(value: object) -> Any:
    """Return a value as JSON types, without what belongs to this machine; None if nothing is left."""
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in sorted(value.model_fields_set) if name not in _OF_A_MACHINE}
    if isinstance(value, Mapping):
        return {str(name): part for name, each in value.items() if (part := _portable(each)) is not None}
    if isinstance(value, list | tuple):
        return [part for each in value if (part := _portable(each)) is not None]
    return value if isinstance(value, str | bool | int | float) else None


def differing(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a backup that differ now; addresses, which older backups hold, are expected to."""
    usual = tuple(f"_{name}".upper() for name in (*_OF_A_MACHINE, "tenant"))
    return {name: value for name, value in then.items() if now.get(name) != value and not name.endswith(usual)}


@contextmanager
def _progress(
    accept: "Callable[[Contents], None]", *, quiet: bool
) -> "Iterator[tuple[Callable[[Contents], None], Callable[[int], None]]]":
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from interlace.cli.terminal import console

    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("restored"), TimeRemainingColumn())
    disabled, lines = quiet or not sys.stderr.isatty(), Lines(quiet=quiet)
    with Progress(*columns, console=console(stderr=True), disable=disabled, transient=True) as bar:
        task = bar.add_task("", total=None)

        def expect(contents: "Contents") -> None:
            bar.stop()  # so that a question can be read and answered
            accept(contents)
            bar.start()
            bar.update(task, total=contents.nodes + contents.relationships)

        def advance(count: int) -> None:
            bar.advance(task, count)
            (shown,) = bar.tasks
            lines.show(f"{shown.completed:,.0f}/{shown.total or 0:,.0f} nodes and relationships restored")

        yield expect, advance
