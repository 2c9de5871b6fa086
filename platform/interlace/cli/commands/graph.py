"""``interlace graph``: the graph as a text that can be compared and read back."""

from pathlib import Path
from typing import Annotated

import typer

from interlace.cli.output import ForceOption, JsonOption, TenantOption, file_to_write, in_tenant, print_json, say
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="The knowledge graph as a whole.", no_args_is_help=True)
    group.command()(dump)
    group.command()(load)
    app.add_typer(group, name="graph")


def dump(
    canonical: Annotated[
        Path, typer.Option("--canonical", help="File to write: sorted JSON Lines.", show_default=False)
    ],
    communities: Annotated[
        bool, typer.Option("--communities", help="Also communities, named by their members.")
    ] = False,
    force: ForceOption = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write what the graph holds as sorted JSON Lines, the same for every order in which the documents came."""
    from interlace.export.canonical import dump as write_dump

    target = file_to_write(canonical, force=force)
    with platform_for(tenant) as (platform, name):
        lines = write_dump(platform.graph, name, target, communities=communities)
    if as_json:
        print_json({"file": str(canonical), "tenant": name, "lines": lines})
    else:
        say(f"{lines} lines of tenant {name} written to {canonical}.")


def load(
    file: Annotated[Path, typer.Argument(help="A canonical dump.", show_default=False)], as_json: JsonOption = False
) -> None:
    """Read a canonical dump back into its tenant, which must be empty, then make the vectors again."""
    from interlace.cli.commands.vectors import rebuild_progress, rebuild_with_retry, summary_of
    from interlace.export.canonical_load import load as read_dump

    if not file.is_file():
        raise InvalidInputError(f"There is no dump {file}.")
    with platform_for(None, new=True) as (platform, _):
        size = read_dump(platform.graph, platform.vectors, file)
        with rebuild_progress(quiet=as_json) as progress:
            report = rebuild_with_retry(platform, size.tenant, progress)
    if as_json:
        print_json({"loaded": size, "vectors": report})
        return
    say(f"{size.nodes:,} nodes and {size.relationships:,} relationships of tenant {size.tenant} loaded.")
    say(in_tenant(f"{summary_of(report)} `interlace communities refresh` detects communities again.", size.tenant))
