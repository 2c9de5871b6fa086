"""Each route declares the scope that its callers need, and is refused to callers without it."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from tests.support.memory_keys import make_key

from interlace.api.scopes import Requirement, is_open
from interlace.domain.errors import UnavailableError
from interlace.domain.ids import document_id
from interlace.jobs.service import JobStatus

ClientOf = Callable[..., TestClient]
AssertProblem = Callable[..., dict[str, Any]]
REMEDY = (
    '{} {} declares no scope. Add `dependencies=[requires("read")]` to the route or to its router (interlace/api/scopes.py; the scopes are '
    "those of interlace/access/callers.py). Only a page that holds no data may stand in OPEN_PATHS or below OPEN_FOLDERS instead."
)


def undeclared(app: FastAPI) -> list[str]:
    """Return a sentence for each route that declares no scope although its path is not open to all."""
    return [
        REMEDY.format(", ".join(sorted(getattr(route, "methods", None) or ["any method of"])), path)
        for route in app.routes
        if not is_open(path := str(getattr(route, "path", "")).rstrip("/") + "/")
        and not is_open(path[:-1])
        and not (isinstance(route, APIRoute) and any(isinstance(d.dependency, Requirement) for d in route.dependencies))
    ]


def test_every_route_declares_a_scope(client: TestClient) -> None:
    assert isinstance(client.app, FastAPI)
    assert undeclared(client.app) == []


def test_a_route_without_a_scope_is_found(client: TestClient) -> None:
    assert isinstance(client.app, FastAPI)
    client.app.get("/v1/secrets")(lambda: "all")
    client.app.mount("/files", FastAPI())
    first, second = undeclared(client.app)
    assert first.startswith("GET /v1/secrets")
    assert "/files" in second


@pytest.fixture
def closed(client_of: ClientOf, services: Any) -> Iterator[TestClient]:
    with client_of(services) as opened:
        make_key(services.graph)  # the first key closes the door
        yield opened


REQUESTS = {
    "read": [
        ("GET", "/v1/documents"),
        ("GET", "/v1/documents/x"),
        ("GET", "/v1/jobs"),
        ("POST", "/v1/query"),
        ("GET", "/v1/entities/x"),
        ("GET", "/v1/communities"),
        ("GET", "/v1/skills"),
        ("POST", "/v1/atoms/search"),
        ("GET", "/v1/linkgraph/x/neighbors"),
    ],
    "ingest": [
        ("POST", "/v1/documents"),
        ("PUT", "/v1/documents/x"),
        ("PATCH", "/v1/documents/x"),
        ("POST", "/v1/documents/x/retry"),
        ("POST", "/v1/documents/x/discard"),
        ("POST", "/v1/jobs/x/cancel"),
    ],
    "delete": [("DELETE", "/v1/documents/x")],
    "cypher": [("POST", "/v1/cypher")],
    "admin": [("GET", "/v1/keys"), ("POST", "/v1/keys"), ("DELETE", "/v1/keys/x"), ("GET", "/v1/audit")],
}


@pytest.mark.parametrize(
    ("scope", "method", "path"), [(s, *request) for s, all_ in REQUESTS.items() for request in all_]
)
def test_a_key_without_the_scope_is_refused_and_one_with_it_alone_is_not(
    closed: TestClient, services: Any, assert_problem: AssertProblem, scope: str, method: str, path: str
) -> None:
    others = [name for name in ("read", "ingest", "delete", "decide", "cypher", "admin") if name != scope]
    without = {"Authorization": f"Bearer {make_key(services.graph, *others)}"}
    assert scope in assert_problem(closed.request(method, path, headers=without), 403, "forbidden")["detail"]
    having = {"Authorization": f"Bearer {make_key(services.graph, scope)}"}
    assert closed.request(method, path, headers=having).status_code not in {401, 403, 500}


def test_a_key_that_labels_a_document_is_shown_it_only_with_the_scope_to_read(
    closed: TestClient, services: Any
) -> None:
    def label(*scopes: str) -> Any:
        headers = {"X-API-Key": make_key(services.graph, *scopes)}
        return closed.patch("/v1/documents/d1", json={"tags": ["a"]}, headers=headers)

    hidden = label("ingest")
    assert (hidden.status_code, hidden.content) == (204, b"")
    assert "documents/document_detail" not in [name for name, _ in services.graph.ran]
    label("ingest", "read")
    assert "documents/document_detail" in [name for name, _ in services.graph.ran]
    assert len(services.labels.changes) == 2


def test_a_key_that_only_ingests_is_not_shown_what_it_cancels_or_pauses(closed: TestClient, services: Any) -> None:
    ingesting = {"X-API-Key": make_key(services.graph, "ingest")}
    reading = {"X-API-Key": make_key(services.graph, "ingest", "read")}
    for path in ("/v1/jobs/j9/cancel", "/v1/enrichment/pause", "/v1/enrichment/resume"):
        hidden = closed.post(path, headers=ingesting)
        assert (hidden.status_code, hidden.content) == (204, b""), path
        assert closed.post(path, headers=reading).status_code == 200, path
    mine = make_key(services.graph, "ingest")
    services.jobs.owners["j9"] = mine.partition(".")[0]
    assert closed.post("/v1/jobs/j9/cancel", headers={"X-API-Key": mine}).json()["state"] == "cancelled"


def test_a_key_speaks_for_its_tenants_and_no_other(
    closed: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    def ask(key: str, tenant: str | None = None) -> Any:
        chosen = {"X-Interlace-Tenant": tenant} if tenant else {}
        return closed.post("/v1/query", json={"query": "x"}, headers={"X-API-Key": key, **chosen})

    two = make_key(services.graph, "read", tenants=("blue", "green"))
    assert ask(two, "blue").status_code == ask(two, "green").status_code == 200
    assert_problem(ask(two, "red"), 403, "forbidden")
    assert_problem(ask(two), 403, "forbidden")  # the server's default is not among them, and two are
    assert_problem(ask(two, "*"), 422, "invalid-input")
    one = make_key(services.graph, "read", tenants=("blue",))
    assert ask(one).status_code == 200
    assert ask(make_key(services.graph, "read"), "red").status_code == 200
    assert [tenant for tenant, _ in services.questions.asked] == ["blue", "green", "blue", "red"]


def test_numbers_about_all_tenants_need_a_key_for_all(
    closed: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    headers = {"X-API-Key": make_key(services.graph, "read", tenants=("blue",))}
    assert_problem(closed.get("/metrics", headers=headers), 403, "forbidden")


def test_numbers_about_all_groups_need_a_key_that_sees_them_even_just_after_they_were_counted(
    closed: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.graph.answers["documents/document_counts"] = [{"documents": 4, "chunks": 9, "entities": 2, "facts": 1}]
    services.graph.answers["tenants/some_restricted_tenant"] = [{"restricted": True}]
    some, every = (make_key(services.graph, "read", groups=groups) for groups in ((), ("*",)))
    assert closed.get("/metrics", headers={"X-API-Key": every}).status_code == 200
    refused = assert_problem(closed.get("/metrics", headers={"X-API-Key": some}), 403, "forbidden")
    assert "The page of metrics" in refused["detail"]


def test_without_the_graph_a_scraper_with_a_key_gets_503_for_which_prometheus_says_that_the_api_is_down(
    closed: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    key = make_key(services.graph, "read", groups=("*",))

    def away(*_: object, **__: object) -> None:
        raise UnavailableError("gone")

    services.graph.access = SimpleNamespace(run=away)
    assert_problem(closed.get("/metrics", headers={"X-API-Key": key}), 503, "unavailable")


@pytest.mark.parametrize("scope", ["ingest", "delete"])
def test_a_job_is_shown_to_the_key_that_asked_for_it_and_to_keys_that_read(
    closed: TestClient, services: Any, assert_problem: AssertProblem, running: JobStatus, scope: str
) -> None:
    mine, another, reading, deciding = (make_key(services.graph, each) for each in (scope, scope, "read", "decide"))
    services.jobs.owners["j1"] = mine.partition(".")[0]
    services.jobs.states = itertools.repeat(replace(running, state="done"))
    for path in ("/v1/jobs/j1", "/v1/jobs/j1/events"):
        for key in (mine, reading):
            assert closed.get(path, headers={"X-API-Key": key}).status_code == 200
        for key in (another, deciding):
            assert "read" in assert_problem(closed.get(path, headers={"X-API-Key": key}), 403, "forbidden")["detail"]
    assert_problem(closed.get("/v1/jobs", headers={"X-API-Key": mine}), 403, "forbidden")


def test_a_job_belongs_to_the_key_that_asks_for_it(closed: TestClient, services: Any) -> None:
    key = make_key(services.graph, "ingest", "delete")
    headers = {"X-API-Key": key}
    document = {"source_uri": "a.md", "text": "x"}
    closed.post("/v1/documents", json={"documents": [document]}, headers=headers)
    closed.put(f"/v1/documents/{document_id('default', 'a.md')}", json=document, headers=headers)
    closed.delete("/v1/documents/d1", headers=headers)
    assert services.receiver.owners == [key.partition(".")[0]] * 3
