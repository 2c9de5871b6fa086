"""The strict base of every request body, point ids, and readable sentences from validation errors."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from interlace_edge.errors import EdgeError

UNSIGNED_64 = 2**64 - 1
UNSIGNED_32 = 2**32 - 1
# Pydantic's error types that say "the right shape with a value out of bounds": Qdrant answers these with 422, others with 400.
OUT_OF_BOUNDS = ("greater_than", "less_than", "too_short", "too_long", "value_error", "pattern_mismatch")


class Wire(BaseModel):
    """A JSON object whose unknown keys are refused and whose nulls mean "not given"."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, body: Any) -> Any:
        """Clients spell an absent option as null; even one that is not supported here is then not asked for."""
        return {key: value for key, value in body.items() if value is not None} if isinstance(body, Mapping) else body


def _canonical_uuid(text: str) -> str:
    return str(UUID(text))


PointId = Annotated[int, Field(ge=0, le=UNSIGNED_64)] | Annotated[str, AfterValidator(_canonical_uuid)]


def read_json(body: bytes) -> Any:
    """Decode a JSON body.

    Raises:
        EdgeError: 400, the body is no JSON.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise EdgeError(400, f"Format error in JSON body: {error}") from None


def refusal(error: ValidationError) -> EdgeError:
    """Turn the first problems of a validation into one 400 (shape) or 422 (bounds)."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    sentences = "; ".join(f"{_place(problem['loc'])}: {problem['msg']}" for problem in problems[:3])
    if all(any(word in problem["type"] for word in OUT_OF_BOUNDS) for problem in problems):
        return EdgeError(422, f"Validation error in JSON body: [{sentences}]")
    return EdgeError(400, f"Format error in JSON body: {sentences}")


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "body"
