"""The outbox's queries, and the rounds in which graph and index come to agree."""

from typing import Any

import pytest
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.collecting_graph import CollectingGraph

from interlace.ingestion.outbox import Outbox
from interlace.ports.vectors import Point
from interlace.vectors.restoration import Restorer

DOCUMENT = {"id": "d", "tenant": "t", "sourceUri": "a.md", "mediaType": "text/markdown", "title": "A", "checksum": "s"}
DUE = {"id": "entry", "tenant": "t", "kind": "chunks", "ids": ["a", "b"]}


def payload_row(chunk: str, title: str = "A") -> dict[str, Any]:
    return {"id": chunk, "sectionType": "body", "position": 0, "document": {**DOCUMENT, "title": title}}


@pytest.fixture
def vectors() -> FakeVectorIndex:
    index = FakeVectorIndex()
    index.ensure("t", "chunks", {})
    index.upsert("t", "chunks", [Point("a"), Point("b")])
    return index


def outbox(graph: CollectingGraph, vectors: FakeVectorIndex) -> Outbox:
    return Outbox(graph, vectors, Restorer(graph, vectors, lambda: ()))


def titles(vectors: FakeVectorIndex) -> dict[str, Any]:
    return {point.id: point.payload.get("title") for point in vectors.scroll("t", "chunks")}


def test_an_entry_names_the_points_and_falls_due_by_the_databases_clock(vectors: FakeVectorIndex) -> None:
    graph = CollectingGraph()
    outbox(graph, vectors).enter("t", "entry", ["a"], due_in=2.5)
    assert graph.ran == [
        (
            "outbox/write_outbox",
            {"tenant": "t", "id": "entry", "kind": "chunks", "ids": ["a"], "jobs": [], "dueMs": 2_500},
        )
    ]


def test_dispatching_deletes_orphans_refreshes_payloads_and_clears_the_entry(vectors: FakeVectorIndex) -> None:
    graph = CollectingGraph({"outbox/due_outbox": [DUE], "chunks/chunk_payloads": [payload_row("a")]})
    assert outbox(graph, vectors).dispatch("t") == 1
    assert titles(vectors) == {"a": "A"}
    assert graph.params_of("outbox/due_outbox") == [{"tenant": "t", "limit": 100}]
    assert graph.params_of("outbox/clear_outbox") == [{"ids": ["entry"]}]


def test_points_of_a_batch_under_way_are_left_alone_and_their_entry_stays(vectors: FakeVectorIndex) -> None:
    graph = CollectingGraph(
        {
            "outbox/due_outbox": [DUE],
            "outbox/pending_points": [{"id": "b"}],
            "chunks/chunk_payloads": [payload_row("a")],
        }
    )
    assert outbox(graph, vectors).dispatch() == 0
    assert titles(vectors) == {"a": "A", "b": None}
    assert graph.params_of("outbox/clear_outbox") == []
    assert graph.params_of("outbox/defer_outbox") == [{"id": "entry"}]


def test_what_changes_while_it_is_written_is_written_again(vectors: FakeVectorIndex) -> None:
    readings = iter([[payload_row("a", "old")], [payload_row("a", "new")], [payload_row("a", "new")]])
    graph = CollectingGraph({"chunks/chunk_payloads": lambda **_: next(readings)})
    assert outbox(graph, vectors).apply("t", "chunks", ["a"])
    assert titles(vectors)["a"] == "new"
    assert next(readings, None) is None


def test_a_document_that_never_rests_leaves_the_entry_for_the_next_time(vectors: FakeVectorIndex) -> None:
    readings = iter(range(1_000))
    graph = CollectingGraph({"chunks/chunk_payloads": lambda **_: [payload_row("a", str(next(readings)))]})
    assert not outbox(graph, vectors).apply("t", "chunks", ["a"])


def test_points_are_reconciled_under_an_entry_of_their_own(vectors: FakeVectorIndex) -> None:
    graph = CollectingGraph({"chunks/chunk_payloads": [payload_row("a")]})
    outbox(graph, vectors).reconcile("t", ["a"])
    (entered,), (cleared,) = graph.params_of("outbox/write_outbox"), graph.params_of("outbox/clear_outbox")
    assert (entered["ids"], entered["dueMs"]) == (["a"], 0)
    assert cleared == {"ids": [entered["id"]]}
