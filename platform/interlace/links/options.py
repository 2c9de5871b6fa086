"""Options and limits of calls to the link graph."""

from dataclasses import dataclass
from typing import Literal

from interlace.domain.filters import Filter
from interlace.domain.policy import RetrievalPolicy

PlannedMode = Literal["auto", "graph_only", "hybrid", "vector_only"]
NameMatching = Literal["fts", "fuzzy", "exact", "regex"]
"""How names match a query: by its words, by words that may be misspelt, as a whole, or by a pattern for one of their words."""
MAX_HOPS = 3
"""Links between the first document and the last that an answer may follow."""


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
