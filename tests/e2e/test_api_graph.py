"""What the API reads from a real graph: pages, ranks, the quarantine, and idempotency keys."""

import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.testclient import TestClient
from tests.support.memory_queue import MemoryQueue
from tests.support.memory_rates import MemoryRateLimiter

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.web.fetcher import WebFetcher
from interlace.api.app import create_app
from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import document_id
from interlace.enrichment.overview import EnrichmentControl
from interlace.entities.name_vectors import NameVectors
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.receiver import DocumentReceiver
from interlace.jobs.idempotency import bind_job
from interlace.jobs.service import Jobs
from interlace.ports.graph import Query
from interlace.settings import Settings

pytestmark = pytest.mark.stack

BEGIN = "CREATE (:Tenant {tenant: $tenant, version: 1})"
SEED = (
    f"{BEGIN} WITH 1 AS begun"
    """
UNWIND range(1, 3) AS n
CREATE (d:Document {id: $tenant + '-d' + n, tenant: $tenant, title: 'Document ' + n, sourceUri: 'docs/' + n + '.md',
  mediaType: 'text/markdown', checksum: toString(n), version: 1, indexedAt: '2024-01-01', tags: ['lang/python'], `metadata.year`: 2000 + n})
CREATE (d)-[:HAS_SECTION]->(s:Section {id: $tenant + '-s' + n, tenant: $tenant, heading: 'H', path: 'A > H', level: 1, ordinal: 0})
CREATE (s)-[:HAS_CHUNK]->(c:Chunk {id: $tenant + '-c' + n, tenant: $tenant, documentId: d.id, text: 'Ada built the mill.'})
WITH collect(d) AS documents, collect(c) AS chunks
CREATE (ada:Entity {id: $tenant + '-ada', tenant: $tenant, name: 'Ada Lovelace', type: 'Person', aliases: ["Ada O'Brien"],
  key: 'ada lovelace', keys: ['ada lovelace', 'ada o brien'], confidence: 0.9})
CREATE (mill:Entity {id: $tenant + '-mill', tenant: $tenant, name: 'Mill', type: 'Product', aliases: [], key: 'mill', keys: ['mill'], confidence: 1.0})
CREATE (ada)-[:RELATES_TO {predicate: 'BUILT', weight: 3, documents: 3, confidence: 0.7}]->(mill)
CREATE (low:Community {id: $tenant + '-low', tenant: $tenant, level: 0, title: 'Builders', summary: 'They build.', size: 2, rating: 5.0})
CREATE (top:Community {id: $tenant + '-top', tenant: $tenant, level: 1, title: 'All', size: 2, rating: 10.0})
CREATE (ada)-[:IN_COMMUNITY {level: 0, rank: 0}]->(low)-[:PARENT]->(top), (mill)-[:IN_COMMUNITY {level: 0, rank: 1}]->(low)
WITH documents, chunks, ada, mill
UNWIND range(0, 2) AS n
WITH documents[n] AS d, chunks[n] AS c, ada, mill, n
CREATE (c)-[:MENTIONS {via: 'ner', count: 2}]->(ada), (d)-[:ABOUT {kind: 'title'}]->(mill)
CREATE (c)-[:ASSERTS]->(f:Fact {id: $tenant + '-f' + n, tenant: $tenant, predicate: 'BUILT', subjectText: 'Ada', objectText: 'the mill',
  sentence: 'Ada built the mill.', start: 0, end: 19, confidence: 0.5 + 0.1 * n, extractor: 'spacy'})
CREATE (f)-[:SUBJECT]->(ada), (f)-[:OBJECT]->(mill)
"""
)
CLEAR = "MATCH (n) WHERE n.tenant = $tenant DETACH DELETE n"


def _write(graph: Neo4jDatabase, text: str, tenant: str) -> None:
    graph.run(Query("test/query", "Test", text, {"tenant": "STRING"}, "write", "nothing"), tenant=tenant)


@pytest.fixture
def graph(stack: Settings) -> Iterator[Neo4jDatabase]:
    opened = Neo4jDatabase(stack.neo4j)
    yield opened
    opened.close()


@pytest.fixture
def tenant(graph: Neo4jDatabase) -> Iterator[str]:
    name = f"t{uuid.uuid4().hex[:12]}"
    _write(graph, SEED, name)
    yield name
    _write(graph, CLEAR, name)


@pytest.fixture
def receiver(graph: Neo4jDatabase) -> DocumentReceiver:
    return DocumentReceiver(graph, MemoryQueue(), fingerprint="f", batch_documents=2)


@pytest.fixture
def queue() -> MemoryQueue:
    return MemoryQueue()


@pytest.fixture
def client(
    graph: Neo4jDatabase, stack: Settings, tenant: str, receiver: DocumentReceiver, queue: MemoryQueue
) -> Iterator[TestClient]:
    services = SimpleNamespace(
        settings=stack,
        graph=graph,
        vectors=SimpleNamespace(ping=lambda: 0.0),
        receiver=receiver,
        fetcher=WebFetcher(stack.fetch, stack.ingest.max_bytes),
        jobs=Jobs(graph),
        name_vectors=NameVectors({}),
        visible_cache=VisibleEntityCache(graph),
        queue=queue,
        rate_limiter=MemoryRateLimiter(),
        enrichment=EnrichmentControl(graph, MemoryQueue(), None),
    )
    headers = {"X-Interlace-Tenant": tenant}
    with TestClient(create_app(cast("Platform", services)), "http://127.0.0.1", headers=headers) as opened:
        yield opened


def test_documents_come_in_pages_and_by_tag(client: TestClient, tenant: str) -> None:
    found, cursor = [], None
    while True:
        shown = client.get(
            "/v1/documents", params={"limit": 2, "tag": "lang", **({"cursor": cursor} if cursor else {})}
        ).json()
        found += [item["source_uri"] for item in shown["items"]]
        cursor = shown["next_cursor"]
        if cursor is None:
            break
    assert found == ["docs/1.md", "docs/2.md", "docs/3.md"]
    assert client.get("/v1/documents", params={"tag": "python"}).json()["items"] == []
    assert [item["id"] for item in client.get("/v1/documents", params={"source": "docs/2"}).json()["items"]] == [
        f"{tenant}-d2"
    ]
    detail = client.get(f"/v1/documents/{tenant}-d1").json()
    assert (detail["chunks"], detail["document"]["metadata"], detail["document"]["status"]) == (
        1,
        {"year": 2001},
        "ready",
    )
    assert detail["entities"] == [{"id": f"{tenant}-ada", "name": "Ada Lovelace", "type": "Person", "mentions": 2}]
    assert detail["sections"][0]["path"] == "A > H"


@pytest.mark.parametrize(
    ("name", "via"),
    [
        ("Ada Lovelace", "exact"),
        ("ada o'brien", "alias"),
        ("Lovelace", "words"),
        ("Lovelase", "fuzzy"),
        ('NOT "Ada', "fuzzy"),
    ],
)
def test_entities_are_found_by_every_way_of_writing_them(client: TestClient, tenant: str, name: str, via: str) -> None:
    matches = client.post("/v1/search/entities", json={"query": name}).json()["matches"]
    assert (matches[0]["entity"]["id"], matches[0]["via"]) == (f"{tenant}-ada", via)
    assert matches[0]["entity"]["mentions"] == 3
    assert matches[0]["confidence"] == pytest.approx(sum(part["share"] for part in matches[0]["signals"].values()))
    assert client.post("/v1/search/entities", json={"query": name, "types": ["Place"]}).json()["matches"] == []


def test_the_name_of_the_tenant_is_no_word_of_every_entity(client: TestClient, tenant: str) -> None:
    assert client.post("/v1/search/entities", json={"query": tenant}).json()["matches"] == []


def test_a_name_of_many_long_words_is_no_search_too_large(client: TestClient) -> None:
    words = " ".join(f"{letter}onstruction" for letter in "abcdefghijklmnopqr")
    assert client.post("/v1/search/entities", json={"query": words[:256]}).status_code == 200


def test_an_entity_shows_its_documents_neighbours_facts_and_communities(client: TestClient, tenant: str) -> None:
    detail = client.get(f"/v1/entities/{tenant}-ada").json()
    assert (detail["chunks"], detail["documents"], detail["facts"], detail["about"]) == (3, 3, 3, [])
    assert detail["communities"] == [
        {"id": f"{tenant}-low", "level": 0, "title": "Builders"},
        {"id": f"{tenant}-top", "level": 1, "title": "All"},
    ]
    (neighbor,) = client.get(f"/v1/entities/{tenant}-ada/neighbors").json()["neighbors"]
    (relation,) = neighbor["relations"]
    assert (relation["predicate"], relation["direction"], relation["weight"], relation["confidence"]) == (
        "BUILT",
        "out",
        3,
        0.7,
    )
    assert relation["sentence"] == "Ada built the mill."
    assert [each["title"] for each in relation["sources"]] == ["Document 3", "Document 2", "Document 1"]
    (path,) = client.get(f"/v1/entities/{tenant}-mill/paths", params={"to": f"{tenant}-ada"}).json()["paths"]
    assert (path["names"], path["relations"][0]["direction"]) == (["Mill", "Ada Lovelace"], "in")
    assert client.get(f"/v1/entities/{tenant}-mill/neighbors", params={"direction": "out"}).json() == {"neighbors": []}
    first = client.get(f"/v1/entities/{tenant}-mill/facts", params={"limit": 2}).json()
    rest = client.get(f"/v1/entities/{tenant}-mill/facts", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [fact["confidence"] for fact in first["items"] + rest["items"]] == pytest.approx([0.7, 0.6, 0.5])
    assert first["items"][0]["title"] == "Document 3"


def test_communities_show_members_and_kin(client: TestClient, tenant: str) -> None:
    assert [item["id"] for item in client.get("/v1/communities", params={"level": 0}).json()["items"]] == [
        f"{tenant}-low"
    ]
    first = client.get("/v1/communities", params={"limit": 1}).json()
    second = client.get("/v1/communities", params={"limit": 1, "cursor": first["next_cursor"]}).json()
    assert [item["id"] for item in first["items"] + second["items"]] == [f"{tenant}-low", f"{tenant}-top"]
    detail = client.get(f"/v1/communities/{tenant}-low").json()
    assert [member["name"] for member in detail["members"]] == ["Ada Lovelace", "Mill"]
    assert [kin["title"] for kin in detail["parents"]] == ["All"]
    above = client.get(f"/v1/communities/{tenant}-top").json()
    assert above["children"][0]["id"] == f"{tenant}-low"
    # By what is beneath it.
    assert above["members"] == detail["members"]


@pytest.fixture
def other(graph: Neo4jDatabase, tenant: str) -> Iterator[dict[str, str]]:
    """The header of another tenant, which holds nothing."""
    name = f"{tenant}-other"
    _write(graph, BEGIN, name)
    yield {"X-Interlace-Tenant": name}
    _write(graph, CLEAR, name)


def test_other_tenants_see_nothing(client: TestClient, tenant: str, other: dict[str, str]) -> None:
    for path in (
        f"documents/{tenant}-d1",
        f"entities/{tenant}-ada",
        f"entities/{tenant}-ada/facts",
        f"communities/{tenant}-low",
    ):
        assert client.get(f"/v1/{path}", headers=other).status_code == 404
    assert client.get("/v1/documents", headers=other).json()["items"] == []
    assert client.post("/v1/search/entities", json={"query": "Ada Lovelace"}, headers=other).json()["matches"] == []


def test_metrics_count_what_the_graph_holds(client: TestClient) -> None:
    (line,) = [
        line
        for line in client.get("/metrics").text.splitlines()
        if line.startswith('interlace_graph_nodes{kind="documents"}')
    ]
    assert float(line.split()[-1]) >= 3


def test_a_repeated_request_gives_the_same_job(client: TestClient, tenant: str, graph: Neo4jDatabase) -> None:
    body = {"documents": [{"uri": "new.md", "text": "one"}]}
    first = client.post("/v1/documents", json=body, headers={"Idempotency-Key": "k"})
    second = client.post("/v1/documents", json=body, headers={"Idempotency-Key": "k"})
    assert first.headers["location"] == second.headers["location"]
    assert second.json()["received"] == 1
    with pytest.raises(ConflictError):
        bind_job(graph, tenant, "k", [Source("other.md", "text/markdown", b"two")])


def test_what_is_on_its_way_is_listed_retried_and_discarded(
    client: TestClient, tenant: str, graph: Neo4jDatabase, receiver: DocumentReceiver, queue: MemoryQueue
) -> None:
    job = receiver.receive(tenant, [Source("docs/bad.pdf", "application/pdf", b"x")]).job_id
    identity = document_id(tenant, "docs/bad.pdf")
    assert [item["status"] for item in client.get("/v1/documents", params={"status": "pending"}).json()["items"]] == [
        "pending"
    ]
    ledger = Ledger(graph, lease_seconds=30, max_attempts=1)
    (claim,) = ledger.claim(tenant, [identity])
    ledger.quarantine(tenant, claim, "broken", "It is no PDF.")
    (shown,) = client.get("/v1/documents", params={"status": "quarantined"}).json()["items"]
    assert (shown["ledger"]["reason"], shown["ledger"]["failed_stage"]) == ("broken", "received")
    assert client.get(f"/v1/jobs/{job}").json()["failed"] == 1
    retried = client.post(f"/v1/documents/{identity}/retry")
    assert (retried.status_code, retried.headers["location"]) == (202, f"/v1/jobs/{job}")
    assert queue.batches == [[identity]]
    status = client.get(f"/v1/jobs/{job}").json()
    assert (status["state"], status["failed"], status["stages"]) == ("running", 0, {"received": 1})
    for action in ("retry", "discard"):
        assert client.post(f"/v1/documents/{identity}/{action}").status_code == 404
    (claim,) = ledger.claim(tenant, [identity])
    ledger.quarantine(tenant, claim, "broken", "It is no PDF.")
    assert client.post(f"/v1/documents/{identity}/discard").status_code == 204
    assert client.get(f"/v1/documents/{identity}").status_code == 404
