"""How filters become Qdrant's, and how points are cut into requests."""

from typing import Any, Literal

import numpy as np
import pytest

from interlace.adapters.qdrant.filters import compile_filter, escaped_payload, payload_key, visible
from interlace.adapters.qdrant.values import BATCH_BYTES, DENSE_BYTES, batches
from interlace.domain.filters import Condition, Filter
from interlace.domain.reader import reading
from interlace.ports.vectors import Point


def compiled(field: str, operator: Any, value: Any) -> dict[str, Any]:
    where = compile_filter(Filter(must=(Condition(field, operator, value),)))
    assert where is not None
    dumped: dict[str, Any] = where.model_dump(mode="json", exclude_none=True)
    (condition,) = dumped["must"]
    return dict(condition)


def test_a_reader_sees_points_without_groups_and_those_of_its_own() -> None:
    where = compile_filter(Filter(must=(Condition("tags", "eq", "a"),)))
    assert visible(where) is where
    with reading(lambda: ["board"]):
        mine, bounded = visible(None), visible(where)
    assert mine is not None
    assert bounded is not None
    (seen,) = mine.model_dump(mode="json", exclude_none=True)["must"]
    assert seen == {
        "should": [
            {"must_not": [{"key": "access", "match": {"value": "*"}}]},
            {"key": "access", "match": {"any": ["board"]}},
        ]
    }
    assert isinstance(bounded.must, list)
    assert bounded.must[1] == where


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
        ("created_at", "gt", "2024-05-31", {"key": "created_at", "range": {"gt": "2024-05-31T00:00:00Z"}}),
        ("metadata.due", "lt", "2024-05-31", {"key": "instants.due", "range": {"lt": "2024-05-31T00:00:00Z"}}),
    ],
)
def test_conditions(field: str, operator: Literal["eq", "in"], value: Any, expected: dict[str, Any]) -> None:
    assert compiled(field, operator, value) == expected


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("team", "metadata.team"),
        ("a b", 'metadata."a b"'),
        ("a.b-c", 'metadata."a.b-c"'),
        ('a"b', 'metadata."a%22b"'),
        ("50%", 'metadata."50%25"'),
    ],
)
def test_a_metadata_key_is_one_part_of_the_path_whatever_it_holds(key: str, path: str) -> None:
    assert payload_key(Condition(f"metadata.{key}", "eq", "x")) == path
    (escaped,) = escaped_payload({"metadata": {key: 1}})["metadata"]
    assert path.removeprefix("metadata.").strip('"') == escaped


def test_an_empty_choice_asks_for_nothing_and_not_for_everything() -> None:
    for field in ("tags", "created_at", "metadata.n"):
        assert compiled(field, "in", ()) == {"key": field, "match": {"any": []}}


def test_batches_stay_below_the_limit_and_lose_nothing() -> None:
    vector = np.ones(BATCH_BYTES // DENSE_BYTES // 4 + 1, dtype=np.float32)
    points = [Point(str(number), {"m": vector}) for number in range(10)]
    cut = list(batches(points))
    assert [len(batch) for batch in cut] == [3, 3, 3, 1]
    assert [point.id for batch in cut for point in batch] == [str(number) for number in range(10)]
    assert list(batches([])) == []
