"""Filters: conditions on payload, ids and vectors, combined by must, should, must_not and min_should."""

from typing import Annotated, Any, Self

from pydantic import Discriminator, Field, Tag, model_validator

from interlace_edge.errors import unsupported
from interlace_edge.wire.base import PointId, Wire


class Match(Wire):
    """How a payload value must match; exactly one of the keys."""

    value: bool | int | str | None = None
    any: list[str] | list[int] | None = None
    except_: list[str] | list[int] | None = Field(None, alias="except")
    text: str | None = None
    text_any: str | None = None
    phrase: str | None = None
    prefix: str | None = None
    substring: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("a match has exactly one of value, any, except, text, text_any, phrase, prefix, substring")
        return self


class Bounds(Wire):
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


class Counts(Wire):
    """Bounds for the number of values a payload field holds."""

    gt: int | None = None
    gte: int | None = None
    lt: int | None = None
    lte: int | None = None


class FieldCondition(Wire):
    """A condition on one payload field, named by its path (``metadata.team``)."""

    key: str = Field(min_length=1)
    match: Match | None = None
    range: Bounds | None = None
    values_count: Counts | None = None
    is_empty: bool | None = None
    is_null: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_geometry(cls, body: Any) -> Any:
        for name in ("geo_radius", "geo_bounding_box", "geo_polygon"):
            if isinstance(body, dict) and body.get(name) is not None:
                raise unsupported(f"the condition `{name}`")
        return body

    @model_validator(mode="after")
    def _some_condition(self) -> Self:
        if self.model_fields_set == {"key"}:
            raise ValueError("a field condition needs match, range, values_count, is_empty or is_null")
        return self


class PayloadField(Wire):
    """The path of a payload field."""

    key: str = Field(min_length=1)


class IsEmpty(Wire):
    """The field is missing, null or an empty list."""

    is_empty: PayloadField


class IsNull(Wire):
    """The field is there and null."""

    is_null: PayloadField


class HasId(Wire):
    """The point has one of these ids."""

    has_id: list[PointId]


class HasVector(Wire):
    """The point has the named vector."""

    has_vector: str


class NestedFilter(Wire):
    """A filter for the elements of an array of objects."""

    key: str = Field(min_length=1)
    filter: "Filter"


class Nested(Wire):
    """One element of the array must match the whole filter."""

    nested: NestedFilter


KINDS = ("key", "is_empty", "is_null", "has_id", "has_vector", "nested")


def _kind(condition: Any) -> str:
    if isinstance(condition, dict):
        return next((key for key in KINDS if key in condition), "filter")
    return "filter"


Condition = Annotated[
    Annotated[FieldCondition, Tag("key")]
    | Annotated[IsEmpty, Tag("is_empty")]
    | Annotated[IsNull, Tag("is_null")]
    | Annotated[HasId, Tag("has_id")]
    | Annotated[HasVector, Tag("has_vector")]
    | Annotated[Nested, Tag("nested")]
    | Annotated["Filter", Tag("filter")],
    Discriminator(_kind),
]


class MinShould(Wire):
    """At least ``min_count`` of the conditions hold."""

    conditions: list[Condition]
    min_count: int = Field(ge=0)


class Filter(Wire):
    """All of ``must``, at least one of ``should``, none of ``must_not``; a lone condition stands for a list of one."""

    must: list[Condition] | None = None
    should: list[Condition] | None = None
    must_not: list[Condition] | None = None
    min_should: MinShould | None = None

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, body: Any) -> Any:
        if not isinstance(body, dict):
            return body
        clauses = ("must", "should", "must_not")
        return {key: [value] if key in clauses and isinstance(value, dict) else value for key, value in body.items()}
