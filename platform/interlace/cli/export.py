"""``interlace export markdown``: the graph as text files that can be kept in Git."""

from pathlib import Path
from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, say
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="The knowledge graph for other programs.", no_args_is_help=True)
    group.command()(markdown)
    group.callback()(_group)
    app.add_typer(group, name="export")


def markdown(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", show_default=False)],
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write documents and communities as notes, entities and tags as lists by initial; the same graph gives the same files."""
    from interlace.export.markdown import export_markdown

    folder = folder.absolute()
    if not folder.parent.is_dir():
        raise InvalidInputError(f"{folder} cannot be written: there is no folder {folder.parent}; create it first.")
    with platform_for(tenant) as (platform, name):
        size = export_markdown(platform.graph, name, folder)
    if as_json:
        print_json(size)
    else:
        say(
            f"{size.documents:,} documents, {size.entities:,} entities, {size.communities:,} communities and {size.tags:,} tags "
            f"of tenant {name} written to {folder}."
        )


def _group() -> None:
    """Keep ``markdown`` a command of the group: Typer would merge a single command into it."""
