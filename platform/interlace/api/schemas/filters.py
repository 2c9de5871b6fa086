"""Metadata filters as callers send them, and their translation to the filter language of the domain."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from interlace.api.schemas.request_body import RequestBody
from interlace.domain.atoms import with_addresses
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import (
    FIELDS,
    MAX_CHARACTERS,
    MAX_CHOICES,
    MAX_CONDITIONS,
    MAX_KEY_CHARACTERS,
    METADATA,
    Condition,
    Filter,
    Operator,
    within_limits,
)

FilterText = Annotated[StrictStr, Field(max_length=MAX_CHARACTERS)]
Whole = Annotated[StrictInt, Field(ge=-(2**63), lt=2**63)]
Part = Annotated[float, Field(strict=True, allow_inf_nan=False)]
FilterValue: TypeAlias = StrictBool | Whole | Part | FilterText


def _one_message(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """Say once what a value may be, and not once for each type that it is not."""
    try:
        return handler(value)
    except ValidationError:
        raise ValueError(
            f"must be a text of at most {MAX_CHARACTERS} characters, a finite number (an integer of 64 bits), true or false; "
            f"for `in` a list of 1 to {MAX_CHOICES} of them"
        ) from None


class ConditionBody(RequestBody):
    """One comparison."""

    field: str = Field(
        max_length=len(METADATA) + MAX_KEY_CHARACTERS,
        description=f"one of {', '.join(FIELDS)}, or metadata.KEY",
        examples=["tags", "metadata.author"],
    )
    op: Operator = Field("eq", description="comparison")
    value: Annotated[
        FilterValue | Annotated[list[FilterValue], Field(min_length=1, max_length=MAX_CHOICES)],
        WrapValidator(_one_message),
    ] = Field(description="what to compare with; a list for `in`")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        try:
            self.to_domain()
        except InvalidInputError as error:
            raise ValueError(error.message) from None
        return self

    def to_domain(self) -> Condition | Filter:
        """Return the comparison in the domain's words."""
        value = tuple(self.value) if isinstance(self.value, list) else self.value
        return with_addresses(Condition(self.field, self.op, value))


def _kind(value: Any) -> Literal["condition", "filter"]:
    found = "field" in value if isinstance(value, dict) else isinstance(value, ConditionBody)
    return "condition" if found else "filter"


Clause: TypeAlias = Annotated[
    Annotated[ConditionBody, Tag("condition")] | Annotated["FilterBody", Tag("filter")], Discriminator(_kind)
]


class FilterBody(RequestBody):
    """A combination: all of `must`, at least one of `should` if there is any, none of `must_not`; filters nest."""

    must: list[Clause] = Field(default_factory=list, max_length=MAX_CONDITIONS)
    should: list[Clause] = Field(default_factory=list, max_length=MAX_CONDITIONS)
    must_not: list[Clause] = Field(default_factory=list, max_length=MAX_CONDITIONS)

    def to_domain(self) -> Filter:
        """Return the combination in the domain's words."""
        return Filter(
            must=tuple(clause.to_domain() for clause in self.must),
            should=tuple(clause.to_domain() for clause in self.should),
            must_not=tuple(clause.to_domain() for clause in self.must_not),
        )


def _bounded(body: FilterBody) -> FilterBody:
    try:
        within_limits(body.to_domain())
    except InvalidInputError as error:
        raise ValueError(error.message) from None
    return body


BoundedFilter: TypeAlias = Annotated[FilterBody, AfterValidator(_bounded)]
"""A filter small enough to be run inside every leg."""


def filter_of(body: FilterBody | None) -> Filter | None:
    """Return a request's filter in the domain's words; None where it has no condition."""
    where = body.to_domain() if body else None
    return where if where and where.parts else None
