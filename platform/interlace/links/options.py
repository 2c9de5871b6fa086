"""Options and limits of calls to the link graph."""

from dataclasses import dataclass
from typing import Literal

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Filter

Policy = Literal["auto", "graph_only", "hybrid", "vector_only"]
MOST_HOPS = 3
"""Links between the first document and the last that an answer may follow."""
MOST = 100
"""Documents that an answer may have."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a planned search.

    Args:
        policy: the retrieval mode.
        where: metadata that every hit must have.
        model: the embedding model; none for the tenant's own.
    """

    policy: Policy = "auto"
    where: Filter | None = None
    model: str | None = None


def check_range(name: str, value: int, most: int) -> None:
    """Refuse a number that is out of range.

    Raises:
        InvalidInputError: it is below 1 or above ``most``.
    """
    if not 1 <= value <= most:
        raise InvalidInputError(f"{name} is {value}; it must be 1 to {most}.")
