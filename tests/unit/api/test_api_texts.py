"""Reading what the graph holds over HTTP: texts, mentions, counts."""

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

from interlace.ports.graph import column_of

CHUNK = {
    "id": "c1",
    "document_id": "d1",
    "title": "Plover",
    "source_uri": "plover.md",
    "section": "Price",
    "text": "The Plover is small. Clara Hoffmann designed it.",
    "start": 10,
    "end": 58,
    "position": 3,
    "section_type": "body",
}


def test_a_chunk_is_read(client: TestClient, services: Any, assert_problem: Callable[..., Any]) -> None:
    document = {"id": "d1", "title": "Plover", "sourceUri": "plover.md"}
    row = {name: CHUNK[name] for name in ("id", "text", "start", "end", "section", "position")} | {
        "sectionType": "body"
    }
    services.graph.answers["chunks/hydrate_chunks"] = [{**row, "context": None, "document": document}]
    assert client.get("/v1/chunks/c1").json() == CHUNK
    services.graph.answers.clear()
    assert_problem(client.get("/v1/chunks/c9"), 404, "not-found")


def test_the_text_of_a_document_is_read_page_by_page(client: TestClient, services: Any) -> None:
    services.graph.answers["chunks/document_chunks"] = [{column_of(name): value for name, value in CHUNK.items()}]
    first = client.get("/v1/documents/d1/chunks", params={"limit": 1}).json()
    assert first["items"] == [CHUNK]
    client.get("/v1/documents/d1/chunks", params={"cursor": first["next_cursor"]})
    assert [params["after"] for name, params in services.graph.ran if name.endswith("document_chunks")] == [-1, 10]


def test_mentions_come_with_their_sentence(
    client: TestClient, services: Any, assert_problem: Callable[..., Any]
) -> None:
    row = {
        "chunkId": "c1",
        "documentId": "d1",
        "title": "Plover",
        "sourceUri": "plover.md",
        "text": CHUNK["text"],
        "via": ["ner", "linker"],
        "mentions": 1,
        "offset": 21,
    }
    services.graph.answers["mentions/entity_mentions"] = [row]
    (found,) = client.get("/v1/entities/e1/mentions").json()["items"]
    assert found["sentence"] == "Clara Hoffmann designed it."
    assert found["via"] == ["linker", "ner"]
    services.graph.answers.clear()
    assert_problem(client.get("/v1/entities/e9/mentions"), 404, "not-found")


def test_counts_are_read(client: TestClient, services: Any) -> None:
    counts = {"documents": 1, "chunks": 2, "entities": 3, "facts": 4, "communities": 5}
    services.graph.answers["tenants/tenant_counts"] = [counts]
    assert client.get("/v1/counts", headers={"X-Interlace-Tenant": "acme"}).json() == counts
    assert services.graph.ran[-1][1] == {"tenant": "acme"}
