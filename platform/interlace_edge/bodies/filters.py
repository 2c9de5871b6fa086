"""Filters: conditions on payload, ids and vectors, combined by must, should and must_not."""

from typing import Annotated, Any, Self

from pydantic import Discriminator, Field, Tag, model_validator

from interlace_edge.bodies.base import Name, PointId, StrictBody


class MatchBody(StrictBody):
    """How a payload value must match: exactly one of the keys."""

    value: bool | str | None = None
    any: list[str] | None = None
    prefix: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a match has exactly one of value, any, prefix")
        return self


class RangeBody(StrictBody):
    """A range of numbers, or of RFC 3339 dates given as strings."""

    gt: float | str | None = None
    gte: float | str | None = None
    lt: float | str | None = None
    lte: float | str | None = None

    @model_validator(mode="after")
    def _one_type(self) -> Self:
        kinds = {isinstance(getattr(self, name), str) for name in self.model_fields_set}
        if len(kinds) > 1:
            raise ValueError("the bounds of a range are all numbers or all dates")
        return self


class FieldCondition(StrictBody):
    """A condition on one payload field, named by its path (``metadata.team``)."""

    key: Name
    match: MatchBody | None = None
    range: RangeBody | None = None

    @model_validator(mode="after")
    def _one_condition(self) -> Self:
        if (self.match is None) == (self.range is None):
            raise ValueError("a field condition has either match or range")
        return self


class HasId(StrictBody):
    """The point has one of these ids."""

    has_id: list[PointId]


class HasVector(StrictBody):
    """The point has the named vector."""

    has_vector: str


def _kind(condition: Any) -> str:
    if isinstance(condition, dict):
        return next((key for key in ("key", "has_id", "has_vector") if key in condition), "filter")
    return "filter"


AnyCondition = Annotated[
    Annotated[FieldCondition, Tag("key")]
    | Annotated[HasId, Tag("has_id")]
    | Annotated[HasVector, Tag("has_vector")]
    | Annotated["EdgeFilter", Tag("filter")],
    Discriminator(_kind),
]


class EdgeFilter(StrictBody):
    """All of ``must``, at least one of ``should``, none of ``must_not``."""

    must: list[AnyCondition] = Field(default_factory=list)
    should: list[AnyCondition] = Field(default_factory=list)
    must_not: list[AnyCondition] = Field(default_factory=list)
