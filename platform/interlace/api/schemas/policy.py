"""The retrieval policy and the embedding model of a request as callers send them."""

from typing import Annotated

from pydantic import ConfigDict, Field

from interlace.api.schemas.request_body import RequestBody
from interlace.domain.policy import MAX_HITS, First, RetrievalPolicy
from interlace.settings import ModelName, Share


class PolicyBody(RequestBody):
    """What a request changes in the server's retrieval policy; the thresholds count where the graph answers first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"first": "graph"}]})

    first: First | None = Field(
        None,
        description="`graph`: the graph alone, and the other legs where a threshold below is missed or the question is abstract; `all`: "
        "every leg at once; empty: as the server is set (INTERLACE_QUERY__POLICY)",
    )
    min_graph_hits: int | None = Field(
        None, ge=0, le=MAX_HITS, description="escalate if the graph reaches fewer hits; empty: the server's own"
    )
    min_graph_score: Share | None = Field(
        None, description="escalate if the graph's best hit scores lower; empty: the server's own"
    )
    min_source_coverage: Share | None = Field(
        None,
        description="escalate if a lower share of the graph's first ten hits come from different documents; empty: the server's own",
    )
    min_overlap: Share | None = Field(
        None,
        description="escalate if known entities cover a lower share of the words, as in an abstract question; empty: the server's own",
    )

    def to_domain(self) -> RetrievalPolicy:
        """Return the policy in the domain's words."""
        return RetrievalPolicy(**self.model_dump())


Policy = Annotated[
    PolicyBody | None,
    Field(
        description="the retrieval policy of `auto`: what answers first, and the thresholds; empty: the server's own"
    ),
]
EmbeddingModel = Annotated[
    ModelName | None, Field(description="embedding model to ask with; empty: the one that the tenant's questions use")
]
