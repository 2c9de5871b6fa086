"""``interlace tools``: which tool of which skill fits a request, and which there are."""

from typing import Annotated

import typer

from interlace.cli.options.choices import choices
from interlace.cli.options.policy import CoverageOption, FirstOption, HitsOption, OverlapOption, ScoreOption, policy_of
from interlace.cli.output import JsonOption, TenantOption, print_json, print_table, say_if_more
from interlace.cli.session import platform_for
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.tools import ROUTE_SIGNALS, RouteRequest


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Tools of skills (SKILL.md): route, list.", no_args_is_help=True)
    group.command()(route)
    group.command("list")(list_skills)
    app.add_typer(group, name="tools")


def route(
    text: Annotated[str, typer.Argument(help="The task, in words.", show_default=False)],
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Tools to return.")] = 5,
    without: Annotated[
        list[str] | None,
        typer.Option(help=f"Leave out this signal ({', '.join(ROUTE_SIGNALS)}); may be repeated.", show_default=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Embedding model to ask with.", show_default="the one in use")
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also show the parts of each score, which tools support it, and the paths to it."
        ),
    ] = False,
    first: FirstOption = None,
    min_graph_hits: HitsOption = None,
    min_graph_score: ScoreOption = None,
    min_source_coverage: CoverageOption = None,
    min_overlap: OverlapOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the tools that fit a request, best first."""
    request = RouteRequest(
        text.strip(),
        limit=limit,
        without=frozenset(choices("--without", without, ROUTE_SIGNALS)),
        model=model,
        policy=policy_of(first, min_graph_hits, min_graph_score, min_source_coverage, min_overlap),
    )
    with platform_for(tenant) as (platform, whose):
        response = platform.tools.search(whose, request)
    if as_json:
        print_json(response)
        return
    from interlace.cli.terminal import console
    from interlace.cli.views.tools import print_route

    print_route(console(), response, whose, explain=explain)


def list_skills(
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Skills to return.")] = 100,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the registered skills with their keywords and tools."""
    from interlace.search.tools.skills import registered_skills

    with platform_for(tenant) as (platform, whose):
        found = registered_skills(platform.graph, whose, limit=limit + 1)
    shown = found[:limit]
    if as_json:
        print_json(shown)
    else:
        rows = [(item.name, ", ".join(item.tools), ", ".join(item.keywords), item.source_uri) for item in shown]
        print_table(("skill", "tools", "keywords", "source"), rows)
    say_if_more(found, limit)
