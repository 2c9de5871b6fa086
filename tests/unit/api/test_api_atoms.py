"""``/v1/atoms/search``, ``/v1/pack`` and the pack of a query: what is asked for reaches the services, and senseless things do not."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.domain.atoms import AtomOptions, AtomRequest
from interlace.domain.packing import PackRequest

ITEMS = [
    {"id": "a", "text": "one two three", "score": 4.0, "category": "Usage"},
    {"id": "b", "text": "four five", "score": 2, "epistemic": "opinion"},
]


def test_a_search_reaches_the_atoms(client: TestClient, services: Any) -> None:
    answer = client.post("/v1/atoms/search", json={"query": " leiden ", "limit": 3, "expand": False})
    assert answer.status_code == 200
    assert answer.json()["terms"] == ["x"]
    assert services.atoms.asked == [("default", AtomRequest("leiden", 3, expand=False))]


def test_options_of_a_search_reach_the_atoms(client: TestClient, services: Any) -> None:
    options = {
        "decompose": False,
        "decompose_threshold": 6,
        "combine": "independent",
        "intersection_bonus": 0.5,
        "rerank": False,
        "rerank_alpha": 0.2,
        "weights": {"exact": 1, "bigram": 0},
        "min_score": 0.4,
    }
    assert client.post("/v1/atoms/search", json={"query": "x", **options}).status_code == 200
    wanted = AtomOptions(**{**options, "weights": {"exact": 1.0, "bigram": 0.0}})  # type: ignore[arg-type]
    assert services.atoms.asked == [("default", AtomRequest("x", options=wanted))]


@pytest.mark.parametrize("field", ["intersection_bonus", "rerank_alpha", "min_score", "weights.exact", "weights.tags"])
def test_numbers_of_a_search_are_finite_and_in_range_or_refused_by_name(client: TestClient, field: str) -> None:
    for number in ("NaN", "1e999", "-1"):
        inner = field.removeprefix("weights.")
        value = f'{{"{inner}": {number}}}' if inner != field else number
        body = f'{{"query": "x", "{field.split(".", maxsplit=1)[0]}": {value}}}'
        answer = client.post("/v1/atoms/search", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": "x", "weights": {"colour": 1}}, "weights.colour"),
        ({"query": " "}, "query"),
        ({"query": "x", "limit": 101}, "limit"),
        ({"query": "x", "a": 1}, "a"),
    ],
)
def test_senseless_searches_are_refused_by_name(client: TestClient, body: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/atoms/search", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_a_query_is_packed_when_it_asks_for_it(client: TestClient) -> None:
    assert client.post("/v1/query", json={"query": "x"}).json()["pack"] is None
    pack = client.post("/v1/query", json={"query": "x", "pack": {"budget": 100}}).json()["pack"]
    assert (pack["budget"], [item["taken"] for item in pack["items"]]) == (100, [True])
    small = client.post("/v1/query", json={"query": "x", "pack": {"budget": 1}}).json()["pack"]
    assert small["items"][0]["reason"].startswith("It costs 5 tokens")


def test_texts_are_packed(client: TestClient) -> None:
    answer = client.post("/v1/pack", json={"budget": 3, "items": ITEMS, "category_weights": {"Usage": 0.1}})
    alias = client.post("/v1/fold", json={"budget": 3, "items": ITEMS, "category_weights": {"Usage": 0.1}})
    assert alias.json() == answer.json()
    assert answer.status_code == 200
    assert [(item["id"], item["taken"]) for item in answer.json()["items"]] == [("b", True), ("a", False)]


def test_an_item_has_a_gain_and_a_weight_of_its_own(client: TestClient) -> None:
    items = [{**ITEMS[0], "information_gain": 0.1}, {**ITEMS[1], "epistemic_weight": 1.5}]
    answer = client.post("/v1/fold", json={"budget": 9, "items": items}).json()
    shown = {item["id"]: item for item in answer["items"]}
    assert (shown["a"]["information_gain"], shown["b"]["epistemic_weight"]) == (0.1, 1.5)
    assert [item["id"] for item in answer["items"]] == ["b", "a"]
    assert shown["b"]["value"] == pytest.approx(2 * 1.5)
    assert shown["a"]["value"] == pytest.approx(4 * 0.1 - shown["a"]["penalty"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"items": [{**ITEMS[0], "information_gain": -1}]}, "items[0].information_gain"),
        ({"items": [{**ITEMS[0], "epistemic_weight": 1000}]}, "items[0].epistemic_weight"),
        ({"items": []}, "items"),
        ({"items": [*ITEMS, ITEMS[0]]}, "items"),
        ({"budget": 0}, "budget"),
        ({"diversity": 1.5}, "diversity"),
        ({"candidates": 3}, "candidates"),
        ({"category_weights": {"a": -1}}, "category_weights.a"),
    ],
)
def test_senseless_packing_is_refused_by_name(client: TestClient, change: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/pack", json={"budget": 10, "items": ITEMS, **change})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_options_of_packing_arrive(make_services: Callable[..., Any], client_of: Callable[..., TestClient]) -> None:
    services = make_services()
    seen: list[PackRequest] = []
    inner = services.packer.query

    def query(tenant: str, request: Any, pack_request: PackRequest) -> Any:
        seen.append(pack_request)
        return inner(tenant, request, pack_request)

    services.packer.query = query
    asked = {
        "budget": 9,
        "category_weights": {"a": 2},
        "epistemic_weights": {"b": 0.5},
        "diversity": 0.2,
        "candidates": 7,
    }
    with client_of(services) as client:
        assert client.post("/v1/query", json={"query": "x", "pack": asked}).status_code == 200
    assert seen == [PackRequest(9, {"a": 2.0}, {"b": 0.5}, 0.2, 7)]


def test_an_upload_says_how_atlas_notes_are_cut(client: TestClient, services: Any) -> None:
    document = {"uri": "a.md", "text": "# A", "atlas_strategy": "atom"}
    assert client.post("/v1/documents", json={"documents": [document]}).status_code == 202
    ((_, (source,), _),) = services.receiver.calls
    assert source.metadata == {"atlas_strategy": "atom"}
    wrong = client.post("/v1/documents", json={"documents": [{**document, "atlas_strategy": "whole"}]})
    assert wrong.json()["errors"][0]["field"] == "documents[0].atlas_strategy"
