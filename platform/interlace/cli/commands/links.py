"""``interlace links``: the link graph."""

from typing import Annotated

import typer
from pydantic import BaseModel

from interlace.cli.options.filters import FilterOption, filter_of
from interlace.cli.options.policy import CoverageOption, FirstOption, HitsOption, OverlapOption, ScoreOption, policy_of
from interlace.cli.output import JsonOption, TenantOption, print_json_text, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.views.effort import spent
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.relations import Direction
from interlace.links.options import MAX_HOPS, NameMatching, PlannedMode, SearchOptions
from interlace.links.schemas import LinkedHit, published_schemas
from interlace.text.excerpts import shortened

_HIT = 90
_CUT = "not all are shown: a bound on links or documents, or the limit, was reached"

StemArgument = Annotated[
    str, typer.Argument(help="A document's file name, title, alias, path, URI or id.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="The link graph: which documents link to which.", no_args_is_help=True)
    for command in (search, neighbors, related, metadata, schemas):
        group.command()(command)
    app.add_typer(group, name="links")


def search(
    text: Annotated[str, typer.Argument(help="Keywords or a question.", show_default=False)],
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Documents to return.")] = 10,
    mode: Annotated[
        PlannedMode,
        typer.Option(help="Which legs answer; auto: all at once, or the graph first where settings or --first say so."),
    ] = "auto",
    match: Annotated[
        NameMatching,
        typer.Option(help="How names match: by words, by misspelt words, in full, or by a pattern for a word."),
    ] = "fts",
    first: FirstOption = None,
    min_graph_hits: HitsOption = None,
    min_graph_score: ScoreOption = None,
    min_source_coverage: CoverageOption = None,
    min_overlap: OverlapOption = None,
    where: FilterOption = None,
    model: Annotated[
        str | None, typer.Option(help="Embedding model to ask with.", show_default="the one in use")
    ] = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find documents by what they say, what they are called and who links to them."""
    policy = policy_of(first, min_graph_hits, min_graph_score, min_source_coverage, min_overlap)
    options = SearchOptions(mode, filter_of(where), model, match, policy)
    with platform_for(tenant) as (platform, whose):
        found = platform.link_graph.search_planned(whose, text.strip(), limit=limit, options=options)
    if as_json:
        _print(found)
        return
    used = found.search_options
    say(f"{used.retrieval_mode} by {', '.join(used.retrieval_path) or 'no leg'}: {used.retrieval_reason}")
    say(spent(used.effort))
    columns = ("#", "document", "score", "boost", "names", "chunk", "source")
    print_table(columns, [_row(hit) for hit in found.hits])


def _row(hit: LinkedHit) -> tuple[object, ...]:
    names = f"{hit.names.match:.0%}, degree {hit.names.degree:.2f}" if hit.names else None
    chunk = shortened(hit.chunk.text, _HIT) if hit.chunk else None
    return hit.rank, hit.title, f"{hit.score:.4f}", f"{hit.boost:.2f}", names, chunk, hit.source_uri


def neighbors(
    stem: StemArgument,
    direction: Annotated[Direction, typer.Option(help="Follow links out, in, or both.")] = "both",
    hops: Annotated[int, typer.Option(min=1, max=MAX_HOPS, help="Links to follow.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Documents to return.")] = MAX_LIMIT,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the documents that links lead to from one."""
    with platform_for(tenant) as (platform, whose):
        found = platform.link_graph.neighbors(whose, stem, direction=direction, hops=hops, limit=limit)
    if as_json:
        _print(found)
        return
    rows = [
        (
            each.distance,
            each.title,
            ", ".join(dict.fromkeys(f"{link.direction}: {link.kind}" for link in each.links)),
            each.source_uri,
        )
        for each in found.neighbors
    ]
    print_table(("hops", "document", "links", "source"), rows)
    if found.truncated:
        say(_CUT)


def related(
    stem: StemArgument,
    max_distance: Annotated[int, typer.Option(min=1, max=MAX_HOPS, help="Maximum links between the two.")] = 2,
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Documents to return.")] = 10,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the documents nearest to one, by personalised PageRank over links."""
    with platform_for(tenant) as (platform, whose):
        found = platform.link_graph.related(whose, stem, max_distance=max_distance, limit=limit)
    if as_json:
        _print(found)
        return
    rows = [(each.rank, each.title, f"{each.score:.4f}", each.distance, each.source_uri) for each in found.related]
    print_table(("#", "document", "score", "hops", "source"), rows)
    if found.truncated:
        say(_CUT)


def metadata(stem: StemArgument, tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """Show what is known about a document, and how many links it has."""
    with platform_for(tenant) as (platform, whose):
        found = platform.link_graph.metadata(whose, stem)
    if as_json:
        _print(found)
        return
    shown = {**found.document.model_dump(), **found.model_dump(exclude={"document", "metadata", "schema_version"})}
    rows = [(name, ", ".join(value) if isinstance(value, tuple) else value) for name, value in shown.items()]
    print_table(("key", "value"), rows + [(f"metadata.{key}", value) for key, value in sorted(found.metadata.items())])


def schemas() -> None:
    """Print the JSON Schema of every answer."""
    _print(published_schemas())


def _print(answer: BaseModel) -> None:
    print_json_text(answer.model_dump_json(indent=2))
