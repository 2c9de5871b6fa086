"""Small stand-ins for the services behind the HTTP API; what they promise is tested elsewhere, against real servers."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from interlace.api.app import create_app
from interlace.api.services import Services
from interlace.domain.documents import Source
from interlace.domain.errors import InterlaceError, NotFoundError
from interlace.domain.hits import Hit, LegRank, PathStep, QueryRequest, QueryResponse
from interlace.ingestion.intake import Receipt
from interlace.ingestion.jobs import JobStatus
from interlace.ports.graph import Query, Row
from interlace.settings import load_settings

MAX_BODY = 20_000
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


def _services(**api: Any) -> Any:
    settings = load_settings(api={"max_body_bytes": MAX_BODY, **api})
    return SimpleNamespace(
        settings=settings,
        graph=Graph(),
        vectors=SimpleNamespace(ping=lambda: 0.002),
        queue=SimpleNamespace(ping=lambda: 0.003),
        intake=Intake(),
        jobs=Jobs(),
        coordinator=Coordinator(),
    )


def _client_of(services: Any, base_url: str = "http://127.0.0.1:8765") -> TestClient:
    return TestClient(create_app(cast("Services", services)), base_url=base_url, follow_redirects=False)


def _assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["type"] == f"/problems/{code}"
    assert body["status"] == status
    assert body["trace_id"]
    assert body["detail"]
    assert answer.headers["x-request-id"]
    return body


@pytest.fixture
def make_services() -> Callable[..., Any]:
    """Make services with these settings of the group ``api``."""
    return _services


@pytest.fixture
def client_of() -> Callable[..., TestClient]:
    """Make a client, to be entered, of an application over these services."""
    return _client_of


@pytest.fixture
def assert_problem() -> Callable[..., dict[str, Any]]:
    """Check that an answer is a problem document of this status and code; return its body."""
    return _assert_problem


@pytest.fixture
def services() -> Any:
    return _services()


@pytest.fixture
def client(services: Any) -> Iterator[TestClient]:
    with _client_of(services) as opened:
        yield opened


@pytest.fixture
def running() -> JobStatus:
    """The state that a job has unless a test prepared others."""
    return RUNNING
