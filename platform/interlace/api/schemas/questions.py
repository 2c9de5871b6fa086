"""Questions as callers send them."""

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints, ValidationInfo, field_validator

from interlace.api.schemas.atoms import PackingBody
from interlace.api.schemas.filters import BoundedFilter, filter_of
from interlace.api.schemas.policy import EmbeddingModel, Policy
from interlace.api.schemas.request_body import RequestBody
from interlace.domain.hits import (
    ABOUT_AUTO,
    MAX_HALF_LIFE_DAYS,
    MAX_LIMIT,
    MAX_NAME_CHARACTERS,
    MAX_QUESTION_CHARACTERS,
    LegName,
    Mode,
    OptionalBoost,
    PathStrategy,
    QueryRequest,
    Signal,
    Sort,
    TagStrategy,
)
from interlace.settings import Share

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION_CHARACTERS)]
EntityName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME_CHARACTERS)]


class QueryBody(RequestBody):
    """A question to all documents of a tenant."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "Where was the designer of the Plover born?", "limit": 3}]}
    )

    mode: Mode = Field(
        "auto",
        description=f"which legs may answer; {ABOUT_AUTO}; `vector_only` reads nothing from the graph before its hits are looked up",
    )
    filters: BoundedFilter | None = Field(
        None, description="metadata that every hit must have; applied inside every leg"
    )
    # After the fields that decide whether it may be left out.
    query: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_QUESTION_CHARACTERS)] = Field(
        "",
        validate_default=True,
        description="the question; may be left out for `metadata_only` with filters",
        examples=["Who founded the company that built the first turbine?"],
    )
    limit: int = Field(10, ge=1, le=MAX_LIMIT, description="hits to return")
    legs: list[LegName] | None = Field(None, min_length=1, max_length=6, description="only these legs")
    without: list[Signal] = Field([], max_length=32, description="legs and boosts to leave out of this query")
    model: EmbeddingModel = None
    explain: bool = Field(
        default=False,
        description="also return every leg's own ranking, and the figures behind each hit's terms, such as its cosine with the whole question",
    )

    tag_strategy: TagStrategy = Field(
        "prefix", description="`exact` tags, or also those below them: `lang` finds `lang/python`"
    )
    path_strategies: list[PathStrategy] = Field(
        ["exact", "section"],
        min_length=1,
        max_length=3,
        description="titles and file names in full (`exact`) or nearly so (`fuzzy`), and `Guide > Install` (`section`)",
    )

    sort: Sort = Field("relevance", description="the order of the hits: best first, or by the time of their documents")

    policy: Policy = None
    boosts: list[OptionalBoost] = Field(
        [],
        max_length=8,
        description="boosts to add: `entity` (chunks that mention entities within two relations of the question's), `precision` (direct "
        "matches of words or of a title), `degree` (such matches in documents with many links)",
    )
    recency_days: float | None = Field(
        None,
        gt=0,
        le=MAX_HALF_LIFE_DAYS,
        allow_inf_nan=False,
        description="half-life in days of a boost for recent documents; empty: the server's own, by default none",
    )

    pack: PackingBody | None = Field(None, description="also pack the best hits into a token budget")

    @field_validator("query")
    @classmethod
    def _is_needed(cls, value: str, info: ValidationInfo) -> str:
        if not value and not (info.data.get("mode") == "metadata_only" and filter_of(info.data.get("filters"))):
            raise ValueError("is missing; only `metadata_only` with filters works without a question")
        return value

    def to_domain(self) -> QueryRequest:
        """Return the question in the domain's words."""
        return QueryRequest(
            text=self.query,
            mode=self.mode,
            limit=self.limit,
            where=filter_of(self.filters),
            legs=tuple(self.legs) if self.legs else None,
            explain=self.explain,
            without=frozenset(self.without),
            tag_strategy=self.tag_strategy,
            path_strategies=tuple(self.path_strategies),
            model=self.model,
            sort=self.sort,
            policy=self.policy.to_domain() if self.policy else None,
            boosts=frozenset(self.boosts),
            recency_days=self.recency_days,
        )


class EntitySearchBody(RequestBody):
    """A name to look for among the entities."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "Hoffman", "limit": 3}]})

    query: EntityName = Field(description="a name; misspelt and partial names match too")
    types: tuple[Annotated[str, StringConstraints(max_length=64)], ...] = Field(
        (), max_length=20, description="only entities of these types"
    )
    limit: int = Field(10, ge=1, le=100, description="entities to return")
    min_confidence: Share = Field(0.0, description="minimum confidence of a match")
