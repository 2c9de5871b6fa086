"""Shows evaluations and comparisons of evaluations to people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from interlace.cli.output import print_table

if TYPE_CHECKING:
    from interlace.evaluation.comparison import Paired
    from interlace.evaluation.runner import Evaluation


def show_evaluation(result: "Evaluation") -> None:
    """Print measures and latency of each leg and of the fused list, and what else was measured."""
    from interlace.evaluation.measures import MEASURES
    from interlace.evaluation.runner import ahead

    rows: list[list[object]] = [[leg, *measures.values()] for leg, measures in result.measures.items()]
    if points := ahead(result.measures):
        rows.append(["fused - best leg", *(f"{value:+.1f}" for value in points.values())])
    print_table([f"{result.collection} ({result.questions})", *MEASURES], rows)
    if result.like.without:
        typer.echo(f"without: {', '.join(sorted(result.like.without))}")
    spent = [f"{name} {each['p50']} / {each['p95']}" for name, each in result.latency().items() if each]
    typer.echo(f"p50 / p95 ms: {', '.join(spent)}")
    typer.echo("answered as: " + ", ".join(f"{mode} {count}" for mode, count in sorted(result.modes.items())))
    if result.agreement is not None:
        typer.echo(f"approximate search has {result.agreement:g} % of the first ten of exact search")
    if result.ingestion:
        typer.echo(
            "ingestion: " + ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in result.ingestion.items())
        )


def show_comparison(compared: "Sequence[Paired]") -> None:
    """Print a row a measure: both means, the difference, wins, losses and ties of the second run, and p."""
    columns = ["measure", "first", "second", "difference", "wins", "losses", "ties", "p"]
    print_table(
        columns,
        [
            [
                each.measure,
                each.first,
                each.second,
                f"{each.difference:+.1f}",
                each.wins,
                each.losses,
                each.ties,
                f"{each.p:.3f}",
            ]
            for each in compared
        ],
    )
