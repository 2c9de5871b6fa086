"""The options of ``interlace atoms search`` that change how atoms are scored."""

from collections.abc import Iterable
from typing import Annotated

import typer

from interlace.cli.options.numbers import MAX_WEIGHT, weights_of
from interlace.domain.atoms import ATOM_WEIGHTS, Combination
from interlace.domain.errors import InvalidInputError
from interlace.search.profile import PROFILE

ThresholdOption = Annotated[
    int | None,
    typer.Option(
        min=2,
        max=48,
        help="Distinct terms from which a query is decomposed.",
        show_default=str(PROFILE.atoms.decompose_from),
    ),
]
CombineOption = Annotated[
    Combination,
    typer.Option(help="Sub-queries count by a bonus on the whole query's score, or by the sum of their own scores."),
]
BonusOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=MAX_WEIGHT,
        help="Share of its score added to an atom that several sub-queries find.",
        show_default=f"{PROFILE.atoms.decomposition_bonus:g}",
    ),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Weight of the term score in the rerank by embeddings; the cosine has the rest.",
        show_default=f"{PROFILE.atoms.lexical_share:g}",
    ),
]
WeightsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        help=f"Weight of a part of the score, such as `name=4`; one of {', '.join(ATOM_WEIGHTS)}; may be repeated.",
        show_default=False,
    ),
]


def atom_weights(texts: Iterable[str] | None) -> dict[str, float]:
    """Return the weights that were given.

    Raises:
        InvalidInputError: one is malformed, or names no part of a score.
    """
    weights = weights_of("--weight", texts)
    unknown = next((name for name in weights if name not in ATOM_WEIGHTS), None)
    if unknown is not None:
        raise InvalidInputError(f"--weight {unknown}: use one of {', '.join(ATOM_WEIGHTS)}.")
    return weights
