"""Small stand-ins for the services behind the HTTP API; what they promise is tested elsewhere, against real servers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
from fastapi.testclient import TestClient
from tests.support.collecting_graph import CollectingGraph
from tests.support.memory_keys import MemoryKeys
from tests.support.memory_links import DocumentReference, MemoryLinkGraph
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_rates import MemoryRateLimiter
from tests.support.memory_services import RUNNING, MemoryJobs, MemoryPreviewer, MemoryQuestions, MemoryReceiver

from interlace.adapters.web.fetcher import WebFetcher
from interlace.answers.service import AnswerService
from interlace.api.app import create_app
from interlace.bootstrap import Platform
from interlace.domain.atoms import AtomRequest, AtomResponse
from interlace.domain.decisions import Author, Decision, EntityForm
from interlace.domain.hits import Hit, LegRank, PathStep, QueryRequest, QueryResponse
from interlace.domain.packing import Pack, PackItem, PackRequest
from interlace.domain.tools import RouteRequest, RouteResponse
from interlace.enrichment.overview import EnrichmentControl
from interlace.entities.name_vectors import NameVectors
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ingestion.labelling import LabelChange, check_change
from interlace.ingestion.references import known_keys
from interlace.jobs.service import JobStatus
from interlace.links.planned import LinkContext
from interlace.links.service import LinkGraphService
from interlace.ports.graph import Query, Row, Transaction
from interlace.ports.links import Link, LinkedDocument
from interlace.ports.statements import Limits, Operator, StatementPlan, Table
from interlace.search.knapsack import PackWeights, pack
from interlace.search.profile import PROFILE
from interlace.settings import Settings, load_settings

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
    legs=(LegRank("graph", 1, 0.9, 0.25, 0.004),),
    path=(PathStep("e1", "Ada", "c1", "Turbines", "Ada built the first turbine."),),
    boosts={"proximity": 1.5},
    cypher="MATCH (c:Chunk {id: 'c1'}) RETURN c",
)
RESPONSE = QueryResponse(
    query="Who built it?",
    hits=(HIT,),
    intent={"action": "find"},
    weights={"graph": 0.25},
    entities={"Ada": 1.0},
    retrieval_mode="graph_only",
    retrieval_path=("graph",),
    retrieval_reason="The graph knows the names of the question.",
    degraded=("vector",),
    timings={"graph": 12.0, "total": 15.0},
    effort={"legs": 1},
)
DECISION = Decision("same", (EntityForm("nyc"), EntityForm("new york")), Author("ada"))

T = TypeVar("T")


class Graph(CollectingGraph):
    """Knows every tenant, and keys in memory; waits and pings fail as prepared."""

    def __init__(self) -> None:
        super().__init__({"tenants/tenant_known": [{"known": True}]})
        self.failure: Exception | None = None
        self.access = MemoryKeys()

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        if query.name.startswith("access/"):
            return self.access.run(query, **params)
        return super().run(query, timeout=timeout, **params)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        return work(self)

    def wait_for_commits(self) -> None:
        if self.failure:
            raise self.failure

    def ping(self) -> float:
        if self.failure:
            raise self.failure
        return 0.001


class MemoryStatements:
    """Plans every statement as a seek of the tenant's entities, and answers with one row."""

    def plan(self, _: str, __: Any) -> StatementPlan:
        seek = Operator("NodeIndexSeek", "RANGE INDEX e:Entity(tenant) WHERE tenant = $tenant")
        return StatementPlan("r", Operator("ProduceResults", "name", (seek,)))

    def rows(self, _: str, __: Any, limits: Limits) -> Table:
        return Table(("name",), [["Ada"]][: limits.rows], truncated=False)


class Labels:
    """Keeps the changes of labels."""

    def __init__(self) -> None:
        self.changes: list[tuple[str, list[str], LabelChange]] = []

    def change(self, tenant: str, ids: Sequence[str], change: LabelChange) -> None:
        check_change(change)
        self.changes.append((tenant, list(ids), change))


class Packer:
    """Answers as the search, and packs by the real rules, a token a word."""

    def __init__(self, questions: MemoryQuestions) -> None:
        self._questions = questions

    def query(self, tenant: str, request: QueryRequest, pack_request: PackRequest) -> QueryResponse:
        response = self._questions.search(tenant, request)
        items = [PackItem(hit.chunk_id, hit.score, 0, "body", "", hit.text) for hit in response.hits]
        return replace(response, pack=self.pack(items, pack_request))

    def pack(self, items: Sequence[PackItem], request: PackRequest) -> Pack:
        counted = [replace(item, tokens=len(item.text.split())) for item in items]
        weights = PackWeights(request.category_weights, request.epistemic_weights, request.diversity or 0.0)
        decided = pack(counted, request.budget, weights)
        tokens = sum(item.tokens for item in decided if item.taken)
        return Pack(request.budget, tokens, "words", "", decided)


class Atoms:
    """Finds nothing and remembers what was sought."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, AtomRequest]] = []

    def search(self, tenant: str, request: AtomRequest) -> AtomResponse:
        self.asked.append((tenant, request))
        return AtomResponse(request.text, (), ("x",), (), (), None)


class ToolSearch:
    """Finds nothing and remembers what was sought."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, RouteRequest]] = []

    def search(self, tenant: str, request: RouteRequest) -> RouteResponse:
        self.asked.append((tenant, request))
        return RouteResponse(
            request.text, (), {"action": "find"}, {}, {}, "hybrid", (), "why", ("vector",), {"total": 1.0}, {"legs": 1}
        )


def _services(fetch: Any = None, **api: Any) -> Any:
    settings = load_settings(api={"max_body_bytes": MAX_BODY, **api}, fetch=fetch or {})
    questions = MemoryQuestions(RESPONSE)
    graph: Any = Graph()
    return SimpleNamespace(
        settings=settings,
        graph=graph,
        name_vectors=NameVectors({}),
        visible_cache=VisibleEntityCache(graph),
        statements=MemoryStatements(),
        vectors=SimpleNamespace(ping=lambda: 0.002),
        queue=MemoryQueue(),
        rate_limiter=MemoryRateLimiter(),
        receiver=MemoryReceiver(),
        labels=Labels(),
        fetcher=WebFetcher(settings.fetch, settings.ingest.max_bytes),
        decisions=SimpleNamespace(record=lambda *_, **__: "decision", undo=lambda *_: DECISION),
        previewer=MemoryPreviewer(),
        enrichment=EnrichmentControl(graph, MemoryQueue(), None),
        jobs=MemoryJobs(),
        questions=questions,
        packer=Packer(questions),
        answers=AnswerService(questions.search),
        atoms=Atoms(),
        tools=ToolSearch(),
        link_graph=_link_graph(settings, questions),
    )


def _link_graph(settings: Settings, questions: MemoryQuestions) -> LinkGraphService:
    """Return the real service over links in memory: the hit's document and one that links to it."""
    links = MemoryLinkGraph()
    for document, uri, title in (
        ("d1", HIT.source_uri, HIT.title),
        ("d2", "docs/ada.md", "Ada"),
        ("d3", "ada.txt", "Ada"),
    ):
        refers = [DocumentReference("name:turbines", Link("wikilink", ""))] if document == "d2" else []
        links.put("default", LinkedDocument(document, title, uri, known_keys(uri, [title])), refers)
    return LinkGraphService(LinkContext(links, questions.search, lambda *_: ("d1",), PROFILE.links, settings.query))


def _client_of(services: Any, base_url: str = "http://127.0.0.1:8765") -> TestClient:
    return TestClient(create_app(cast("Platform", services)), base_url=base_url, follow_redirects=False)


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
