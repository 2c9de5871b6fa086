"""What all commands share: the options ``--json`` and ``--tenant``, and how results reach people and scripts."""

import dataclasses
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from interlace.cli.terminal import console, escaped_controls, write_line
from interlace.domain.errors import InvalidInputError
from interlace.domain.validation import TENANT
from interlace.settings import Settings, load_settings

_COPIED = frozenset({"id", "job"})
_OF_A_TENANT = re.compile(
    r"`interlace (?:communities|documents|entities|jobs|query|tools|vectors)\b(?![^`]*--tenant)[^`]*"
)
_NARROWEST = 9
"""Characters that a column needs to be read."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of text for people.")]
TenantOption = Annotated[
    str | None, typer.Option("--tenant", help="Tenant to use.", show_default="INTERLACE_TENANT, or default")
]

ForceOption = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


def settings_for(tenant: str | None = None) -> Settings:
    """Load the settings from the environment, for a tenant if one was named on the command line.

    Raises:
        InvalidInputError: the tenant's name is not acceptable.
        SettingsError: a variable is not.
    """
    if tenant is None:
        return load_settings()
    if not TENANT.matches(tenant):
        raise InvalidInputError(f"{tenant!r} is not a valid tenant name; it must be {TENANT.description}.")
    return load_settings(tenant=tenant)


def in_tenant(text: str, tenant: str) -> str:
    """Return a text whose commands of Interlace name the tenant, unless it is the one that they use anyway."""
    return text if tenant == load_settings().tenant else _OF_A_TENANT.sub(rf"\g<0> --tenant {tenant}", text)


def confirm(doing: str, question: str) -> None:
    """Ask before what cannot be undone.

    Raises:
        InvalidInputError: no one can be asked; the sentence says what this would do, and to add ``--yes``.
        Abort: whoever was asked said no.
    """
    if not sys.stdin.isatty():
        raise InvalidInputError(f"This would {doing}; add --yes to do it.")
    typer.confirm(question, abort=True)


def print_json(value: Any) -> None:
    """Write one JSON document to standard output; data classes become objects, tuples and sets arrays."""
    print_json_text(json.dumps(value, default=_plain, ensure_ascii=not _supports_unicode(), indent=2))


def print_json_text(text: str) -> None:
    """Write JSON that is text already; what would command a terminal is escaped."""
    sys.stdout.write(escaped_controls(text) + "\n")


def _supports_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().startswith("utf")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table for people; None is left blank. Text is shown as it is, brackets are no markup.

    In a terminal long cells are wrapped, and where an id leaves the other columns too narrow to read each row is a block of lines; into a file or a
    pipe each row is one line.
    """
    shown = console()
    listed = [["" if cell is None else _escaped(cell) for cell in row] for row in rows]
    ids = sum(
        max((len(row[place]) for row in listed), default=0) for place, name in enumerate(columns) if name in _COPIED
    )
    others = [name for name in columns if name not in _COPIED]
    if ids and shown.width - ids - 2 * (len(columns) - 1) < _NARROWEST * len(others):
        for row in listed:
            shown.print(_block(columns, row))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        # An id is there to be copied: it is never cut in two.
        table.add_column(column, overflow="fold", no_wrap=column in _COPIED)
    for row in listed:
        table.add_row(*row)
    shown.print(table)


def _block(columns: Sequence[str], row: Sequence[str]) -> Table:
    """Return a row as lines of column and cell, without empty cells, and an empty line."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for column, cell in zip(columns, row, strict=True):
        if cell:
            table.add_row(column, cell)
    table.add_row()
    return table


def file_to_write(file: Path, *, force: bool, devices: bool = False) -> Path:
    """Return the file to write, or with ``force`` to replace, with ``devices`` maybe a device or a pipe; of a symbolic link, what it leads to.

    Raises:
        InvalidInputError: its folder does not exist, it exists already, or it is a folder, a device or a pipe, which a file would replace.
    """
    target = file.resolve()
    if not target.parent.is_dir():
        raise InvalidInputError(f"{file} cannot be written: there is no folder {target.parent}; create it first.")
    if target.is_dir() or (target.exists() and not target.is_file() and not devices):
        raise InvalidInputError(f"{file} cannot be written: it is not a regular file; give the name of one.")
    if target.exists() and not force:
        raise InvalidInputError(f"{file} exists already; give another name, or replace it with --force.")
    return target


def say(sentence: str) -> None:
    """Tell people on standard error what is being done, so that standard output stays clean for results."""
    write_line(sentence, sys.stderr)


def say_if_more(found: Sequence[object], limit: int) -> None:
    """Tell people that a list goes on; ``found`` are up to one more than the ``limit``."""
    if len(found) > limit:
        say(f"These are the first {limit:,}; --limit lists more.")


def _escaped(cell: object) -> str:
    from rich.markup import escape

    # Line breaks would make several lines of one row.
    return escape(" ".join(str(cell).splitlines()))


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)
