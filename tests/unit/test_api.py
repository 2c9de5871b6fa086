"""The HTTP API over small stand-ins for the services: guards, problem documents, translation in and out."""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from interlace.api.app import create_app
from interlace.api.services import Services
from interlace.domain.documents import Source
from interlace.domain.errors import InterlaceError, NotFoundError, QueryRefusedError, SettingsError, UnavailableError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import Hit, LegRank, PathStep, QueryRequest, QueryResponse
from interlace.domain.ids import document_id
from interlace.ingestion.intake import Receipt
from interlace.ingestion.jobs import JobStatus
from interlace.ports.graph import Query, Row
from interlace.settings import ApiSettings, IngestSettings, load_settings

MAX_BODY = 20_000
KEY = "kg_test_0123456789"

HIT = Hit(
    rank=1,
    score=0.5,
    chunk_id="c1",
    document_id="d1",
    title="Turbines",
    source_uri="docs/turbines.md",
    section="History",
    text="Ada built the first turbine.",
    start=0,
    end=28,
    tags=("energy",),
    metadata={"author": "Ada"},
    legs=(LegRank("graph", 1, 0.9, 0.004),),
    path=(PathStep("e1", "Ada", "c1", "Turbines", "Ada built the first turbine."),),
    boosts={"proximity": 1.5},
    cypher="MATCH (c:Chunk {id: 'c1'}) RETURN c",
)
RESPONSE = QueryResponse(
    query="Who built it?",
    hits=(HIT,),
    intent={"action": "find"},
    weights={"graph": 0.25},
    names={"Ada": 1.0},
    retrieval_mode="graph_only",
    retrieval_path=("graph",),
    retrieval_reason="The graph knows the names of the question.",
    degraded=("vector",),
    timings={"graph": 12.0, "total": 15.0},
    effort={"legs": 1},
)
RUNNING = JobStatus(
    id="j1",
    kind="ingest",
    state="running",
    total=2,
    ready=1,
    deleted=0,
    failed=0,
    unchanged=0,
    chunks=3,
    extracted=3,
    mentions=5,
    facts=1,
    stages={"received": 1},
    seconds=1.0,
    rate=1.0,
    eta_seconds=1.0,
    failures=(),
    unreadable=(),
)


class Graph:
    """Answers queries by name from prepared rows; a prepared error is raised."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row] | InterlaceError] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.failure: Exception | None = None

    def read(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        assert timeout is None
        return self._answer(query, params)

    def write(self, query: Query, /, **params: Any) -> list[Row]:
        return self._answer(query, params)

    def _answer(self, query: Query, params: dict[str, Any]) -> list[Row]:
        assert params.keys() == query.params.keys()
        self.asked.append((query.name, params))
        found = self.rows.get(query.name, [])
        if isinstance(found, InterlaceError):
            raise found
        return found

    def ping(self) -> float:
        if self.failure:
            raise self.failure
        return 0.001


class Intake:
    """Remembers what came in."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[Any], str | None]] = []
        self.deleted: list[tuple[str, Sequence[str]]] = []

    def receive(self, tenant: str, sources: Any, job_id: str | None = None) -> Receipt:
        found = list(sources)
        self.calls.append((tenant, found, job_id))
        good = [source for source in found if isinstance(source, Source)]
        return Receipt(job_id or "j1", len(good), 0, [item for item in found if not isinstance(item, Source)])

    def delete(self, tenant: str, *, ids: Sequence[str]) -> Receipt:
        self.deleted.append((tenant, ids))
        return Receipt("j2", len(ids))


class Jobs:
    """Gives prepared states one after the other, the last one for ever."""

    def __init__(self) -> None:
        self.states: Iterator[JobStatus] = itertools.repeat(RUNNING)

    def status(self, _: str, job_id: str) -> JobStatus:
        if job_id == "none":
            raise NotFoundError("There is no job none.")
        return replace(next(self.states), id=job_id)

    def list(self, _: str, limit: int) -> list[JobStatus]:
        return [RUNNING][:limit]

    def cancel(self, _: str, job_id: str) -> JobStatus:
        return replace(RUNNING, id=job_id, state="cancelled")


class Coordinator:
    """Answers every question alike, or fails."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, QueryRequest]] = []
        self.failure: Exception | None = None

    def query(self, tenant: str, request: QueryRequest) -> QueryResponse:
        self.asked.append((tenant, request))
        if self.failure:
            raise self.failure
        return RESPONSE


def make_services(**api: Any) -> Any:
    settings = load_settings(api=ApiSettings(max_body_bytes=MAX_BODY, **api))
    return SimpleNamespace(
        settings=settings,
        graph=Graph(),
        vectors=SimpleNamespace(ping=lambda: 0.002),
        queue=SimpleNamespace(ping=lambda: 0.003),
        intake=Intake(),
        jobs=Jobs(),
        coordinator=Coordinator(),
    )


def client_of(services: Any, base_url: str = "http://127.0.0.1:8765") -> TestClient:
    return TestClient(create_app(cast("Services", services)), base_url=base_url, follow_redirects=False)


@pytest.fixture
def services() -> Any:
    return make_services()


@pytest.fixture
def client(services: Any) -> Iterator[TestClient]:
    with client_of(services) as opened:
        yield opened


def assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["type"] == f"/problems/{code}"
    assert body["status"] == status
    assert body["trace_id"]
    assert body["detail"]
    assert answer.headers["x-request-id"]
    return body


# Questions


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
        "filters": filters,
    }
    answer = client.post("/v1/query", json=body, headers={"X-Interlace-Tenant": "acme"})
    assert answer.status_code == 200, answer.text
    ((tenant, request),) = services.coordinator.asked
    assert tenant == "acme"
    assert request == QueryRequest(
        text="Who built it?",
        mode="hybrid",
        limit=5,
        legs=("graph",),
        explain=True,
        where=Filter(
            must=(Condition("tags", "in", ("a", "b")), Condition("metadata.year", "gte", 1990)),
            must_not=(Filter(should=(Condition("source", "prefix", "tmp/"),)),),
        ),
    )
    shown = answer.json()
    assert shown["hits"][0]["legs"] == [{"leg": "graph", "rank": 1, "score": 0.9, "contribution": 0.004}]
    assert shown["hits"][0]["path"][0]["sentence"] == "Ada built the first turbine."
    assert shown["degraded"] == ["vector"]
    assert shown["retrieval_mode"] == "graph_only"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": " "}, "query"),
        ({"query": "x" * 2001}, "query"),
        ({"query": "x", "mode": "magic"}, "mode"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "legs": ["nose"]}, "legs[0]"),
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
def test_a_refused_field_is_named(client: TestClient, body: dict[str, Any], field: str) -> None:
    problem = assert_problem(client.post("/v1/query", json=body), 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_are_refused(client: TestClient, number: str) -> None:
    body = f'{{"query": "x", "filters": {{"must": [{{"field": "metadata.n", "op": "gt", "value": {number}}}]}}}}'
    answer = client.post("/v1/query", content=body, headers={"Content-Type": "application/json"})
    assert_problem(answer, 422, "invalid-input")


def test_filters_that_nest_without_end_are_refused(client: TestClient) -> None:
    filters: dict[str, Any] = {"must": [{"field": "tags", "value": "a"}]}
    for _ in range(9):
        filters = {"must": [filters]}
    problem = assert_problem(client.post("/v1/query", json={"query": "x", "filters": filters}), 422, "invalid-input")
    assert problem["errors"][0]["field"] == "filters"


def test_more_hits_than_the_server_gives_are_refused_by_name(client: TestClient) -> None:
    assert (
        "limit: 500"
        in assert_problem(client.post("/v1/query", json={"query": "x", "limit": 500}), 422, "invalid-input")["detail"]
    )


def test_broken_json_is_refused_as_such(client: TestClient) -> None:
    answer = client.post("/v1/query", content="{", headers={"Content-Type": "application/json"})
    assert "not valid JSON" in assert_problem(answer, 422, "invalid-input")["detail"]


# Failures


def test_an_unexpected_failure_shows_a_trace_id_and_nothing_else(client: TestClient, services: Any) -> None:
    services.coordinator.failure = RuntimeError("secret MATCH (n)")
    answer = client.post("/v1/query", json={"query": "x"}, headers={"X-Request-ID": "mine-1"})
    problem = assert_problem(answer, 500, "internal")
    assert problem["trace_id"] == "mine-1"
    assert answer.headers["x-request-id"] == "mine-1"
    assert "secret" not in answer.text


def test_a_refused_database_query_does_not_leak(client: TestClient, services: Any) -> None:
    services.coordinator.failure = QueryRefusedError("MATCH (secret) is wrong")
    answer = client.post("/v1/query", json={"query": "x"})
    assert_problem(answer, 500, "internal")
    assert "secret" not in answer.text


def test_a_missing_server_is_503_with_its_remedy(client: TestClient, services: Any) -> None:
    services.coordinator.failure = UnavailableError("Neo4j does not answer; is it running?")
    answer = client.post("/v1/query", json={"query": "x"})
    assert assert_problem(answer, 503, "unavailable")["detail"] == "Neo4j does not answer; is it running?"
    assert answer.headers["retry-after"] == "2"


def test_unknown_paths_methods_and_ids_are_problems(client: TestClient) -> None:
    assert_problem(client.get("/v1/nothing"), 404, "not-found")
    answer = client.put("/v1/query", json={})
    assert_problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "POST"
    assert_problem(client.get("/v1/jobs/none"), 404, "not-found")
    assert_problem(client.get("/v1/entities/none"), 404, "not-found")
    assert_problem(client.get("/v1/communities/none"), 404, "not-found")
    assert_problem(client.get("/v1/documents/none"), 404, "not-found")


def test_each_kind_of_problem_is_described_where_its_type_points(client: TestClient) -> None:
    kind = client.get("/problems/not-found").json()
    assert (kind["type"], kind["status"]) == ("/problems/not-found", 404)
    assert_problem(client.get("/problems/unheard-of"), 404, "not-found")


# Guards


def test_a_body_above_the_limit_is_refused_by_its_length_and_while_it_comes(client: TestClient, services: Any) -> None:
    assert_problem(client.post("/v1/query", json={"query": "x" * MAX_BODY}), 413, "too-large")
    parts = (b"x" * 1000 for _ in range(40))
    answer = client.post("/v1/query", content=parts, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "too-large")
    parts = (b"x" * 1000 for _ in range(40))
    answer = client.post("/v1/documents", content=parts, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "too-large")
    assert services.intake.calls == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", ""])
def test_foreign_host_names_are_refused_on_loopback(client: TestClient, host: str) -> None:
    assert_problem(client.get("/livez", headers={"Host": host}), 400, "untrusted-host")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:8765"])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/livez", headers={"Host": host}).json() == {"status": "alive"}


def test_an_address_that_others_reach_needs_keys() -> None:
    with pytest.raises(SettingsError, match="no API keys"):
        create_app(make_services(host="0.0.0.0"))  # noqa: S104 - it is refused
    with pytest.raises(SettingsError, match="SHA-256"):
        create_app(make_services(keys=(SecretStr("plain"),)))


@pytest.fixture
def guarded() -> Iterator[TestClient]:
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    services = make_services(host="0.0.0.0", keys=(SecretStr("0" * 64), SecretStr(digest)))  # noqa: S104 - not bound
    with client_of(services, "http://api.example") as opened:
        yield opened


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"X-API-Key": "wrong"}, {"Authorization": f"Basic {KEY}"}]
)
def test_without_a_known_key_nothing_is_answered(guarded: TestClient, headers: dict[str, str]) -> None:
    for path in ("/v1/jobs", "/metrics", "/v1/nothing"):
        answer = guarded.get(path, headers=headers)
        assert_problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("headers", [{"Authorization": f"Bearer {KEY}"}, {"X-API-Key": KEY}])
def test_a_known_key_opens(guarded: TestClient, headers: dict[str, str]) -> None:
    assert guarded.get("/v1/jobs", headers=headers).status_code == 200


def test_health_and_description_need_no_key(guarded: TestClient) -> None:
    for path in ("/livez", "/readyz", "/docs", "/openapi.json"):
        assert guarded.get(path).status_code == 200


def test_request_ids_are_kept_when_plain_and_replaced_when_not(client: TestClient) -> None:
    assert client.get("/livez", headers={"X-Request-ID": "a.b-c_1"}).headers["x-request-id"] == "a.b-c_1"
    for bad in ("two words", "x" * 129, "a;b"):
        assert client.get("/livez", headers={"X-Request-ID": bad}).headers["x-request-id"] != bad


def test_a_trace_parent_names_the_trace(client: TestClient) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    answer = client.get("/v1/nothing", headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
    assert answer.json()["trace_id"] == trace


@pytest.mark.parametrize("tenant", ["Acme", "a_b", "-a", "a" * 49, "a b"])
def test_tenants_are_checked(client: TestClient, tenant: str) -> None:
    problem = assert_problem(client.get("/v1/jobs", headers={"X-Interlace-Tenant": tenant}), 422, "invalid-input")
    assert problem["errors"][0]["field"] == "x-interlace-tenant"


# Documents


def test_documents_come_as_json(client: TestClient, services: Any) -> None:
    documents = [
        {"uri": "a.md", "text": "# A", "metadata": {"year": 2020}},
        {"uri": "b.bin", "content_base64": "aGk=", "media_type": "text/plain"},
        {"uri": "c.jsonl", "text": '{"id": "x", "text": "one"}\nbroken\n'},
    ]
    answer = client.post("/v1/documents", json={"documents": documents})
    assert answer.status_code == 202
    assert answer.headers["location"] == "/v1/jobs/j1"
    ((tenant, found, _),) = services.intake.calls
    assert tenant == "default"
    assert found[0] == Source("a.md", "text/markdown", b"# A", {"year": 2020})
    assert found[1] == Source("b.bin", "text/plain", b"hi", {})
    assert found[2].uri == "c.jsonl#x"
    body = answer.json()
    assert (body["job_id"], body["received"]) == ("j1", 3)
    assert [error["uri"] for error in body["errors"]] == ["c.jsonl#2"]


def test_documents_come_as_files(client: TestClient, services: Any) -> None:
    files = [("files", ("docs/a.md", b"# A", "text/plain")), ("files", ("rows.csv", b"id,text\n7,hello\n", ""))]
    answer = client.post("/v1/documents", files=files, data={"metadata": '{"team": "x"}'})
    assert answer.status_code == 202, answer.text
    ((_, found, _),) = services.intake.calls
    assert found[0] == Source("docs/a.md", "text/markdown", b"# A", {"team": "x"})
    assert (found[1].uri, found[1].metadata["team"]) == ("rows.csv#7", "x")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"documents": []}, "documents"),
        ({"documents": [{"uri": "a"}]}, "documents[0]"),
        ({"documents": [{"uri": "a", "text": "x", "content_base64": "eA=="}]}, "documents[0]"),
        ({"documents": [{"uri": "a", "content_base64": "!"}]}, "documents[0].content_base64"),
        ({"documents": [{"uri": "a\n", "text": "x"}]}, "documents[0].uri"),
        ({"documents": [{"uri": "a", "text": "x"}, {"uri": "a", "text": "y"}]}, "documents"),
        (
            {
                "documents": [
                    {"uri": "a", "text": "x", "metadata": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}}
                ]
            },
            "documents[0].metadata",
        ),
    ],
)
def test_unusable_documents_are_named(client: TestClient, services: Any, body: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/documents", json=body)
    problem = assert_problem(answer, 422, "invalid-input")
    assert [item["field"] for item in problem["errors"]] == [field]
    assert services.intake.calls == []


def test_a_form_without_files_and_other_types_are_refused(client: TestClient) -> None:
    answer = client.post("/v1/documents", files={"other": ("a.md", b"x")})
    assert assert_problem(answer, 422, "invalid-input")["errors"][0]["field"] == "other"
    answer = client.post("/v1/documents", content=b"x", headers={"Content-Type": "text/plain"})
    assert_problem(answer, 415, "unsupported-media-type")


def test_a_document_above_the_limit_is_refused_alone(services: Any) -> None:
    services.settings = load_settings(ingest=IngestSettings(max_bytes=100))
    with client_of(services) as client:
        documents = [{"uri": "big.txt", "text": "x" * 200}, {"uri": "small.txt", "text": "x"}]
        body = client.post("/v1/documents", json={"documents": documents}).json()
    assert body["received"] == 1
    assert [(error["uri"], error["reason"]) for error in body["errors"]] == [("big.txt", "too-large")]


def test_an_idempotency_key_gives_the_same_job_and_takes_other_documents_for_a_conflict(
    client: TestClient, services: Any
) -> None:
    headers = {"Idempotency-Key": "order-7"}
    body = {"documents": [{"uri": "a.md", "text": "one"}]}
    bound: dict[str, str] = {}

    def write(query: Query, /, **params: Any) -> list[Row]:
        assert query.name == "ingest/bind_job"
        return [{"digest": bound.setdefault(params["id"], params["digest"])}]

    services.graph.write = write
    services.jobs.states = iter([replace(RUNNING, state="receiving"), RUNNING])
    first = client.post("/v1/documents", json=body, headers=headers)
    second = client.post("/v1/documents", json=body, headers=headers)
    assert first.status_code == second.status_code == 202
    assert first.headers["location"] == second.headers["location"]
    assert len(services.intake.calls) == 1
    other = client.post("/v1/documents", json={"documents": [{"uri": "b.md", "text": "two"}]}, headers=headers)
    assert_problem(other, 409, "conflict")


def test_putting_needs_a_known_document_or_its_uri(client: TestClient, services: Any) -> None:
    identity = document_id("default", "a.md")
    assert_problem(client.put(f"/v1/documents/{identity}", json={"text": "x"}), 404, "not-found")
    answer = client.put(f"/v1/documents/{identity}", json={"text": "x", "uri": "a.md"})
    assert answer.status_code == 202
    assert services.intake.calls[0][1] == [Source("a.md", "text/markdown", b"x", {})]
    assert_problem(client.put(f"/v1/documents/{identity}", json={"text": "x", "uri": "b.md"}), 422, "invalid-input")


def test_nan_in_metadata_is_refused(client: TestClient) -> None:
    identity = document_id("default", "a.md")
    for method, path, body in (
        ("PUT", f"/v1/documents/{identity}", '{"uri": "a.md", "text": "x", "metadata": {"n": NaN}}'),
        ("POST", "/v1/documents", '{"documents": [{"uri": "a.md", "text": "x", "metadata": {"n": NaN}}]}'),
    ):
        answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
        assert_problem(answer, 422, "invalid-input")


def test_deleting_is_a_job(client: TestClient, services: Any) -> None:
    answer = client.delete("/v1/documents/d1")
    assert (answer.status_code, answer.headers["location"]) == (202, "/v1/jobs/j2")
    assert services.intake.deleted == [("default", ["d1"])]


def _document_row(uri: str) -> Row:
    document = {
        "title": "T",
        "mediaType": "text/plain",
        "checksum": "0",
        "version": 1,
        "indexedAt": "2024",
        "tags": ["a"],
        "metadata.k": 1,
    }
    return {"id": uri, "source": uri, "document": document, "intake": None}


def test_pages_of_documents_follow_each_other(client: TestClient, services: Any) -> None:
    services.graph.rows["retrieve/document_list"] = [_document_row("a"), _document_row("b")]
    first = client.get("/v1/documents", params={"limit": 2, "tag": "a", "status": "ready", "source": "docs/"}).json()
    assert first["items"][0]["metadata"] == {"k": 1}
    client.get("/v1/documents", params={"limit": 2, "cursor": first["next_cursor"]})
    assert services.graph.asked[-1][1]["after"] == "b"
    assert services.graph.asked[-2][1]["prefix"] == "docs/"
    assert client.get("/v1/documents", params={"limit": 3}).json()["next_cursor"] is None
    for cursor in ("!", "AAAA", "WzFd", "Ww"):
        assert_problem(client.get("/v1/documents", params={"cursor": cursor}), 422, "invalid-input")


# Jobs


def test_followers_of_a_job_hear_each_change_and_the_end(
    client: TestClient, services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlace.api.routes.jobs._ASK_SECONDS", 0.001)
    done = replace(RUNNING, state="done", ready=2, stages={})
    services.jobs.states = iter([RUNNING, replace(RUNNING, seconds=9.0), replace(RUNNING, ready=2), done])
    answer = client.get("/v1/jobs/j1/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [block.splitlines()[0] for block in answer.text.split("\n\n") if block]
    assert events == ["event: progress", "event: progress", "event: finished"]


def test_followers_of_an_unknown_job_get_a_problem(client: TestClient) -> None:
    assert_problem(client.get("/v1/jobs/none/events"), 404, "not-found")


def test_jobs_are_listed_and_cancelled(client: TestClient) -> None:
    assert client.get("/v1/jobs").json()[0]["id"] == "j1"
    assert client.delete("/v1/jobs/j9").json()["state"] == "cancelled"


# Entities and communities


def _entity_row(name: str, **more: Any) -> Row:
    return {
        "id": name,
        "name": name,
        "type": "Person",
        "aliases": ["Lady L"],
        "keys": [name.lower(), "lady l"],
        "confidence": 1.0,
        "mentions": 3,
        **more,
    }


def test_entities_are_ranked_by_how_they_match(client: TestClient, services: Any) -> None:
    services.graph.rows["retrieve/entity_named"] = []
    services.graph.rows["retrieve/entity_search"] = [
        _entity_row("Adam", keys=["adam"], aliases=[]),
        _entity_row("Ada Lovelace", keys=["ada lovelace"], aliases=[]),
        _entity_row("Ada", keys=["ada"], aliases=[]),
    ]
    matches = client.post("/v1/search/entities", json={"query": "Ada"}).json()["matches"]
    assert [(match["entity"]["name"], match["via"]) for match in matches] == [
        ("Ada", "exact"),
        ("Ada Lovelace", "words"),
        ("Adam", "fuzzy"),
    ]
    matches = client.post("/v1/search/entities", json={"query": "lady l"}).json()["matches"]
    assert matches[-1]["score"] < 1


def test_a_name_is_never_read_as_a_search_language(client: TestClient, services: Any) -> None:
    client.post("/v1/search/entities", json={"query": 'NOT "x" OR a\\b* name:c'})
    search = services.graph.asked[-1][1]["search"]
    assert search.count('"') % 2 == 0
    assert "\\" not in search
    assert client.post("/v1/search/entities", json={"query": "?!"}).json() == {"matches": []}


def test_communities_are_listed_in_pages(client: TestClient, services: Any) -> None:
    row = {"id": "c1", "level": 0, "title": "T", "summary": "S", "size": 9, "parents": ["p"]}
    services.graph.rows["retrieve/community_list"] = [row]
    shown = client.get("/v1/communities", params={"limit": 1, "level": 0}).json()
    assert shown["items"] == [row]
    client.get("/v1/communities", params={"cursor": shown["next_cursor"]})
    assert (services.graph.asked[-1][1]["size"], services.graph.asked[-1][1]["after"]) == (9, "c1")


# Operations


def test_readiness_names_each_server_and_fails_without_the_graph_only(services: Any) -> None:
    with client_of(services) as client:
        assert client.get("/readyz").json()["status"] == "ready"

    def away() -> float:
        raise UnavailableError("Qdrant at http://10.0.0.9 does not answer.")

    services.vectors.ping = away
    with client_of(services) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["vectors"] == {"ok": False, "latency_ms": None, "required": False}
        assert "10.0.0.9" not in answer.text
        services.graph.failure = UnavailableError("gone")
        assert client.get("/readyz").json()["status"] == "degraded", "an answer holds for a second"
    with client_of(services) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


def test_metrics_count_requests_legs_and_nodes(client: TestClient, services: Any) -> None:
    services.graph.rows["retrieve/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    client.post("/v1/query", json={"query": "x"})
    client.get("/v1/jobs/j1")
    text = client.get("/metrics").text
    assert 'interlace_http_requests_total{method="POST",route="/v1/query",status="200"} 1.0' in text
    assert 'route="/v1/jobs/{job_id}"' in text
    assert 'interlace_query_leg_seconds_sum{leg="graph"} 0.012' in text
    assert 'interlace_query_degraded_total{leg="vector"} 1.0' in text
    assert 'interlace_graph_nodes{kind="chunks"} 9.0' in text


def test_metrics_do_without_the_graph(client: TestClient, services: Any) -> None:
    services.graph.rows["retrieve/document_counts"] = UnavailableError("gone")
    assert client.get("/metrics").status_code == 200


def test_the_description_needs_no_other_server(client: TestClient) -> None:
    page = client.get("/docs").text
    assert "//cdn" not in page
    assert "https://" not in page
    assert client.get("/static-offline-docs/swagger-ui-bundle.js").status_code == 200
    assert client.get("/").headers["location"] == "/docs"


def test_the_description_covers_every_route_and_its_problems(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    for path in (
        "/v1/query",
        "/v1/documents",
        "/v1/documents/{document_id}",
        "/v1/jobs/{job_id}/events",
        "/v1/search/entities",
    ):
        for operation in described["paths"][path].values():
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]
            assert operation["description"]
    text = client.get("/openapi.json").text
    references = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert references <= described["components"]["schemas"].keys()
