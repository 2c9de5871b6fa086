"""``interlace cypher``: a reading statement by hand, through the same guard as over HTTP."""

import sys
from contextlib import closing
from typing import Annotated, Literal

import orjson
import typer

from interlace.cli.output import JsonOption, TenantOption, print_table, say
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(cypher)


def cypher(
    statement: Annotated[
        str,
        typer.Argument(
            help="A read-only statement that filters by `{tenant: $tenant}`; the server sets `$tenant`.",
            show_default=False,
        ),
    ],
    param: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE, the value as JSON or plain text; may be repeated.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of rows.")] = 100,
    seconds: Annotated[float, typer.Option(min=0.1, max=30, help="Timeout in seconds.")] = 10,
    output: Annotated[Literal["table", "json", "csv", "arrow"], typer.Option(help="Output format.")] = "table",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a read-only statement on the tenant's graph, after checking its plan."""
    from interlace.access.audit import AuditLog
    from interlace.access.callers import EVERYBODY
    from interlace.access.cypher import MAX_ROWS, GuardedCypher
    from interlace.api.tables import ARROW, CSV, encoded

    params = dict(_param(item) for item in param or ())
    with platform_for(tenant) as (platform, name), closing(AuditLog(platform.graph)) as audit:
        guarded = GuardedCypher(platform.statements, audit)
        table = guarded.run(EVERYBODY, name, statement, params, rows=limit, timeout=seconds)
    output = "json" if as_json else output
    if output == "table":
        print_table(table.columns, table.rows)
    else:
        accept = {"json": "application/json", "csv": CSV, "arrow": ARROW}[output]
        sys.stdout.buffer.write(encoded(table, accept)[0])
    if table.truncated:
        remedy = "raise --limit to see them" if limit < MAX_ROWS else "page with SKIP, or aggregate"
        say(f"There are more rows; {remedy}.")


def _param(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInputError(f"--param: {text!r} has no value; write NAME=VALUE.")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        return name, value
