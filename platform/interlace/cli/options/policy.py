"""The options of the retrieval policy, which questions, planned link search and tool routing share."""

from typing import Annotated

import typer

from interlace.domain.policy import First, RetrievalPolicy

FirstOption = Annotated[
    First | None,
    typer.Option(
        help="What answers first: the graph, with the others where it is not enough, or all legs.",
        show_default="the setting",
    ),
]
HitsOption = Annotated[
    int | None,
    typer.Option("--min-graph-hits", help="Escalate if the graph reaches fewer hits.", show_default="the setting"),
]
ScoreOption = Annotated[
    float | None,
    typer.Option("--min-graph-score", help="Escalate if its best scores lower, 0 to 1.", show_default="the setting"),
]
CoverageOption = Annotated[
    float | None,
    typer.Option(
        "--min-source-coverage",
        help="Escalate if a lower share of its first ten hits come from different documents.",
        show_default="the setting",
    ),
]
OverlapOption = Annotated[
    float | None,
    typer.Option(
        "--min-overlap", help="Escalate if known entities cover a lower share of the words.", show_default="the setting"
    ),
]


def policy_of(
    first: First | None, hits: int | None, score: float | None, coverage: float | None, overlap: float | None
) -> RetrievalPolicy | None:
    """Return what the options change; None without any.

    Raises:
        InvalidInputError: a value is out of range; the message names it.
    """
    given = (first, hits, score, coverage, overlap)
    return RetrievalPolicy(*given) if any(value is not None for value in given) else None
