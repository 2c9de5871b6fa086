"""Many questions at once: a leg that waits for a thread is not late, and every question is answered in full.

The servers are fakes. Thirty-two callers wait for a pool of half as many threads, all taken; by a clock that a test moves they wait for longer than a
task may run. A pool whose tasks wait for other tasks of it, or deadlines that count the wait for a thread, degrade legs here.
"""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.clock import Clock
from tests.support.collecting_graph import CollectingGraph
from tests.support.waiting import until

from interlace.domain.errors import UnavailableError
from interlace.domain.hits import LEGS, QueryRequest
from interlace.domain.policy import RetrievalPolicy
from interlace.entities.linker import EntityLinkers
from interlace.ports.graph import Query, Row
from interlace.ports.vectors import ScoredPoint
from interlace.search.execution import THREADS
from interlace.search.searches import Searches
from interlace.settings import QuerySettings

CALLERS = 32
LATENCY = 0.02
"""Else a deadline that has passed might be met by chance."""
SECONDS = 60.0
"""Longer than a busy machine keeps any thread waiting."""
CHUNK = {
    "id": "c1",
    "text": "Text.",
    "context": "Title",
    "start": 0,
    "end": 5,
    "position": 0,
    "sectionType": "body",
    "section": "",
    "document": {"id": "d1", "title": "Title", "sourceUri": "a.md"},
}
ANSWERS: Mapping[str, Sequence[Row]] = {
    "gazetteer/gazetteer_version": [{"version": 1, "revision": None, "chunks": 9, "models": ["fake"], "model": "fake"}],
    "gazetteer/all_entity_keys": [{"id": "e1", "keys": ["ferry"]}],
    "entities/describe_entities": [{"id": "e1", "name": "Ferry", "degree": 1, "titled": True, "guessed": False}],
    "expansion/expand_entities": [
        {"entity": "e1", "name": "Ferry", "degree": 1, "mentions": [("c1", "ner", "ferry", 1, None)]}
    ],
    "documents/tagged_documents": [{"document": "d1", "score": 1.0}],
    "documents/named_documents": [{"document": "d1", "score": 1.0, "title": "ferry", "path": "ferry.md"}],
    "filters/first_chunks": [{"document": "d1", "chunk": "c1"}],
    "communities/community_chunks": [{"community": "k1", "chunk": "c1", "score": 1.0, "names": 1}],
    "chunks/hydrate_chunks": [CHUNK],
}


class SlowGraph(CollectingGraph):
    """Answers each query after the latency."""

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        time.sleep(LATENCY)
        return super().run(query, timeout=timeout, **params)


class SlowVectors:
    """Finds one point after the latency."""

    def search(self, _: str, kind: str, *__: object, **___: object) -> list[ScoredPoint]:
        time.sleep(LATENCY)
        return [ScoredPoint("k1" if kind == "communities" else "c1", 0.5)]

    def cosines(self, _: str, __: str, vectors: list[object], ids: list[str], **___: object) -> list[dict[str, float]]:
        time.sleep(LATENCY)
        return [dict.fromkeys(ids, 0.5) for _ in vectors]


class SlowEmbedder:
    """Embeds after the latency."""

    model = "fake"
    dimensions = 2

    def embed_query(self, text: str) -> NDArray[np.float32]:
        time.sleep(LATENCY)
        return np.array([1.0, float(len(text))], dtype=np.float32)


@pytest.fixture
def searches() -> Iterator[Searches]:
    graph = SlowGraph(dict(ANSWERS))
    settings = QuerySettings(leg_timeout=SECONDS)
    made = Searches(graph, SlowVectors(), {"fake": SlowEmbedder()}, EntityLinkers(graph), settings)  # type: ignore[arg-type,dict-item]
    yield made
    made.close()


def test_thirty_two_questions_at_once_degrade_no_leg(searches: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, free, pool = Clock(), threading.Event(), searches._pool
    monkeypatch.setattr("interlace.search.execution.time", SimpleNamespace(perf_counter=clock))
    request = QueryRequest("When does the Ferry leave Aalborg harbour?")
    alone = searches.questions.search("t", request)
    assert alone.retrieval_path == LEGS
    for _ in range(THREADS):
        pool.submit(lambda: free.wait(SECONDS))
    with ThreadPoolExecutor(CALLERS) as callers:
        answers = [callers.submit(searches.questions.search, "t", request) for _ in range(CALLERS)]
        until(lambda: pool._executor._work_queue.qsize() >= CALLERS, SECONDS)
        clock.now += 2 * SECONDS
        free.set()
        found = [each.result(SECONDS) for each in answers]
    assert [answer.degraded for answer in found] == [()] * CALLERS
    assert all(answer.hits == alone.hits and answer.retrieval_path == LEGS for answer in found)
    assert max(answer.timings["queued"] for answer in found) == 2 * SECONDS * 1000, "the pool was full"


class AbsentVectors:
    """Fails every search."""

    def search(self, *_: object, **__: object) -> list[ScoredPoint]:
        raise UnavailableError("away")

    cosines = search


def test_without_the_vector_index_the_legs_of_the_graph_answer() -> None:
    words = [{"chunk": "c1", "context": "Title", "text": "It leaves at noon.", "language": ""}]
    graph = CollectingGraph({**ANSWERS, "chunks/chunks_by_words": words})
    settings = QuerySettings(leg_timeout=SECONDS)
    made = Searches(graph, AbsentVectors(), {"fake": SlowEmbedder()}, EntityLinkers(graph), settings)  # type: ignore[arg-type,dict-item]
    answer = made.questions.search("t", QueryRequest("When does the Ferry leave?"))
    made.close()
    assert set(answer.degraded) == {"vector", "keyword", "community", "similarity"}
    assert {"graph", "keyword"} <= set(answer.retrieval_path)
    assert [hit.chunk_id for hit in answer.hits] == ["c1"]


class AbsentEmbedder(SlowEmbedder):
    """Fails, and counts how often it was asked."""

    asked = 0

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked += 1
        raise UnavailableError(f"away, and cannot embed {text!r}")


def test_a_service_that_does_not_embed_is_called_once_a_question() -> None:
    graph, embedder = CollectingGraph(dict(ANSWERS)), AbsentEmbedder()
    settings = QuerySettings(leg_timeout=SECONDS)
    made = Searches(graph, SlowVectors(), {"fake": embedder}, EntityLinkers(graph), settings)  # type: ignore[arg-type,dict-item]
    answer = made.questions.search("t", QueryRequest("When does the Ferry leave?"))
    made.close()
    assert set(answer.degraded) == {"vector", "community", "similarity"}
    assert embedder.asked == 1


class CountingEmbedder(SlowEmbedder):
    """Notes which texts it embedded."""

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.embedded.append(text)
        return super().embed_query(text)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("When does the Ferry leave Aalborg harbour?", {"When does the leave Aalborg harbour?"}),
        ("Which Ferry leaves?", set[str]()),
    ],
)
def test_where_the_graph_is_not_enough_no_text_is_embedded_twice(question: str, texts: set[str]) -> None:
    graph, embedder = CollectingGraph(dict(ANSWERS)), CountingEmbedder()
    settings = QuerySettings(leg_timeout=SECONDS)
    made = Searches(graph, SlowVectors(), {"fake": embedder}, EntityLinkers(graph), settings)  # type: ignore[arg-type,dict-item]
    policy = RetrievalPolicy(first="graph", min_overlap=0.0)
    answer = made.questions.search("t", QueryRequest(question, policy=policy))
    made.close()
    assert (answer.retrieval_mode, answer.degraded) == ("hybrid", ())
    assert "fewer than" in answer.retrieval_reason
    assert sorted(embedder.embedded) == sorted({question, *texts})
