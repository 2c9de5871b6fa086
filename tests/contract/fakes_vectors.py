"""The vector index in memory, exact, with numpy: passes the same contract suite as the Qdrant adapter."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError
from interlace.domain.filters import Condition, Filter
from interlace.ports.vectors import Point, ScoredPoint, SparseVector

WORDS = ("source", "source_type", "tags", "document_id", "section_type")
DATES = ("created_at", "modified_at")


class FakeVectorIndex:
    """Collections as dictionaries."""

    def __init__(self) -> None:
        self._points: dict[tuple[str, str], dict[str, Point]] = {}
        self._models: dict[tuple[str, str], dict[str, int]] = {}

    def ensure(self, tenant: str, kind: str, models: Mapping[str, int]) -> None:
        known = self._models.setdefault((tenant, kind), {})
        for name, dimensions in models.items():
            if known.setdefault(name, dimensions) != dimensions:
                raise ConflictError(f"`{name}` has {known[name]} dimensions, not {dimensions}.")
        self._points.setdefault((tenant, kind), {})

    def upsert(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        if (tenant, kind) not in self._points:
            raise NotFoundError(f"There is no collection {tenant} {kind}; call ensure first.")
        for point in points:
            unit = {name: (vector / np.linalg.norm(vector)).astype(np.float32) for name, vector in point.dense.items()}
            whole = {**point.payload, "tenant": tenant}
            self._points[tenant, kind][point.id] = replace(point, dense=unit, payload=whole)

    def delete(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        for name in ids:
            self._points.get((tenant, kind), {}).pop(name, None)

    def set_payload(self, tenant: str, kind: str, ids: Sequence[str], payload: Mapping[str, Any]) -> None:
        points = self._points.get((tenant, kind), {})
        for name in ids:
            if name in points:
                points[name] = replace(points[name], payload={**payload, "tenant": tenant})

    def search(
        self,
        tenant: str,
        kind: str,
        vector: NDArray[np.float32] | SparseVector,
        *,
        using: str,
        limit: int,
        where: Filter | None = None,
        among: Sequence[str] | None = None,
        exact: bool = False,
        timeout: float | None = None,
    ) -> list[ScoredPoint]:
        del exact, timeout
        points = self._points.get((tenant, kind), {})
        scores = _keyword(points, vector, using) if isinstance(vector, SparseVector) else _dense(points, vector, using)
        hits = [
            ScoredPoint(name, float(f"{score:.6g}"), points[name].payload)
            for name, score in scores.items()
            if matches(where, points[name].payload) and (among is None or name in among)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]

    def scroll(self, tenant: str, kind: str, *, where: Filter | None = None, vectors: bool = False) -> Iterator[Point]:
        for _, point in sorted(self._points.get((tenant, kind), {}).items()):
            if matches(where, point.payload):
                yield point if vectors else replace(point, dense={}, sparse={})

    def count(self, tenant: str, kind: str) -> int:
        return len(self._points.get((tenant, kind), {}))

    def drop(self, tenant: str, kind: str) -> None:
        self._points.pop((tenant, kind), None)
        self._models.pop((tenant, kind), None)

    def ping(self) -> float:
        return 0.0

    def close(self) -> None:
        return


def _dense(points: Mapping[str, Point], vector: NDArray[np.float32], using: str) -> dict[str, float]:
    unit = vector / np.linalg.norm(vector)
    return {name: float(unit @ point.dense[using]) for name, point in points.items() if using in point.dense}


def _keyword(points: Mapping[str, Point], vector: SparseVector, using: str) -> dict[str, float]:
    weights = {name: _weights(point.sparse.get(using)) for name, point in points.items()}
    frequency = Counter(term for terms in weights.values() for term in terms)
    asked = {
        term: weight * math.log((len(points) - frequency[term] + 0.5) / (frequency[term] + 0.5) + 1)
        for term, weight in _weights(vector).items()
    }
    return {
        name: sum(asked[term] * terms[term] for term in asked if term in terms)
        for name, terms in weights.items()
        if asked.keys() & terms.keys()
    }


def _weights(vector: SparseVector | None) -> dict[int, float]:
    return dict(zip(vector.indices, vector.values, strict=True)) if vector else {}


def matches(part: Filter | Condition | None, payload: Mapping[str, Any]) -> bool:
    """Return whether a payload passes."""
    if part is None:
        return True
    if isinstance(part, Condition):
        return _holds(part, payload)
    must, should, must_not = (
        [matches(inner, payload) for inner in group] for group in (part.must, part.should, part.must_not)
    )
    return all(must) and (any(should) or not should) and not any(must_not)


def _holds(condition: Condition, payload: Mapping[str, Any]) -> bool:
    _check(condition)
    found: Any = payload
    for key in condition.field.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    values = found if isinstance(found, list) else [] if found is None else [found]
    return any(_compare(condition, value) for value in values)


def _compare(condition: Condition, value: Any) -> bool:
    wanted = condition.value
    if condition.operator == "prefix":
        return isinstance(value, str) and value.startswith(str(wanted))
    if condition.operator in ("eq", "in"):
        choices = wanted if isinstance(wanted, tuple) else (wanted,)
        return any(_same(condition, value, choice) for choice in choices)
    left, right = _ordered(value, wanted)
    ways = {"gt": left > right, "gte": left >= right, "lt": left < right, "lte": left <= right}
    return ways[condition.operator]


def _same(condition: Condition, value: Any, choice: Any) -> bool:
    if condition.field in DATES:
        return bool(_date(value) == _date(choice))
    return isinstance(value, bool) == isinstance(choice, bool) and bool(value == choice)


def _ordered(value: Any, wanted: Any) -> tuple[float, float]:
    if isinstance(wanted, str):
        return _date(value).timestamp(), _date(wanted).timestamp()
    return (float(value), float(wanted)) if isinstance(value, int | float) else (math.nan, math.nan)


def _date(text: Any) -> datetime:
    try:
        date = datetime.fromisoformat(str(text))
    except ValueError:
        raise InvalidInputError(f"{text!r} is no date.") from None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _check(condition: Condition) -> None:
    name, value = condition.field, condition.value
    if name not in (*WORDS, *DATES) and not name.startswith("metadata."):
        raise InvalidInputError(f"`{name}` is no field.")
    ranged = condition.operator not in ("eq", "in", "prefix")
    if ranged and (name in WORDS or isinstance(value, bool | tuple) or (name in DATES and not isinstance(value, str))):
        raise InvalidInputError(f"{name} has no order.")
    if condition.operator == "prefix" and (name in DATES or not isinstance(value, str)):
        raise InvalidInputError("A prefix is a word.")
