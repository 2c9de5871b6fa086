"""How filters become Qdrant's, and how points are cut into requests."""

from typing import Any, Literal

import numpy as np
import pytest
from qdrant_client import models

from interlace.adapters.qdrant.filters import compile_filter, payload_key
from interlace.adapters.qdrant.values import BATCH_BYTES, DENSE_BYTES, batches, ranked
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.ports.vectors import Point


def compiled(field: str, operator: Any, value: Any) -> dict[str, Any]:
    where = compile_filter(Filter(must=(Condition(field, operator, value),)))
    assert where is not None
    dumped: dict[str, Any] = where.model_dump(mode="json", exclude_none=True)
    (condition,) = dumped["must"]
    return dict(condition)


def test_nothing_to_filter() -> None:
    assert compile_filter(None) is None
    assert compile_filter(Filter()) is None


@pytest.mark.parametrize(
    ("field", "operator", "value", "expected"),
    [
        ("tags", "eq", "a", {"key": "tags", "match": {"value": "a"}}),
        ("tags", "in", ("a", "b"), {"key": "tags", "match": {"any": ["a", "b"]}}),
        ("source", "prefix", "docs/", {"key": "source", "match": {"prefix": "docs/"}}),
        ("metadata.n", "eq", 2, {"key": "metadata.n", "range": {"gte": 2.0, "lte": 2.0}}),
        ("metadata.ok", "eq", True, {"key": "metadata.ok", "match": {"value": True}}),
        ("created_at", "gt", "2024-05-31T00:00:00Z", {"key": "created_at", "range": {"gt": "2024-05-31T00:00:00Z"}}),
    ],
)
def test_conditions(field: str, operator: Literal["eq", "in"], value: Any, expected: dict[str, Any]) -> None:
    assert compiled(field, operator, value) == expected


@pytest.mark.parametrize(
    ("field", "key"),
    [("metadata.team", "metadata.team"), ("metadata.a b", 'metadata."a b"'), ("metadata.a.b-c", "metadata.a.b-c")],
)
def test_metadata_keys_are_quoted_where_needed(field: str, key: str) -> None:
    assert payload_key(field) == key


@pytest.mark.parametrize("field", ["tenant", "metadata.", "metadata", 'metadata.a"b', "metadata.a..b", ""])
def test_unknown_fields_are_named(field: str) -> None:
    with pytest.raises(InvalidInputError, match="is no field to filter by"):
        payload_key(field)


def test_batches_stay_below_the_limit_and_lose_nothing() -> None:
    vector = np.ones(BATCH_BYTES // DENSE_BYTES // 4 + 1, dtype=np.float32)
    points = [Point(str(number), {"m": vector}) for number in range(10)]
    cut = list(batches(points))
    assert [len(batch) for batch in cut] == [4, 4, 2]
    assert [point.id for batch in cut for point in batch] == [str(number) for number in range(10)]
    assert list(batches([])) == []


def test_scores_equal_to_six_digits_are_ties() -> None:
    found = [models.ScoredPoint(id=name, version=1, score=score) for name, score in (("b", 0.50000004), ("a", 0.5))]
    assert [hit.id for hit in ranked(found, 2)] == ["a", "b"]
