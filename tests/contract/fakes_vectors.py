"""The vector index in memory, exact, with numpy: passes the same contract suite as the Qdrant adapter."""

import math
import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interlace.domain.errors import ConflictError, NotFoundError, QueryRefusedError
from interlace.domain.filters import DATES, METADATA, Condition, Filter
from interlace.domain.instants import instant
from interlace.domain.reader import reader_groups
from interlace.ports.vectors import NO_VECTORS, Point, ScoredPoint, SparseVector

ORDERS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}


class FakeVectorIndex:
    """Collections as dictionaries."""

    def __init__(self) -> None:
        self._points: dict[tuple[str, str], dict[str, Point]] = {}
        self._models: dict[tuple[str, str], dict[str, int]] = {}

    def ensure(
        self, tenant: str, kind: str, models: Mapping[str, int], multivectors: Mapping[str, int] = NO_VECTORS
    ) -> None:
        known = self._models.setdefault((tenant, kind), {})
        for name, dimensions in {**models, **multivectors}.items():
            if known.setdefault(name, dimensions) != dimensions:
                raise ConflictError(f"`{name}` has {known[name]} dimensions, not {dimensions}.")
        self._points.setdefault((tenant, kind), {})

    def upsert(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        if (tenant, kind) not in self._points:
            raise NotFoundError(f"There is no collection {tenant} {kind}; call ensure first.")
        for point in points:
            for name, vector in point.dense.items():
                if self._models[tenant, kind].get(name) != vector.shape[-1]:
                    # The points before this one stay, as in a Qdrant server: a batch is not refused as a whole.
                    raise QueryRefusedError(f"The collection has no `{name}` vectors of {vector.shape[-1]} dimensions.")
            unit = {name: _unit(vector) for name, vector in point.dense.items()}
            whole = {**point.payload, "tenant": tenant}
            self._points[tenant, kind][point.id] = replace(point, dense=unit, payload=whole)

    def set_vectors(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        stored = self._points.get((tenant, kind), {})
        for point in points:
            if point.id in stored:
                old = stored[point.id]
                unit = {name: _unit(vector) for name, vector in point.dense.items()}
                stored[point.id] = replace(old, dense={**old.dense, **unit}, sparse={**old.sparse, **point.sparse})

    def existing_ids(self, tenant: str, kind: str, ids: Sequence[str], vector: str | None = None) -> set[str]:
        points = self._points.get((tenant, kind), {})
        there = {name for name in ids if name in points}
        return (
            there
            if vector is None
            else {name for name in there if vector in {**points[name].dense, **points[name].sparse}}
        )

    def retrieve(self, tenant: str, kind: str, ids: Sequence[str], vectors: Sequence[str] | None = None) -> list[Point]:
        points = self._points.get((tenant, kind), {})
        found = [points[name] for name in ids if name in points]
        if vectors is None:
            return found
        return [replace(each, dense={n: v for n, v in each.dense.items() if n in vectors}, sparse={}) for each in found]

    def delete(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        for name in ids:
            self._points.get((tenant, kind), {}).pop(name, None)

    def set_payloads(self, tenant: str, kind: str, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        points = self._points.get((tenant, kind), {})
        for name in points.keys() & payloads:
            points[name] = replace(points[name], payload={**payloads[name], "tenant": tenant})

    def search(
        self,
        tenant: str,
        kind: str,
        vector: NDArray[np.float32] | SparseVector,
        *,
        using: str,
        limit: int,
        where: Filter | None = None,
        exact: bool = False,
        payload: bool = False,
        timeout: float | None = None,
    ) -> list[ScoredPoint]:
        del exact, timeout
        points = self._kept(tenant, kind)
        seen = {name: point for name, point in points.items() if _seen(point.payload)}
        scores = _keyword(seen, vector, using) if isinstance(vector, SparseVector) else _dense(seen, vector, using)
        digits = 4 if isinstance(vector, SparseVector) else 6
        hits = [
            ScoredPoint(name, float(f"{score:.{digits}g}"), points[name].payload if payload else {})
            for name, score in scores.items()
            if matches(where, points[name].payload)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]

    def cosines(
        self,
        tenant: str,
        kind: str,
        vectors: Sequence[NDArray[np.float32]],
        ids: Sequence[str],
        *,
        using: str,
        timeout: float | None = None,
    ) -> list[dict[str, float]]:
        points = self._kept(tenant, kind)
        most = max(len(points), 1)
        found = [self.search(tenant, kind, each, using=using, limit=most, timeout=timeout) for each in vectors]
        return [{hit.id: hit.score for hit in hits if hit.id in ids} for hits in found]

    def dense_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, NDArray[np.float32]]:
        del timeout
        points = {name: point for name, point in self._kept(tenant, kind).items() if name in ids}
        return {
            name: point.dense[using] for name, point in points.items() if using in point.dense and _seen(point.payload)
        }

    def sparse_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, SparseVector]:
        del timeout
        points = {name: point for name, point in self._kept(tenant, kind).items() if name in ids}
        return {
            name: point.sparse[using]
            for name, point in points.items()
            if using in point.sparse and point.sparse[using].indices and _seen(point.payload)
        }

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

    def _kept(self, tenant: str, kind: str) -> dict[str, Point]:
        if (tenant, kind) not in self._models:
            raise NotFoundError(f"There is no collection of {kind} of tenant {tenant}.")
        return self._points.get((tenant, kind), {})


def _seen(payload: Mapping[str, Any]) -> bool:
    groups, access = reader_groups(), payload.get("access", ())
    return groups is None or not access or not set(groups).isdisjoint(access)


def _dense(points: Mapping[str, Point], vector: NDArray[np.float32], using: str) -> dict[str, float]:
    unit = _unit(vector)
    # One number, or one for each vector of a multivector.
    return {name: float(np.max(point.dense[using] @ unit)) for name, point in points.items() if using in point.dense}


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = (vector / np.linalg.norm(vector, axis=-1, keepdims=True)).astype(np.float32)
    return unit


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
    key = condition.field.removeprefix(METADATA)
    found = payload.get(key) if key == condition.field else payload.get("metadata", {}).get(key)
    values = found if isinstance(found, list) else [] if found is None else [found]
    return any(_satisfies(condition, value) for value in values)


def _satisfies(condition: Condition, value: Any) -> bool:
    if condition.operator == "prefix":
        return isinstance(value, str) and value.startswith(str(condition.value))
    if condition.operator in ("eq", "in"):
        return any(_same(condition, value, choice) for choice in condition.choices)
    wanted = condition.value
    if isinstance(wanted, str):
        left, right = instant(value) if isinstance(value, str) else None, instant(wanted)
        return left is not None and right is not None and ORDERS[condition.operator](left, right)
    if isinstance(value, bool) or not isinstance(value, int | float) or isinstance(wanted, tuple):
        return False
    return bool(ORDERS[condition.operator](float(value), float(wanted)))


def _same(condition: Condition, value: Any, choice: Any) -> bool:
    if condition.field in DATES:
        return instant(value) == instant(choice)
    if isinstance(value, bool | str) or isinstance(choice, bool | str):
        return type(value) is type(choice) and value == choice
    return float(value) == float(choice)
