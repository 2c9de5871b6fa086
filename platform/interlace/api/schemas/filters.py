"""Metadata filters as callers send them, and their translation to the filter language of the domain."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag, model_validator

from interlace.domain.filters import Condition, Filter, Operator

FIELDS = ("source", "source_type", "tags", "document_id", "created_at", "modified_at", "section_type")
_METADATA = "metadata."
_RANGES = frozenset({"gt", "gte", "lt", "lte"})
_MAX_CONDITIONS = 100
_MAX_DEPTH = 8

Text = Annotated[StrictStr, Field(max_length=2000)]
Whole = Annotated[StrictInt, Field(ge=-(2**63), lt=2**63)]
Part = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Value: TypeAlias = StrictBool | Whole | Part | Text


class ConditionBody(BaseModel):
    """One comparison."""

    model_config = ConfigDict(extra="forbid")

    field: str = Field(
        max_length=200, description=f"one of {', '.join(FIELDS)}, or metadata.KEY", examples=["tags", "metadata.author"]
    )
    op: Operator = Field("eq", description="comparison")
    value: Value | Annotated[list[Value], Field(min_length=1, max_length=1000)] = Field(
        description="what to compare with; a list for `in`"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.field not in FIELDS and not (self.field.startswith(_METADATA) and len(self.field) > len(_METADATA)):
            raise ValueError(f"{self.field!r} cannot be filtered by; use {', '.join(FIELDS)} or metadata.KEY")
        if isinstance(self.value, list) != (self.op == "in"):
            raise ValueError("value must be a list for `in`, and one value for every other op")
        if self.op in _RANGES and isinstance(self.value, bool):
            raise ValueError(f"`{self.op}` compares numbers or texts, not true and false")
        if self.op == "prefix" and not isinstance(self.value, str):
            raise ValueError("`prefix` compares texts")
        return self

    def to_domain(self) -> Condition:
        """Return the comparison in the domain's words."""
        value = tuple(self.value) if isinstance(self.value, list) else self.value
        return Condition(self.field, self.op, value)


def _kind(value: Any) -> Literal["condition", "filter"]:
    found = "field" in value if isinstance(value, dict) else isinstance(value, ConditionBody)
    return "condition" if found else "filter"


Clause: TypeAlias = Annotated[
    Annotated[ConditionBody, Tag("condition")] | Annotated["FilterBody", Tag("filter")], Discriminator(_kind)
]


class FilterBody(BaseModel):
    """A combination: all of `must`, at least one of `should` if there is any, none of `must_not`; filters nest."""

    model_config = ConfigDict(extra="forbid")

    must: list[Clause] = Field(default_factory=list, max_length=_MAX_CONDITIONS)
    should: list[Clause] = Field(default_factory=list, max_length=_MAX_CONDITIONS)
    must_not: list[Clause] = Field(default_factory=list, max_length=_MAX_CONDITIONS)

    def clauses(self) -> list["ConditionBody | FilterBody"]:
        """Return what it combines."""
        return [*self.must, *self.should, *self.must_not]

    def to_domain(self) -> Filter:
        """Return the combination in the domain's words."""
        return Filter(
            must=tuple(clause.to_domain() for clause in self.must),
            should=tuple(clause.to_domain() for clause in self.should),
            must_not=tuple(clause.to_domain() for clause in self.must_not),
        )


def within_limits(body: FilterBody) -> FilterBody:
    """Return the filter as it is.

    Raises:
        ValueError: it nests too deep or holds too many comparisons to be run inside every leg.
    """
    layer: list[ConditionBody | FilterBody] = [body]
    count = depth = 0
    while layer := [clause for part in layer if isinstance(part, FilterBody) for clause in part.clauses()]:
        count += len(layer)
        depth += 1
        if depth > _MAX_DEPTH or count > _MAX_CONDITIONS:
            raise ValueError(f"holds more than {_MAX_CONDITIONS} conditions, or nests deeper than {_MAX_DEPTH}")
    return body
