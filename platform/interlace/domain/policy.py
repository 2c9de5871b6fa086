"""The retrieval policy of a request: whether the graph answers first, and when the other legs are asked as well."""

import math
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from interlace.domain.errors import InvalidInputError

First = Literal["graph", "all"]
"""``graph``: the graph alone, the other legs where it is not enough; ``all``: every leg at once."""
MAX_HITS = 1000


@dataclass(frozen=True, slots=True)
class RetrievalPolicy:
    """The changes that a request makes to the policy of the settings; None leaves a value unchanged.

    The thresholds count only where the graph answers first.

    Args:
        first: who answers first.
        min_graph_hits: escalate where the graph reaches fewer candidates, 0 to 1,000.
        min_graph_score: escalate where its best candidate scores lower, 0 to 1.
        min_source_coverage: escalate where its first ten hits come from fewer sources, as a share of the hits.
        min_overlap: escalate where known entities cover a lower share of the request's words.

    Raises:
        InvalidInputError: a value is out of range or no number; the message names it.
    """

    first: First | None = None
    min_graph_hits: int | None = None
    min_graph_score: float | None = None
    min_source_coverage: float | None = None
    min_overlap: float | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.first not in get_args(First):
            raise InvalidInputError(f"policy.first is {self.first!r}; use one of {', '.join(get_args(First))}.")
        for name, value in asdict(self).items():
            most = MAX_HITS if name == "min_graph_hits" else 1
            if name != "first" and value is not None and not (math.isfinite(value) and 0 <= value <= most):
                raise InvalidInputError(f"policy.{name} is {value}; it must be a number from 0 to {most}.")
