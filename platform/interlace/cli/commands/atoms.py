"""``interlace atoms``: knowledge atoms."""

from typing import Annotated

import typer

from interlace.cli.options.atoms import (
    AlphaOption,
    BonusOption,
    CombineOption,
    ThresholdOption,
    WeightsOption,
    atom_weights,
)
from interlace.cli.output import JsonOption, TenantOption, print_json, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.views.effort import spent
from interlace.domain.atoms import AtomHit, AtomOptions, AtomRequest


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(help="Knowledge atoms: notes with an `atlas_id`.", no_args_is_help=True)
    group.callback()(_group)
    group.command()(search)
    app.add_typer(group, name="atoms")


def _group() -> None:
    """Knowledge atoms: notes with an `atlas_id`."""


def search(
    text: Annotated[str, typer.Argument(help="A name, keywords or a question.", show_default=False)],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Atoms to return.")] = 10,
    expand: Annotated[
        bool, typer.Option(help="Also match aliases of the entities that the query names, at a discount.")
    ] = True,
    model: Annotated[
        str | None, typer.Option(help="Embedding model to compare by.", show_default="the one in use")
    ] = None,
    decompose: Annotated[bool, typer.Option(help="Decompose a long query into sub-queries.")] = True,
    decompose_threshold: ThresholdOption = None,
    combine: CombineOption = "whole",
    intersection_bonus: BonusOption = None,
    rerank: Annotated[bool, typer.Option(help="Rerank the matches by embeddings.")] = True,
    rerank_alpha: AlphaOption = None,
    weights: WeightsOption = None,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Minimum relevance of a hit.")] = 0.0,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find atoms by their names, descriptions, tags and contents, and by embeddings where there are any."""
    given = atom_weights(weights)
    options = AtomOptions(
        decompose, decompose_threshold, combine, intersection_bonus, rerank, rerank_alpha, given, min_score
    )
    with platform_for(tenant) as (platform, whose):
        found = platform.atoms.search(whose, AtomRequest(text.strip(), limit, expand, model, options))
    if as_json:
        print_json(found)
        return
    if found.sub_queries:
        say(f"decomposed into: {', '.join(found.sub_queries)}")
    if found.expansion:
        say(f"expanded by: {', '.join(found.expansion)}")
    if found.degraded:
        say("answered by terms alone: the vector index does not answer")
    if found.domains:
        say(f"domains: {', '.join(f'{each.name} ({each.atoms})' for each in found.domains)}")
    columns = ("#", "atom", "atlas id", "score", "relevance", "tf-idf", "coverage", "cosine", "found in", "source")
    print_table(columns, [_row(hit) for hit in found.hits])
    say(spent(found.effort))


def _row(hit: AtomHit) -> tuple[object, ...]:
    fields = dict.fromkeys(field for term in hit.terms for field in term.fields)
    cosine = None if hit.cosine is None else f"{hit.cosine:.2f}"
    where = ", ".join(fields) or "embedding"
    return (
        hit.rank,
        hit.title,
        hit.atlas_id,
        f"{hit.score:.4f}",
        f"{hit.relevance:.2f}",
        f"{hit.tf_idf:.2f}",
        f"{hit.coverage:.0%}",
        cosine,
        where,
        hit.source_uri,
    )
