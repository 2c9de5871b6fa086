"""Numbers on the command line: finite and in range, or refused by the option's name."""

import math
from collections.abc import Iterable

from interlace.domain.errors import InvalidInputError

MAX_WEIGHT = 100.0


def weights_of(option: str, texts: Iterable[str] | None) -> dict[str, float]:
    """Return the weights of ``NAME=NUMBER`` pairs.

    Raises:
        InvalidInputError: a text is no such pair, or its number is not between 0 and 100; the message names the option.
    """
    found: dict[str, float] = {}
    for text in texts or ():
        name, mark, given = text.rpartition("=")
        try:
            weight = float(given)
        except ValueError:
            weight = math.nan
        if not mark or not name.strip() or not 0 <= weight <= MAX_WEIGHT:
            raise InvalidInputError(f"{option} {text}: write NAME=NUMBER with a number from 0 to {MAX_WEIGHT:g}.")
        found[name.strip()] = weight
    return found
