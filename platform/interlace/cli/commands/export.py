"""``interlace export``: the graph as text files that can be kept in Git."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, say
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(export)


def export(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", show_default=False)],
    format_: Annotated[Literal["markdown"], typer.Option("--format", help="Output format.")] = "markdown",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write documents and communities as notes, entities and tags as lists by initial; ingesting the folder gives the documents again."""
    from interlace.export.markdown import export_markdown

    writers = {"markdown": export_markdown}
    folder = folder.resolve()
    if folder == Path.cwd():
        raise InvalidInputError(f"{folder} is the folder that you are in, and would be replaced; choose another one.")
    if not folder.parent.is_dir():
        raise InvalidInputError(f"{folder} cannot be written: there is no folder {folder.parent}; create it first.")
    with platform_for(tenant) as (platform, name):
        size = writers[format_](platform.graph, name, folder)
    if as_json:
        print_json(size)
    else:
        say(
            f"{size.documents:,} documents, {size.entities:,} entities, {size.communities:,} communities and {size.tags:,} tags "
            f"of tenant {name} written to {folder}."
        )
