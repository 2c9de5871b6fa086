"""``interlace documents verify``: documents whose files have changed or vanished since they were read."""

from collections import Counter
from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json, print_table
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import counted


def verify(
    source: Annotated[str, typer.Option(help="Prefix of the source URIs.")] = "",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare documents with the files they came from, by SHA-256. Exits with 1 if any changed, vanished or cannot be read."""
    from interlace.documents.verification import verify as compare
    from interlace.parsing.sandbox.limits import ParseLimits

    with platform_for(tenant) as (platform, name):
        limits = ParseLimits(max_bytes=platform.settings.ingest.max_bytes)
        states: Counter[str] = Counter()
        differing = []
        for verdict in compare(platform.graph, name, source=source, limits=limits):
            states[verdict.state] += 1
            if verdict.differs:
                differing.append(verdict)
    if as_json:
        print_json({"checked": states.total(), "states": dict(sorted(states.items())), "differing": differing})
    else:
        if differing:
            rows = [
                (item.reference.id, item.state, item.reference.source_uri, item.reference.file) for item in differing
            ]
            print_table(("id", "state", "source", "file"), rows)
        shares = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
        write_line(f"{counted(states.total(), 'document', 'documents')} checked" + (f": {shares}." if shares else "."))
    if differing:
        raise typer.Exit(1)
