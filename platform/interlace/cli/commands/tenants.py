"""``interlace tenants``: which there are, and their removal."""

import getpass
import time
from typing import TYPE_CHECKING, Annotated

import typer

from interlace.cli.output import JsonOption, confirm, print_json, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import counted
from interlace.domain.errors import ConflictError

if TYPE_CHECKING:
    from interlace.export.removal import TenantRemoval

_TRY_SECONDS = 2.0
TenantArgument = Annotated[str, typer.Argument(help="The tenant's name.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Tenants: separate collections in one installation.", no_args_is_help=True)
    group.command("list")(list_tenants)
    group.command()(remove)
    app.add_typer(group, name="tenants")


def list_tenants(as_json: JsonOption = False) -> None:
    """List the tenants with how much each holds."""
    from dataclasses import asdict

    from interlace.documents.tenants import Tenants
    from interlace.export.removal import TenantRemoval

    with platform_for(None, new=True) as (platform, _):
        removal = TenantRemoval(platform.graph, platform.vectors)
        states = [removal.state(name) for name in Tenants(platform.graph).list()]
    if as_json:
        print_json(states)
        return
    rows = [(each.tenant, each.state, *asdict(each.counts).values()) for each in states]
    print_table(("tenant", "state", "documents", "chunks", "entities", "facts", "communities"), rows)


def remove(
    tenant: TenantArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove a tenant and all its data, and wait until it is gone. This cannot be undone."""
    from interlace.export.removal import TenantRemoval

    with platform_for(tenant) as (platform, name):
        removal = TenantRemoval(platform.graph, platform.vectors)
        counts = removal.state(name).counts
        if not yes:
            documents = counted(counts.documents, "document", "documents")
            what = f"the tenant {name} with {documents} and {counted(counts.entities, 'entity', 'entities')}"
            confirm(f"remove {what}", f"Remove {what}? This cannot be undone.")
        state = removal.begin(name, name, by=getpass.getuser())
        _wait(removal, name)
    if as_json:
        print_json({"removed": state.tenant, "counts": state.counts})
    else:
        write_line(f"Tenant {state.tenant} with {counted(state.counts.documents, 'document', 'documents')} is removed.")


def _wait(removal: "TenantRemoval", tenant: str) -> None:
    """Remove the tenant in this process, or wait for the worker that does."""
    while True:
        try:
            if removal.run(tenant):
                return
        except ConflictError as error:
            say(error.message)
            time.sleep(_TRY_SECONDS)
