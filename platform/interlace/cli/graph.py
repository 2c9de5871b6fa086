"""``interlace graph dump``: the graph as a text that can be compared."""

from pathlib import Path
from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, say, settings_for
from interlace.domain.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="The knowledge graph as a whole.", no_args_is_help=True)
    group.command()(dump)
    group.callback()(_group)
    app.add_typer(group, name="graph")


def dump(
    canonical: Annotated[
        Path, typer.Option("--canonical", help="File to write: sorted JSON Lines.", show_default=False)
    ],
    communities: Annotated[
        bool, typer.Option("--communities", help="Also communities, named by their members.")
    ] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write what the graph holds as sorted JSON Lines, the same for every order in which the documents came."""
    from interlace.bootstrap import Platform
    from interlace.export.canonical import dump as write_dump

    if not canonical.parent.is_dir():
        raise InvalidInputError(
            f"{canonical} cannot be written: there is no folder {canonical.parent}; create it first."
        )
    platform = Platform.open(settings_for(tenant))
    try:
        lines = write_dump(platform.graph, platform.settings.tenant, canonical, communities=communities)
    finally:
        platform.graph.close()
    if as_json:
        print_json({"file": str(canonical), "tenant": platform.settings.tenant, "lines": lines})
    else:
        say(f"{lines} lines of tenant {platform.settings.tenant} written to {canonical}.")


def _group() -> None:
    """Keep ``dump`` a command of the group: typer would merge a lone command into it."""
