"""The options of ``interlace query`` that pack hits into a token budget, and what people see of it."""

from collections.abc import Iterable
from typing import Annotated

import typer

from interlace.cli.options.numbers import weights_of
from interlace.cli.output import print_table
from interlace.cli.terminal import write_line
from interlace.domain.errors import InvalidInputError
from interlace.domain.packing import Pack, PackRequest
from interlace.search.profile import PROFILE

PackOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1_000_000,
        help="Also pack the best hits into this many tokens.",
        metavar="TOKENS",
        show_default=False,
    ),
]
CategoryOption = Annotated[
    list[str] | None,
    typer.Option(help="Weight of a category for --pack, like `Usage=2`; may be repeated.", show_default=False),
]
EpistemicOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Weight of an epistemic status for --pack, like `opinion=0.2`; may be repeated.", show_default=False
    ),
]
DiversityOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Penalty of --pack for each hit of a category that is already packed.",
        show_default=f"{PROFILE.packing.diversity:g}",
    ),
]


def packing_of(
    budget: int | None, categories: Iterable[str] | None, statuses: Iterable[str] | None, diversity: float | None
) -> PackRequest | None:
    """Return how to pack; None where no budget was given.

    Raises:
        InvalidInputError: a weight is malformed, or is given without a budget.
    """
    category_weights = weights_of("--category-weight", categories)
    epistemic_weights = weights_of("--epistemic-weight", statuses)
    if budget is not None:
        return PackRequest(budget, category_weights, epistemic_weights, diversity)
    if category_weights or epistemic_weights or diversity is not None:
        raise InvalidInputError("Weights and --diversity say how to pack; give a budget with --pack TOKENS.")
    return None


def print_pack(pack: Pack) -> None:
    """Write the packed text, and why each hit was taken or left."""
    rows = [
        (
            item.place or "",
            item.category,
            item.tokens,
            f"{item.value:.3f}",
            f"{item.score:.3f} * {item.category_weight:g} * {item.epistemic_weight:g} - {item.penalty:.3f}",
            item.reason,
        )
        for item in pack.items
    ]
    write_line(f"\npacked: {pack.tokens:,} of {pack.budget:,} tokens ({pack.tokenizer})\n")
    print_table(("#", "category", "tokens", "value", "score * category * epistemic - penalty", "why"), rows)
    write_line(f"\n{pack.text}")
