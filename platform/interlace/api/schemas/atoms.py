"""Searches among atoms, and packing, as callers send them."""

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints, field_validator

from interlace.api.schemas.policy import EmbeddingModel
from interlace.api.schemas.request_body import RequestBody
from interlace.domain.atoms import AtomOptions, AtomRequest, Combination
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.packing import PackItem, PackRequest
from interlace.search.profile import PROFILE
from interlace.settings import Share
from interlace.settings_objects import Weight

_MAX_CATEGORIES = 100
_ATOMS, _PACKING = PROFILE.atoms, PROFILE.packing
ShortWord = Annotated[str, StringConstraints(max_length=200)]
Weights: TypeAlias = Annotated[dict[ShortWord, Weight], Field(max_length=_MAX_CATEGORIES)]


class AtomWeightsBody(RequestBody):
    """Weights of the parts of an atom's score, with the server's own; an empty one keeps that."""

    exact: Weight | None = Field(None, description=f"a name that the query holds in full; {_ATOMS.exact:g}")
    name: Weight | None = Field(None, description=f"terms in the name; {_ATOMS.name:g}")
    description: Weight | None = Field(None, description=f"terms in the description; {_ATOMS.description:g}")
    tags: Weight | None = Field(None, description=f"terms in the tags; {_ATOMS.tags:g}")
    content: Weight | None = Field(None, description=f"terms in the rest of the text; {_ATOMS.content:g}")
    bigram: Weight | None = Field(None, description=f"two terms adjacent in the name too; {_ATOMS.bigram:g}")


class AtomSearchBody(RequestBody):
    """What to look for among the knowledge atoms of a tenant."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "community detection", "limit": 5}]})

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)] = Field(
        description="a name, keywords or a question", examples=["community detection"]
    )
    limit: int = Field(10, ge=1, le=100, description="atoms to return")
    expand: bool = Field(
        default=True, description="whether aliases of the entities that the query names match too, at a discount"
    )
    model: EmbeddingModel = None
    decompose: bool = Field(default=True, description="whether a long query is decomposed into sub-queries")
    decompose_threshold: int | None = Field(
        None, ge=2, le=48, description=f"distinct terms from which it is; empty: {_ATOMS.decompose_from}"
    )
    combine: Combination = Field(
        "whole", description="sub-queries count by the bonus on the whole query's score, or by the sum of their own"
    )
    intersection_bonus: Weight | None = Field(
        None,
        description=f"share of its score added to an atom that several sub-queries find; empty: {_ATOMS.decomposition_bonus:g}",
    )
    rerank: bool = Field(default=True, description="whether embeddings rerank the matches")
    rerank_alpha: Share | None = Field(
        None, description=f"weight of terms in the rerank, the cosine has the rest; empty: {_ATOMS.lexical_share:g}"
    )
    weights: AtomWeightsBody = Field(default_factory=AtomWeightsBody, description="weights of the parts of a score")
    min_score: Share = Field(0.0, description="minimum `relevance` of a hit")

    def to_domain(self) -> AtomRequest:
        """Return the search in the domain's words."""
        options = AtomOptions(
            self.decompose,
            self.decompose_threshold,
            self.combine,
            self.intersection_bonus,
            self.rerank,
            self.rerank_alpha,
            self.weights.model_dump(exclude_none=True),
            self.min_score,
        )
        return AtomRequest(self.query, self.limit, self.expand, self.model, options)


class PackingBody(RequestBody):
    """How to pack hits into a token budget."""

    budget: int = Field(ge=1, le=1_000_000, description="tokens that the packed text may have")
    category_weights: Weights = Field(
        default_factory=dict,
        description="weight by category, 1 for others: `metadata.category`, else the section's type",
    )
    epistemic_weights: Weights = Field(
        default_factory=dict, description="weight by `metadata.epistemic`, for example `verified` or `hypothesis`"
    )
    diversity: Share | None = Field(
        None,
        description=f"penalty for each hit of the same category that is already packed; empty: {_PACKING.diversity:g}",
    )
    candidates: int | None = Field(
        None, ge=1, le=MAX_LIMIT, description=f"hits to choose from; empty: {_PACKING.candidates}"
    )

    def to_domain(self) -> PackRequest:
        """Return the packing in the domain's words."""
        return PackRequest(self.budget, self.category_weights, self.epistemic_weights, self.diversity, self.candidates)


class PackItemBody(RequestBody):
    """An item to pack."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(description="its id in the response")
    text: Annotated[str, StringConstraints(max_length=100_000)] = Field(description="the text to pack")
    score: float = Field(ge=0, le=1_000_000, description="its relevance, compared with the highest score")
    category: ShortWord = Field("", description="what kind of text it is")
    epistemic: ShortWord = Field("", description="how sure its author is")
    epistemic_weight: Weight | None = Field(
        None, description="replaces the weight of its epistemic status; empty: that of its status"
    )
    information_gain: Weight = Field(1.0, description="how much new information it adds, as a factor of its value")

    def to_domain(self) -> PackItem:
        """Return the item in the domain's words; what it costs is counted later."""
        return PackItem(
            self.id,
            self.score,
            0,
            self.category,
            self.epistemic,
            self.text,
            information_gain=self.information_gain,
            epistemic_weight=self.epistemic_weight,
        )


class PackBody(PackingBody):
    """Items to pack into a token budget, from any source."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"budget": 200, "items": [{"id": "a", "text": "A text.", "score": 1.0}]}]}
    )

    candidates: None = Field(None, description="all items are candidates")
    items: list[PackItemBody] = Field(min_length=1, max_length=200, description="best first, each with a unique id")

    @field_validator("items")
    @classmethod
    def _distinct(cls, value: list[PackItemBody]) -> list[PackItemBody]:
        ids = [item.id for item in value]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the id {twice!r} occurs twice")
        return value
