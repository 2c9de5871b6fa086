"""Filters of requests as filters of the engine."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import qdrant_edge as engine

from interlace_edge.bodies.filters import (
    AnyCondition,
    EdgeFilter,
    FieldCondition,
    HasId,
    HasVector,
    MatchBody,
    RangeBody,
)
from interlace_edge.errors import wrong_input

MATCHES: dict[str, Callable[..., Any]] = {
    "value": engine.MatchValue,
    "any": engine.MatchAny,
    "prefix": engine.MatchPrefix,
}


def compile_filter(where: EdgeFilter | None) -> Any:
    """Return the engine's filter; None if there is none.

    Raises:
        EdgeError: 400, a date or a payload path is malformed.
    """
    if where is None:
        return None
    return engine.Filter(
        must=_conditions(where.must), should=_conditions(where.should), must_not=_conditions(where.must_not)
    )


def _conditions(conditions: Sequence[AnyCondition]) -> list[Any]:
    return [_condition(condition) for condition in conditions]


def _condition(condition: AnyCondition) -> Any:
    match condition:
        case EdgeFilter():
            return compile_filter(condition)
        case HasId():
            return engine.HasIdCondition(set(condition.has_id))
        case HasVector():
            return engine.HasVectorCondition(condition.has_vector)
        case FieldCondition():
            return _field(condition)


def _field(condition: FieldCondition) -> Any:
    try:
        return engine.FieldCondition(
            condition.key,
            match=_match(condition.match) if condition.match else None,
            range=_range(condition.range) if condition.range else None,
        )
    except (ValueError, TypeError) as error:
        raise wrong_input(f"{condition!r}: {error}") from None


def _match(match: MatchBody) -> Any:
    (way,) = match.model_fields_set
    value = getattr(match, way)
    # The binding reads Python's True as the integer 1, but numpy's as a boolean.
    return MATCHES[way](np.bool_(value) if isinstance(value, bool) else value)


def _range(bounds: RangeBody) -> Any:
    given = bounds.model_dump(exclude_unset=True)
    dates = any(isinstance(value, str) for value in given.values())
    return engine.RangeDateTime(**given) if dates else engine.RangeFloat(**given)
