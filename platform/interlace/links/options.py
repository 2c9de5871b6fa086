"""Options and limits of calls to the link graph."""

from dataclasses import dataclass
from typing import Literal, get_args

from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Filter
from interlace.domain.policy import RetrievalPolicy

PlannedMode = Literal["auto", "graph_only", "hybrid", "vector_only"]
NameMatching = Literal["fts", "fuzzy", "exact", "regex"]
"""How names match a query: by its words, by words that may be misspelt, as a whole, or by a pattern for one of their words."""
NAME_MATCHINGS: tuple[NameMatching, ...] = get_args(NameMatching)
MOST_HOPS = 3
"""Links between the first document and the last that an answer may follow."""
MOST = 100
"""Documents that an answer may have."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a planned search.

    Args:
        mode: the retrieval mode; ``auto`` asks all legs at once, or the graph first where the policy or the settings say so.
        where: metadata that every hit must have.
        model: the embedding model; none for the tenant's own.
        match: how the names of documents match; ``regex`` takes the query for a pattern (``text.lucene.word_pattern``).
        policy: what the search changes in the retrieval policy of the settings.
    """

    mode: PlannedMode = "auto"
    where: Filter | None = None
    model: str | None = None
    match: NameMatching = "fts"
    policy: RetrievalPolicy | None = None


def check_range(name: str, value: int, most: int) -> None:
    """Refuse a number that is out of range.

    Raises:
        InvalidInputError: it is below 1 or above ``most``.
    """
    if not 1 <= value <= most:
        raise InvalidInputError(f"{name} is {value}; it must be 1 to {most}.")
