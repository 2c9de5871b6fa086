"""The strict base of every request body, point ids, and readable sentences from validation errors."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from interlace_edge.errors import EdgeError

UNSIGNED_64 = 2**64 - 1
UNSIGNED_32 = 2**32 - 1
# Pydantic's error types for a value of the right type but out of bounds: Qdrant answers these with 422, others with 400.
OUT_OF_BOUNDS = ("greater_than", "less_than", "too_short", "too_long", "value_error")
MAX_PROBLEMS = 3


class StrictBody(BaseModel):
    """A JSON object. Unknown keys are refused, and null means "not given"."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, body: Any) -> Any:
        """Drop nulls: clients write an absent option as null, so a null requests nothing."""
        return {key: value for key, value in body.items() if value is not None} if isinstance(body, Mapping) else body


def _canonical_uuid(text: str) -> str:
    return str(UUID(text))


PointId = Annotated[int, Field(ge=0, le=UNSIGNED_64)] | Annotated[str, AfterValidator(_canonical_uuid)]
Name = Annotated[str, Field(min_length=1)]


def read_json(body: bytes) -> Any:
    """Decode a JSON body.

    Raises:
        EdgeError: 400, the body is not JSON.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise EdgeError(400, f"Format error in JSON body: {error}") from None


def refusal(error: ValidationError) -> EdgeError:
    """Return the first problems of a validation as one 400 (wrong shape) or 422 (value out of bounds)."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    sentences = "; ".join(f"{_place(each['loc'])}: {_sentence(each)}" for each in problems[:MAX_PROBLEMS])
    if all(any(kind in problem["type"] for kind in OUT_OF_BOUNDS) for problem in problems):
        return EdgeError(422, f"Validation error in JSON body: [{sentences}]")
    return EdgeError(400, f"Format error in JSON body: {sentences}")


def _sentence(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return "this Qdrant Edge server does not support this field; a Qdrant server may"
    return str(problem["msg"])


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "body"
