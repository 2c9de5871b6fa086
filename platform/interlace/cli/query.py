"""``interlace query``: a question, its hits, and how each was found."""

from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import LEGS, LegName, Mode, QueryRequest

_MODES: tuple[Mode, ...] = ("auto", "graph_only", "hybrid", "vector_only", "keyword_only", "metadata_only")


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(query)


def query(
    text: Annotated[str, typer.Argument(help="The question.", show_default=False)],
    mode: Annotated[str, typer.Option(help=f"Which legs may answer: {', '.join(_MODES)}.")] = "auto",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Hits wanted.")] = 5,
    leg: Annotated[
        list[str] | None,
        typer.Option(help=f"Only this leg ({', '.join(LEGS)}); may be given again.", show_default=False),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show every leg's ranking and each hit's Cypher.")
    ] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask all documents: the passages that answer best, each with its legs and its path through the graph."""
    request = QueryRequest(
        text=text.strip(), mode=_mode(mode), limit=limit, legs=tuple(map(_leg, leg)) if leg else None, explain=explain
    )
    if not request.text:
        raise InvalidInputError("The question is empty; ask something.")
    with platform_for(tenant) as (platform, name):
        ceiling = platform.settings.query.max_limit
        if limit > ceiling:
            raise InvalidInputError(f"--limit {limit}: at most {ceiling}; INTERLACE_QUERY__MAX_LIMIT raises that.")
        response = platform.coordinator.query(name, request)
    if as_json:
        print_json(response)
        return
    from rich.console import Console

    from interlace.cli.answer_view import print_answer

    print_answer(Console(), response)


def _mode(word: str) -> Mode:
    found = next((mode for mode in _MODES if mode == word), None)
    if found is None:
        raise InvalidInputError(f"--mode {word}: use one of {', '.join(_MODES)}.")
    return found


def _leg(word: str) -> LegName:
    found = next((leg for leg in LEGS if leg == word), None)
    if found is None:
        raise InvalidInputError(f"--leg {word}: use one of {', '.join(LEGS)}.")
    return found
