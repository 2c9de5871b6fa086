"""``interlace query``: a question, its hits, and how each was found."""

from typing import Annotated

import typer

from interlace.cli.options.choices import choices
from interlace.cli.options.filters import FilterOption, filter_of
from interlace.cli.options.packing import (
    CategoryOption,
    DiversityOption,
    EpistemicOption,
    PackOption,
    packing_of,
    print_pack,
)
from interlace.cli.options.policy import CoverageOption, FirstOption, HitsOption, OverlapOption, ScoreOption, policy_of
from interlace.cli.output import JsonOption, TenantOption, print_json
from interlace.cli.session import platform_for
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import (
    LEGS,
    MAX_LIMIT,
    OPTIONAL_BOOSTS,
    PATH_STRATEGIES,
    SIGNALS,
    Mode,
    QueryRequest,
    Sort,
    TagStrategy,
)

WithoutOption = Annotated[
    list[str] | None,
    typer.Option(help=f"Leave out this leg or boost ({', '.join(SIGNALS)}); may be repeated.", show_default=False),
]
BoostOption = Annotated[
    list[str] | None,
    typer.Option(help=f"Add this boost ({', '.join(OPTIONAL_BOOSTS)}); may be repeated.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(query)


def query(
    text: Annotated[
        str, typer.Argument(help="The question; optional with --mode metadata_only and --filter.", show_default=False)
    ] = "",
    mode: Annotated[
        Mode,
        typer.Option(
            help="Which legs may answer; auto: all at once, or the graph first where settings or --first say so."
        ),
    ] = "auto",
    limit: Annotated[int, typer.Option(min=1, max=MAX_LIMIT, help="Hits to return.")] = 5,
    leg: Annotated[
        list[str] | None, typer.Option(help=f"Only this leg ({', '.join(LEGS)}); may be repeated.", show_default=False)
    ] = None,
    without: WithoutOption = None,
    model: Annotated[
        str | None, typer.Option(help="Embedding model to ask with.", show_default="the one in use")
    ] = None,
    where: FilterOption = None,
    tags: Annotated[TagStrategy, typer.Option(help="How tags match: exactly, or with their child tags.")] = "prefix",
    paths: Annotated[
        list[str] | None,
        typer.Option(
            help=f"How file names, titles and section paths match: {', '.join(PATH_STRATEGIES)}; may be repeated.",
            show_default="exact, section",
        ),
    ] = None,
    sort: Annotated[Sort, typer.Option(help="Best first, or by the time of their documents.")] = "relevance",
    boost: BoostOption = None,
    recency_days: Annotated[
        float | None,
        typer.Option(help="Half-life in days of a boost for recent documents.", show_default="the setting: none"),
    ] = None,
    first: FirstOption = None,
    min_graph_hits: HitsOption = None,
    min_graph_score: ScoreOption = None,
    min_source_coverage: CoverageOption = None,
    min_overlap: OverlapOption = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Explain each hit by its score terms, path and Cypher, and show every leg's ranking."
        ),
    ] = False,
    pack: PackOption = None,
    category_weight: CategoryOption = None,
    epistemic_weight: EpistemicOption = None,
    diversity: DiversityOption = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask all documents: the chunks that answer best, each with its legs and its path through the graph."""
    request = QueryRequest(
        text=text.strip(),
        mode=mode,
        limit=limit,
        legs=choices("--leg", leg, LEGS) or None,
        explain=explain,
        without=frozenset(choices("--without", without, SIGNALS)),
        model=model,
        where=filter_of(where),
        tag_strategy=tags,
        sort=sort,
        path_strategies=choices("--paths", paths, PATH_STRATEGIES) or ("exact", "section"),
        policy=policy_of(first, min_graph_hits, min_graph_score, min_source_coverage, min_overlap),
        boosts=frozenset(choices("--boost", boost, OPTIONAL_BOOSTS)),
        recency_days=recency_days,
    )
    if not request.text and not (mode == "metadata_only" and request.where):
        raise InvalidInputError("The question is empty; ask something, or give --mode metadata_only and --filter.")
    packing = packing_of(pack, category_weight, epistemic_weight, diversity)
    with platform_for(tenant) as (platform, name):
        response = (
            platform.packer.query(name, request, packing) if packing else platform.questions.search(name, request)
        )
    if as_json:
        print_json(response)
        return
    from interlace.cli.terminal import console
    from interlace.cli.views.answer import print_answer

    print_answer(console(), response, name, explain=explain)
    if response.pack:
        print_pack(response.pack)
