"""``interlace migrate``: the schema of the graph database, brought up to date."""

from typing import Annotated

import typer

from interlace.cli.output import JsonOption, print_json, print_table


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(migrate)


def migrate(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a migration is pending.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Apply the pending migrations of the graph database. Running it again changes nothing."""
    from interlace.bootstrap import Platform

    graph = Platform.open().graph
    try:
        graph.ping()  # says at once that the server is away, where the migrations would go on trying
        applied = [] if check else graph.migrate()
        states = graph.migrations()
    finally:
        graph.close()
    if as_json:
        print_json({"applied": applied, "migrations": states})
    else:
        print_table(
            ("version", "migration", "state", "since"), ((s.version, s.description, s.state, s.at) for s in states)
        )
    if check and any(state.state == "pending" for state in states):
        raise typer.Exit(1)
