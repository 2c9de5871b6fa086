"""Searches of the link graph as callers send them."""

from pydantic import ConfigDict, Field

from interlace.api.schemas.filters import BoundedFilter, filter_of
from interlace.api.schemas.policy import EmbeddingModel, Policy
from interlace.api.schemas.questions import Question
from interlace.api.schemas.request_body import RequestBody
from interlace.domain.hits import ABOUT_AUTO, MAX_LIMIT
from interlace.links.options import NameMatching, PlannedMode, SearchOptions


class SearchOptionsBody(RequestBody):
    """How to search."""

    mode: PlannedMode = Field(
        "auto", description=f"which legs answer; {ABOUT_AUTO}; `vector_only` leaves names and links out of the ranking"
    )
    match: NameMatching = Field(
        "fts",
        description="how names of documents match: `fts` by words, `fuzzy` also misspelt, `exact` as a whole (title, alias, file name, path or "
        "URI), `regex` by a pattern that matches a whole word of title or path; the query is then the pattern",
    )
    policy: Policy = None
    filters: BoundedFilter | None = Field(None, description="metadata that every hit must have")
    model: EmbeddingModel = None

    def to_domain(self) -> SearchOptions:
        """Return the options in the domain's words."""
        return SearchOptions(
            mode=self.mode,
            where=filter_of(self.filters),
            model=self.model,
            match=self.match,
            policy=self.policy.to_domain() if self.policy else None,
        )


class LinkSearchBody(RequestBody):
    """A query to the link graph."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "tide gauges in Bergen", "limit": 5}]})

    query: Question = Field(description="keywords or a question", examples=["how the outbox survives a crash"])
    limit: int = Field(10, ge=1, le=MAX_LIMIT, description="documents to return")
    options: SearchOptionsBody = Field(default_factory=SearchOptionsBody, description="how to search")
