"""Finds numbers that JSON does not have: a strict parser only says at which byte it stopped, and callers want to know the field."""

import json
import math
from collections.abc import Iterator
from typing import Any

_MAX_PROBLEMS = 20
Place = tuple[int | str, ...]


def places_of_non_finite(body: bytes) -> list[Place]:
    """Return where a JSON text holds NaN, an infinity or a number beyond 64-bit floats, at most twenty; none if it is broken otherwise."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    return [place for _, place in zip(range(_MAX_PROBLEMS), _non_finite(value), strict=False)]


def _non_finite(value: Any) -> Iterator[Place]:
    stack: list[tuple[Any, Place]] = [(value, ())]
    while stack:
        found, place = stack.pop()
        if isinstance(found, dict):
            stack += [(item, (*place, key)) for key, item in reversed(found.items())]
        elif isinstance(found, list):
            stack += [(item, (*place, number)) for number, item in reversed(list(enumerate(found)))]
        elif isinstance(found, float) and not math.isfinite(found):
            yield place
