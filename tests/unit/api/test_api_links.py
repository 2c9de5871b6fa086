"""``/v1/linkgraph``: paths, bounds, errors, and answers that satisfy the schema they publish."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import jsonschema  # it brings no types
import pytest
from fastapi.testclient import TestClient

from interlace.domain.filters import Condition
from interlace.links.schemas import ANSWERS


def test_a_document_is_found_by_every_name(client: TestClient) -> None:
    for stem in ("turbines", "Turbines.md", "docs/turbines.md", quote("docs/turbines.md", safe=""), "d1"):
        answer = client.get(f"/v1/linkgraph/{stem}/metadata")
        assert answer.status_code == 200, stem
        assert answer.json()["document"]["id"] == "d1"


def test_neighbors_and_related_reach_the_links(client: TestClient) -> None:
    found = client.get("/v1/linkgraph/turbines/neighbors", params={"direction": "in", "hops": 3}).json()
    assert [(each["id"], each["distance"], each["path"]) for each in found["neighbors"]] == [("d2", 1, ["d1", "d2"])]
    assert client.get("/v1/linkgraph/turbines/neighbors", params={"direction": "out"}).json()["neighbors"] == []
    related = client.get("/v1/linkgraph/docs/ada.md/related").json()["related"]
    assert [(each["id"], each["rank"]) for each in related] == [("d1", 1)]


def test_a_search_reaches_the_coordinator(client: TestClient, services: Any) -> None:
    options = {"mode": "graph_only", "filters": {"must": [{"field": "tags", "op": "eq", "value": "energy"}]}}
    answer = client.post("/v1/linkgraph/search", json={"query": " turbines ", "limit": 2, "options": options}).json()
    ((tenant, asked),) = services.questions.asked
    assert (tenant, asked.text, asked.mode, asked.limit) == ("default", "turbines", "graph_only", 6)
    assert asked.where.must == (Condition("tags", "eq", "energy"),)
    assert set(answer) == {"schema_version", "query", "search_options", "hits"}
    assert [(hit["id"], hit["names"]["match"], hit["chunk"]["chunk_id"]) for hit in answer["hits"]] == [
        ("d1", 1.0, "c1")
    ]
    assert answer["search_options"]["filtered"] is True


def test_answers_satisfy_the_published_schemas(client: TestClient) -> None:
    published = client.get("/v1/linkgraph/schemas").json()["schemas"]
    answers = {
        "search_planned": client.post("/v1/linkgraph/search", json={"query": "turbines"}).json(),
        **{call: client.get(f"/v1/linkgraph/turbines/{call}").json() for call in ("neighbors", "related", "metadata")},
    }
    assert answers.keys() == ANSWERS.keys()
    for call, answer in answers.items():
        jsonschema.validate(answer, published[call])
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**answer, "schema_version": 1}, published[call])
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**answer, "more": 1}, published[call])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": " "}, "query"),
        ({"query": "x", "limit": 101}, "limit"),
        ({"query": "x", "options": {"mode": "keyword_only"}}, "options.mode"),
        ({"query": "x", "options": {"fan": 1}}, "options.fan"),
        ({"query": "x", "options": {"backend": "memory"}}, "options.backend"),
    ],
)
def test_senseless_searches_are_refused_by_name(client: TestClient, body: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/linkgraph/search", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_bounds_are_kept(client: TestClient) -> None:
    for call, params in (
        ("neighbors", {"hops": 4}),
        ("neighbors", {"direction": "up"}),
        ("related", {"max_distance": 0}),
        ("related", {"limit": 101}),
    ):
        assert client.get(f"/v1/linkgraph/turbines/{call}", params=params).status_code == 422


def test_ambiguous_and_unknown_stems_are_problems(client: TestClient, assert_problem: Callable[..., Any]) -> None:
    several = assert_problem(client.get("/v1/linkgraph/ada/metadata"), 422, "invalid-input")
    assert "d2 (Ada, docs/ada.md), d3 (Ada, ada.txt)" in several["detail"]
    unknown = assert_problem(client.get("/v1/linkgraph/turbnes/related"), 404, "not-found")
    assert "similar names: Turbines (docs/turbines.md)" in unknown["detail"]
