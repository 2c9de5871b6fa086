"""Questions to the HTTP API, and what its failures show."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.domain.errors import QueryRefusedError, RefusedSettingsError, SettingsError, UnavailableError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest

AssertProblem = Callable[..., dict[str, Any]]


def test_a_question_reaches_the_coordinator_and_its_answer_comes_back_whole(client: TestClient, services: Any) -> None:
    filters = {
        "must": [
            {"field": "tags", "op": "in", "value": ["a", "b"]},
            {"field": "metadata.year", "op": "gte", "value": 1990},
        ],
        "must_not": [{"should": [{"field": "source", "op": "prefix", "value": "tmp/"}]}],
    }
    body = {
        "query": "  Who built it? ",
        "mode": "hybrid",
        "limit": 5,
        "legs": ["graph"],
        "explain": True,
        "without": ["similarity", "paths"],
        "filters": filters,
    }
    answer = client.post("/v1/query", json=body, headers={"X-Interlace-Tenant": "acme"})
    assert answer.status_code == 200, answer.text
    ((tenant, request),) = services.questions.asked
    assert tenant == "acme"
    assert request == QueryRequest(
        text="Who built it?",
        mode="hybrid",
        limit=5,
        legs=("graph",),
        explain=True,
        without=frozenset({"similarity", "paths"}),
        where=Filter(
            must=(Condition("tags", "in", ("a", "b")), Condition("metadata.year", "gte", 1990)),
            must_not=(Filter(should=(Condition("source", "prefix", "tmp/"),)),),
        ),
    )
    shown = answer.json()
    assert shown["hits"][0]["legs"] == [
        {"leg": "graph", "rank": 1, "score": 0.9, "weight": 0.25, "contribution": 0.004}
    ]
    assert shown["hits"][0]["path"][0]["sentence"] == "Ada built the first turbine."
    assert shown["degraded"] == ["vector"]
    assert shown["retrieval_mode"] == "graph_only"


def test_a_body_that_is_not_sent_as_json_is_refused_with_the_header_it_lacks(
    client: TestClient, assert_problem: AssertProblem
) -> None:
    answer = client.post(
        "/v1/query", content='{"query": "x"}', headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert "`Content-Type: application/json`" in assert_problem(answer, 422, "invalid-input")["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": " "}, "query"),
        ({"query": "x" * 2001}, "query"),
        ({"query": "x", "mode": "magic"}, "mode"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "legs": ["nose"]}, "legs[0]"),
        ({"query": "x", "without": ["gravity"]}, "without[0]"),
        ({"query": "x", "unknown": 1}, "unknown"),
        ({"query": "x", "filters": {"must": [{"field": "tags", "op": "like", "value": "a"}]}}, "filters.must[0].op"),
        ({"query": "x", "filters": {"must": [{"field": "password", "value": "a"}]}}, "filters.must[0]"),
        (
            {"query": "x", "filters": {"must_not": [{"should": [{"field": "tags", "op": "in", "value": "a"}]}]}},
            "filters.must_not[0].should[0]",
        ),
        ({"query": "x", "filters": {"any": []}}, "filters.any"),
    ],
)
def test_a_refused_field_is_named(
    client: TestClient, body: dict[str, Any], field: str, assert_problem: AssertProblem
) -> None:
    problem = assert_problem(client.post("/v1/query", json=body), 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_are_refused(
    client: TestClient, number: str, assert_problem: AssertProblem
) -> None:
    body = f'{{"query": "x", "filters": {{"must": [{{"field": "metadata.n", "op": "gt", "value": {number}}}]}}}}'
    answer = client.post("/v1/query", content=body, headers={"Content-Type": "application/json"})
    (refused,) = assert_problem(answer, 422, "invalid-input")["errors"]
    assert refused["field"] == "filters.must[0].value"
    assert "finite" in refused["message"]


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        ({"field": "metadata.n", "op": "gt", "value": {"a": 1}}, "filters.must[0].value"),
        ({"field": "metadata.n", "op": "in", "value": [1, None]}, "filters.must[0].value"),
        ({"field": "metadata.n", "value": 10**400}, "filters.must[0].value"),
        ({"field": "metadata.n"}, "filters.must[0].value"),
        ({"field": "metadata.n", "op": "gt", "value": "soon"}, "filters.must[0]"),
        ({"field": "tags", "op": "lt", "value": "a"}, "filters.must[0]"),
        ({"field": "created_at", "op": "gt", "value": 5}, "filters.must[0]"),
        ({"field": "tenant", "value": "other"}, "filters.must[0]"),
    ],
)
def test_a_senseless_condition_is_named(
    client: TestClient, condition: dict[str, Any], field: str, assert_problem: AssertProblem
) -> None:
    answer = client.post("/v1/query", json={"query": "x", "filters": {"must": [condition]}})
    problem = assert_problem(answer, 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]


def test_strategies_of_names_and_tags_reach_the_coordinator(client: TestClient, services: Any) -> None:
    body = {"query": "x", "tag_strategy": "exact", "path_strategies": ["fuzzy", "section"]}
    assert client.post("/v1/query", json=body).status_code == 200
    ((_, request),) = services.questions.asked
    assert (request.tag_strategy, request.path_strategies) == ("exact", ("fuzzy", "section"))


def test_filters_that_nest_without_end_are_refused(client: TestClient, assert_problem: AssertProblem) -> None:
    filters: dict[str, Any] = {"must": [{"field": "tags", "value": "a"}]}
    for depth in range(100):
        answer = client.post("/v1/query", json={"query": "x", "filters": filters})
        if depth < 8:
            assert answer.status_code == 200
        else:
            problem = assert_problem(answer, 422, "invalid-input")
            assert problem["errors"][0]["field"].startswith("filters")
        filters = {"must": [filters]}


def test_an_empty_filter_is_none(client: TestClient, services: Any) -> None:
    assert client.post("/v1/query", json={"query": "x", "filters": {}}).status_code == 200
    ((_, request),) = services.questions.asked
    assert request.where is None


def test_more_hits_than_the_server_gives_are_refused_by_name(client: TestClient, assert_problem: AssertProblem) -> None:
    problem = assert_problem(client.post("/v1/query", json={"query": "x", "limit": 101}), 422, "invalid-input")
    assert problem["errors"][0]["field"] == "limit"


def test_broken_json_is_refused_as_such(client: TestClient, assert_problem: AssertProblem) -> None:
    answer = client.post("/v1/query", content="{", headers={"Content-Type": "application/json"})
    problem = assert_problem(answer, 422, "invalid-input")
    assert problem["errors"][0]["field"] == "body"
    assert "not valid JSON at character 1: " in problem["detail"]


def test_an_unexpected_failure_shows_a_trace_id_and_nothing_else(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.questions.failure = RuntimeError("secret MATCH (n)")
    answer = client.post("/v1/query", json={"query": "x"}, headers={"X-Request-ID": "mine-1"})
    problem = assert_problem(answer, 500, "internal")
    assert problem["trace_id"] == "mine-1"
    assert answer.headers["x-request-id"] == "mine-1"
    assert "secret" not in answer.text


def test_a_refused_database_query_does_not_leak(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.questions.failure = QueryRefusedError("MATCH (secret) is wrong")
    answer = client.post("/v1/query", json={"query": "x"})
    assert_problem(answer, 500, "internal")
    assert "secret" not in answer.text


def test_a_missing_server_is_503_with_its_remedy(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.questions.failure = UnavailableError("Neo4j does not answer; is it running?")
    answer = client.post("/v1/query", json={"query": "x"})
    assert assert_problem(answer, 503, "unavailable")["detail"] == "Neo4j does not answer; is it running?"
    assert answer.headers["retry-after"] == "2"


def test_refused_credentials_are_the_operators_business_and_503_as_well(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.questions.failure = RefusedSettingsError("Neo4j does not accept user 'ada'.")
    assert_problem(client.post("/v1/query", json={"query": "x"}), 503, "unavailable")
    assert RefusedSettingsError.exit_code == SettingsError.exit_code


def test_unknown_paths_methods_and_ids_are_problems(client: TestClient, assert_problem: AssertProblem) -> None:
    assert_problem(client.get("/v1/nothing"), 404, "not-found")
    answer = client.put("/v1/query", json={})
    assert_problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "POST"
    assert_problem(client.get("/v1/jobs/none"), 404, "not-found")
    assert_problem(client.get("/v1/entities/none"), 404, "not-found")
    assert_problem(client.get("/v1/communities/none"), 404, "not-found")
    assert_problem(client.get("/v1/documents/none"), 404, "not-found")


def test_each_kind_of_problem_is_described_where_its_type_points(
    client: TestClient, assert_problem: AssertProblem
) -> None:
    kind = client.get("/problems/not-found").json()
    assert (kind["type"], kind["status"]) == ("/problems/not-found", 404)
    assert_problem(client.get("/problems/unheard-of"), 404, "not-found")


def test_metadata_alone_needs_no_question(client: TestClient) -> None:
    where = {"must": [{"field": "tags", "value": "boats"}]}
    assert (
        client.post("/v1/query", json={"mode": "metadata_only", "filters": where, "sort": "newest"}).status_code == 200
    )
    for body in ({"filters": where}, {"mode": "metadata_only"}, {"mode": "metadata_only", "filters": {}}):
        assert client.post("/v1/query", json=body).status_code == 422
