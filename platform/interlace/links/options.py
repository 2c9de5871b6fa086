"""What a caller of the link graph may choose, and how much."""

from dataclasses import dataclass
from typing import Literal

from interlace.domain.filters import Filter

Policy = Literal["auto", "graph_only", "hybrid", "vector_only"]
MOST_HOPS = 3
"""Links that a walk may follow."""
MOST = 100
"""Documents that an answer may have."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    Args:
        policy: which legs answer; the coordinator's modes.
        where: metadata that every hit must have.
        model: the embedding model to ask with; none for the tenant's own.
    """

    policy: Policy = "auto"
    where: Filter | None = None
    model: str | None = None
