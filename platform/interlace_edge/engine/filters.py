"""Filters of requests as filters of the engine."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import qdrant_edge as engine

from interlace_edge.errors import wrong_input
from interlace_edge.wire import filters as wire

MATCHES: dict[str, Callable[..., Any]] = {
    "value": engine.MatchValue,
    "any": engine.MatchAny,
    "except_": engine.MatchExcept,
    "text": engine.MatchText,
    "text_any": engine.MatchTextAny,
    "phrase": engine.MatchPhrase,
    "prefix": engine.MatchPrefix,
    "substring": engine.MatchSubstring,
}


def compile_filter(where: wire.Filter | None) -> Any:
    """Return the engine's filter, or None for none.

    Raises:
        EdgeError: 400, a date or a payload path is malformed.
    """
    if where is None:
        return None
    minimum = where.min_should
    return engine.Filter(
        must=_conditions(where.must or ()),
        should=_conditions(where.should or ()),
        must_not=_conditions(where.must_not or ()),
        min_should=engine.MinShould(_conditions(minimum.conditions), minimum.min_count) if minimum else None,
    )


def _conditions(conditions: Sequence[wire.Condition]) -> list[Any]:
    return [_condition(condition) for condition in conditions]


def _condition(condition: wire.Condition) -> Any:
    if isinstance(condition, wire.Filter):
        return compile_filter(condition)
    try:
        return _field(condition) if isinstance(condition, wire.FieldCondition) else _other(condition)
    except (ValueError, TypeError) as error:
        raise wrong_input(f"{condition!r}: {error}") from None


def _other(condition: wire.IsEmpty | wire.IsNull | wire.HasId | wire.HasVector | wire.Nested) -> Any:
    match condition:
        case wire.IsEmpty():
            return engine.IsEmptyCondition(condition.is_empty.key)
        case wire.IsNull():
            return engine.IsNullCondition(condition.is_null.key)
        case wire.HasId():
            return engine.HasIdCondition(set(condition.has_id))
        case wire.HasVector():
            return engine.HasVectorCondition(condition.has_vector)
        case wire.Nested():
            return engine.NestedCondition(condition.nested.key, compile_filter(condition.nested.filter))


def _field(condition: wire.FieldCondition) -> Any:
    return engine.FieldCondition(
        condition.key,
        match=_match(condition.match) if condition.match else None,
        range=_range(condition.range) if condition.range else None,
        values_count=engine.ValuesCount(**condition.values_count.model_dump()) if condition.values_count else None,
        is_empty=condition.is_empty,
        is_null=condition.is_null,
    )


def _match(match: wire.Match) -> Any:
    (way,) = match.model_fields_set
    value = getattr(match, way)
    # The binding takes Python's True for the integer 1; numpy's it takes for what it is.
    return MATCHES[way](np.bool_(value) if isinstance(value, bool) else value)


def _range(bounds: wire.Bounds) -> Any:
    given = bounds.model_dump(exclude_unset=True)
    dates = any(isinstance(value, str) for value in given.values())
    return engine.RangeDateTime(**given) if dates else engine.RangeFloat(**given)
