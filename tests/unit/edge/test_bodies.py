"""Request bodies: what is accepted, and what a refusal says."""

from typing import Any

import pytest
from pydantic import ValidationError

from interlace_edge.bodies.base import StrictBody, read_json, refusal
from interlace_edge.bodies.collections import CreateCollection, CreateIndex
from interlace_edge.bodies.filters import EdgeFilter
from interlace_edge.bodies.points import Count, Scroll, Upsert
from interlace_edge.bodies.queries import EdgeQuery
from interlace_edge.errors import EdgeError

QUERY: dict[str, Any] = {"query": {"nearest": [1.0]}, "using": "dense"}
DENSE: dict[str, Any] = {"size": 2, "distance": "Cosine"}


@pytest.mark.parametrize(
    ("kind", "body", "status", "sentence"),
    [
        (Scroll, {"limit": 0}, 422, "limit: Input should be greater than or equal to 1"),
        (Scroll, {"order_by": "n"}, 400, "order_by: this Qdrant Edge server does not support this field"),
        (Count, {"exact": False}, 400, "exact"),
        (Upsert, {"points": [{"id": -1, "vector": {}}]}, 400, "points.0.id"),
        (Upsert, {"points": [{"id": "x", "vector": {}}]}, 400, "points.0.id"),
        (Upsert, {"points": [{"id": 1, "vector": [1.0]}]}, 400, "points.0.vector"),
        (Upsert, {"points": [{"id": 1, "vector": {"s": {"indices": [1, 1], "values": [1, 2]}}}]}, 400, "unique"),
        (EdgeQuery, {**QUERY, "query": {"nearest": [1.0], "mmr": {}}}, 400, "query.mmr: this Qdrant Edge server"),
        (EdgeQuery, {**QUERY, "params": {"hnsw_ef": 0}}, 422, "params.hnsw_ef"),
        (CreateCollection, {"vectors": {"v": {**DENSE, "size": 0}}}, 422, "vectors.v.size"),
        (CreateCollection, {"vectors": {"v": {**DENSE, "distance": "Dot"}}}, 400, "vectors.v.distance"),
        (CreateCollection, {"vectors": {}}, 422, "a collection needs a dense or a sparse vector"),
        (
            CreateCollection,
            {"vectors": {"v": DENSE}, "sparse_vectors": {"v": {"modifier": "idf"}}},
            422,
            "a dense and a sparse vector share a name",
        ),
        (CreateIndex, {"field_name": "", "field_schema": "datetime"}, 422, "field_name"),
    ],
)
def test_refusals_name_the_place(kind: type[StrictBody], body: Any, status: int, sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(body)
    refused = refusal(caught.value)
    assert (refused.status, sentence in refused.message) == (status, True), refused.message


@pytest.mark.parametrize(
    "condition",
    [
        {"key": "a"},
        {"key": "a", "match": {}},
        {"key": "a", "match": {"value": "x", "any": ["x"]}},
        {"key": "a", "match": {"value": "x"}, "range": {"gt": 1}},
        {"key": "a", "match": {"value": 1}},
        {"key": "a", "range": {"gt": 1, "lt": "2024-01-01T00:00:00Z"}},
        {"is_empty": {"key": "a"}},
    ],
)
def test_conditions_are_of_one_kind(condition: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        EdgeFilter.model_validate({"must": [condition]})


def test_null_means_not_given() -> None:
    body = {**QUERY, "filter": None, "prefetch": None, "score_threshold": None, "limit": None}
    assert EdgeQuery.model_validate(body) == EdgeQuery.model_validate(QUERY)


def test_filters_nest() -> None:
    inner = {"should": [{"has_id": [1]}, {"has_vector": "v"}], "must_not": [{"key": "a", "match": {"any": []}}]}
    found = EdgeFilter.model_validate({"must": [inner]})
    assert found.must == [EdgeFilter.model_validate(inner)]


def test_a_uuid_has_one_form() -> None:
    point = {"id": "0123456789ABCDEF0123456789ABCDEF", "vector": {}}
    assert Upsert.model_validate({"points": [point]}).points[0].id == "01234567-89ab-cdef-0123-456789abcdef"


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(EdgeError, match="Format error in JSON body"):
        read_json(b"{")


def test_a_vector_is_added_to_the_configuration() -> None:
    config = CreateCollection.model_validate({"vectors": {"v": DENSE}, "sparse_vectors": {"s": {"modifier": "idf"}}})
    more = config.with_vector("w", config.vectors["v"])
    assert [more.has_vector(name) for name in ("v", "s", "w", "x")] == [True, True, True, False]
    assert not config.has_vector("w")
