"""The protocol of a leg, one retrieval strategy that turns an understood query into candidates, and what legs read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from interlace.domain.filters import Filter
from interlace.domain.hits import PathStrategy, TagStrategy
from interlace.ports.vectors import Vector
from interlace.search.candidates import Candidate
from interlace.search.conditions import filter_parameter
from interlace.search.linking import LinkedEntities
from interlace.search.weights import FusionWeights

Input = Literal["query", "embedding", "first_stage"]
"""What a leg waits for: only the understood query, also its embedding, or also the candidates of the dense and the keyword leg."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The bounds of a search.

    Args:
        tenant: whose documents.
        text: the query.
        where: the metadata filter, which every leg applies inside its search.
        limit: candidates that a leg may return.
        timeout: seconds that a leg may run.
    """

    tenant: str
    text: str
    where: Filter | None
    limit: int
    timeout: float

    @property
    def filter(self) -> dict[str, Any] | None:
        """The filter as queries of the graph take it; None without one."""
        return filter_parameter(self.where)


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What legs read.

    Args:
        scope: the bounds.
        entities: the query's linked entities.
        weights: the query's weights, with what the caller left out.
        keywords: content words of the query.
        model: the embedding model; empty without embeddings.
        embedding: the query's vector; none without embeddings.
        first_stage: chunk to weight in the restart of the graph leg.
        tag_strategy: how tags match.
        path_strategies: how titles, file names and section paths match.
        counts: how much a leg read, by name, for the cost of the answer; legs write it.
        degraded: legs that answered without a server that they need; legs write it.
    """

    scope: Scope
    entities: LinkedEntities
    weights: FusionWeights
    keywords: Sequence[str] = ()
    model: str = ""
    embedding: Vector | None = None
    first_stage: Mapping[str, float] = field(default_factory=dict)
    tag_strategy: TagStrategy = "prefix"
    path_strategies: tuple[PathStrategy, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)


class Leg(Protocol):
    """A strategy of retrieval. ``search`` is a leaf task: it must not wait for other tasks."""

    @property
    def name(self) -> str:
        """Its name in requests, weights and explanations."""
        ...

    @property
    def needs(self) -> Input:
        """What must be there before it can run."""
        ...

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return candidates, best first.

        Raises:
            UnavailableError: the server does not answer in time.
        """
        ...
