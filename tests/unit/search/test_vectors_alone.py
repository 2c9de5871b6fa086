"""With vectors alone nothing is read from the graph before the hits are looked up: queries are counted."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.contract.fakes_vectors import FakeVectorIndex
from tests.support.collecting_graph import CollectingGraph
from tests.support.memory_models import HashingEmbedder

from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinkers
from interlace.ports.vectors import Point, windows_of
from interlace.search.searches import Searches
from interlace.settings import QuerySettings

TENANT = "acme"
CHUNK = {
    "id": "c1",
    "text": "The ferry leaves at noon.",
    "context": "Ferry",
    "start": 0,
    "end": 25,
    "position": 0,
    "sectionType": "body",
    "section": "",
    "document": {"id": "d1", "title": "Ferry", "sourceUri": "a.md"},
}
READS_OF_MODELS = "gazetteer/gazetteer_version"
CHANGE_SHOWN = "leases/lease_state"


def asked(graph: CollectingGraph, *requests: QueryRequest) -> list[list[str]]:
    """Return the names of the queries that each request ran."""
    embedder, vectors = HashingEmbedder(), FakeVectorIndex()
    vectors.ensure(TENANT, "chunks", {}, {windows_of(embedder.model): embedder.dimensions})
    dense = {windows_of(embedder.model): embedder.embed_query("ferry")[np.newaxis]}
    vectors.upsert(TENANT, "chunks", [Point("c1", dense, {}, {"tags": ["boats"]})])
    searches = Searches(graph, vectors, {embedder.model: embedder}, EntityLinkers(graph), QuerySettings(leg_timeout=60))
    found = []
    try:
        for request in requests:
            graph.ran.clear()
            answer = searches.questions.search(TENANT, request)
            assert [hit.chunk_id for hit in answer.hits] == ["c1"]
            found.append([name for name, _ in graph.ran])
    finally:
        searches.close()
    return found


@pytest.fixture
def graph() -> CollectingGraph:
    known = {"version": 1, "revision": None, "chunks": 1, "models": ["hashing"], "model": "hashing"}
    return CollectingGraph(
        {
            READS_OF_MODELS: [known],
            "gazetteer/all_entity_keys": [{"id": "e1", "keys": ["ferry"]}],
            "entities/describe_entities": [
                {"id": "e1", "name": "Ferry", "degree": 1, "titled": True, "guessed": False}
            ],
            "chunks/hydrate_chunks": [CHUNK],
        }
    )


def test_nothing_is_read_before_the_hits_are_looked_up(graph: CollectingGraph) -> None:
    where = Filter(must=(Condition("tags", "eq", "boats"),))
    first, second, filtered, boosted = asked(
        graph,
        QueryRequest("When does the Ferry leave?", "vector_only"),
        QueryRequest("When does the Ferry leave?", "vector_only"),
        QueryRequest("When does the Ferry leave?", "vector_only", where=where),
        QueryRequest("When does it leave?", "vector_only", recency_days=30.0, boosts=frozenset({"entity", "degree"})),
    )
    assert first == [READS_OF_MODELS, "chunks/hydrate_chunks", READS_OF_MODELS, CHANGE_SHOWN]
    # Which models are complete is known by then, and read again after the hits, for the next question.
    for queries in (second, filtered, boosted):
        assert queries == ["chunks/hydrate_chunks", READS_OF_MODELS, CHANGE_SHOWN]


def test_other_modes_link_entities_first(graph: CollectingGraph) -> None:
    (queries,) = asked(graph, QueryRequest("When does the Ferry leave?"))
    assert "entities/describe_entities" in queries[: queries.index("chunks/hydrate_chunks")]


class RecordingEmbedder(HashingEmbedder):
    """Notes in the list of queries when it embeds a question."""

    def __init__(self, graph: CollectingGraph, model: str) -> None:
        super().__init__(model)
        self._graph = graph

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self._graph.ran.append((self.model, {}))
        return super().embed_query(text)


def test_a_question_is_embedded_again_if_its_model_changed_since_the_last_one(graph: CollectingGraph) -> None:
    one, other = RecordingEmbedder(graph, "one"), RecordingEmbedder(graph, "other")
    vectors = FakeVectorIndex()
    vectors.ensure(TENANT, "chunks", {}, {windows_of(each.model): each.dimensions for each in (one, other)})
    # Only the second model finds the chunk by this question.
    vector = HashingEmbedder().embed_query("Ferry?")[np.newaxis]
    vectors.upsert(TENANT, "chunks", [Point("c1", {windows_of("other"): vector}, {}, {})])
    searches = Searches(
        graph, vectors, {"one": one, "other": other}, EntityLinkers(graph), QuerySettings(leg_timeout=60)
    )
    known = {"version": 1, "revision": None, "chunks": 1}
    try:
        graph.answers[READS_OF_MODELS] = [{**known, "models": ["one"], "model": "one"}]
        assert not searches.questions.search(TENANT, QueryRequest("Ferry?", legs=("vector",))).hits
        graph.answers[READS_OF_MODELS] = [{**known, "models": ["one", "other"], "model": "other"}]
        graph.ran.clear()
        answer = searches.questions.search(TENANT, QueryRequest("Ferry?", legs=("vector",)))
    finally:
        searches.close()
    assert [hit.chunk_id for hit in answer.hits] == ["c1"]
    assert "other" in {name for name, _ in graph.ran}
