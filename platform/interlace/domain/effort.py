"""The cost of an answer, Λ (lambda), as one number. Defined here and nowhere else."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from interlace.domain.errors import InvalidInputError

LAMBDA: Final = "lambda"
"""The key under which an ``effort`` holds Λ, next to the counts it is computed from."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work that an answer took; every count is 0 or more.

    Args:
        legs: searches that were run, each at least one round trip to a server.
        hops: steps of the graph's expansion.
        candidates: what was read and compared: chunks, mentions, entities, tools, paths.
        tokens: tokens that were counted for packing, or that a language model read or wrote.

    Raises:
        InvalidInputError: a count is negative.
    """

    legs: int = 0
    hops: int = 0
    candidates: int = 0
    tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse negative counts."""
        for name, count in _counts(self).items():
            if count < 0:
                raise InvalidInputError(f"The work of an answer has {count} {name}; counts begin at 0.")


# What one of each costs, in tokens. Whole numbers: their sum is exact, however large. No more than orders of magnitude are meant: a leg
# is a round trip, a hop multiplies what is read, a candidate is a row that is read and compared.
TOKENS_A_LEG: Final = 1000
TOKENS_A_HOP: Final = 500
TOKENS_A_CANDIDATE: Final = 10


def effort(work: Work) -> float:
    """Return Λ of some work.

    Λ = log₂(1 + 1000·legs + 500·hops + 10·candidates + tokens)

    The sum is in token equivalents (what one token costs to read); Λ itself has no unit: it rises by one when the work doubles. No work
    gives 0. Every coefficient is positive and the logarithm rises with its argument, so more of any kind of work never gives a lower Λ,
    and a higher one as long as 64-bit floats can tell the two apart. The sum is a whole number of any size, so Λ is always finite.
    """
    cost = TOKENS_A_LEG * work.legs + TOKENS_A_HOP * work.hops + TOKENS_A_CANDIDATE * work.candidates + work.tokens
    return math.log2(1 + cost)


def effort_report(work: Work, **details: int) -> dict[str, float]:
    """Return the work of a response: the four counts, Λ under ``lambda``, and further counts that explain them."""
    return {**_counts(work), LAMBDA: effort(work), **details}


def with_tokens(report: Mapping[str, float], tokens: int) -> dict[str, float]:
    """Return an effort report with the tokens that a later step read.

    Raises:
        InvalidInputError: the tokens are negative.
    """
    counts = {each.name: int(report.get(each.name, 0)) for each in fields(Work)}
    more = Work(tokens=tokens)
    after = Work(**{**counts, "tokens": counts["tokens"] + more.tokens})
    return {**report, **effort_report(after)}


def _counts(work: Work) -> dict[str, int]:
    return {each.name: getattr(work, each.name) for each in fields(Work)}
