"""Searches among atoms, and packing, as callers send them."""

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from interlace.domain.atoms import AtomRequest
from interlace.domain.packing import PackRequest
from interlace.settings import ModelName, Share, Weight

_MOST_CATEGORIES = 100
Word = Annotated[str, StringConstraints(max_length=200)]
Weights: TypeAlias = Annotated[dict[Word, Weight], Field(max_length=_MOST_CATEGORIES)]


class AtomSearchBody(BaseModel):
    """What to look for among the knowledge atoms of a tenant."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "community detection", "limit": 5}]}
    )

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)] = Field(
        description="a name, keywords or a question", examples=["community detection"]
    )
    limit: int = Field(10, ge=1, le=100, description="atoms wanted")
    expand: bool = Field(
        default=True, description="whether other names of what the query names count too, at a discount"
    )
    model: ModelName | None = Field(
        None, description="embedding model to compare by; empty: the one that the tenant's questions use"
    )

    def to_domain(self) -> AtomRequest:
        """Return the search in the domain's words."""
        return AtomRequest(self.query, self.limit, self.expand, self.model)


class PackingBody(BaseModel):
    """How to pack hits into a token budget."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    budget: int = Field(ge=1, le=1_000_000, description="tokens that the packed text may have")
    category_weights: Weights = Field(
        default_factory=dict,
        description="weight by category, 1 for others: `metadata.category`, else the section's type",
    )
    epistemic_weights: Weights = Field(
        default_factory=dict, description="weight by `metadata.epistemic`, for example `verified` or `hypothesis`"
    )
    diversity: Share | None = Field(
        None, description="penalty for each hit of the same category that is in already; empty: the server's own"
    )
    candidates: int | None = Field(
        None, ge=1, le=1000, description="hits to choose from; empty: the server's own number"
    )

    def to_domain(self) -> PackRequest:
        """Return the packing in the domain's words."""
        return PackRequest(self.budget, self.category_weights, self.epistemic_weights, self.diversity, self.candidates)


class PackItemBody(BaseModel):
    """Something to pack."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(description="names it in the answer")
    text: Annotated[str, StringConstraints(max_length=100_000)] = Field(description="what is packed")
    score: float = Field(ge=0, le=1_000_000, description="how well it answers; scores are compared with the highest")
    category: Word = Field("", description="what kind of text it is")
    epistemic: Word = Field("", description="how sure its author is")


class PackBody(PackingBody):
    """Things to pack into a token budget, whoever found them."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"budget": 200, "items": [{"id": "a", "text": "A text.", "score": 1.0}]}]}
    )

    candidates: None = Field(None, description="all items are candidates")
    items: list[PackItemBody] = Field(
        min_length=1, max_length=200, description="best first, each with an id of its own"
    )

    @field_validator("items")
    @classmethod
    def _distinct(cls, value: list[PackItemBody]) -> list[PackItemBody]:
        ids = [item.id for item in value]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the id {twice!r} occurs twice")
        return value
