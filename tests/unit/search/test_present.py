"""Descriptions of hits: what takes the place of deleted chunks, and what is left of a path that cannot be read."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.domain.hits import Hit
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.search.candidates import Features, RankedCandidate, Step
from interlace.search.execution import Run, TaskPool
from interlace.search.present import describe_hits

DOCUMENT = {"id": "d1", "title": "Harbour", "sourceUri": "a.md"}
PATHS = {each: (Step("entity", "mira", "Mira Quill"), Step("chunk", each)) for each in ("c1", "c2", "c3")}
RANKED = [RankedCandidate(each, 0.3, {}, Features(0.0, 0.0)) for each in PATHS]


def chunk(identity: str) -> dict[str, Any]:
    place = {"start": 0, "end": 10, "position": 0, "section": "", "sectionType": "body"}
    return {"id": identity, "text": f"Mira, {identity}.", "context": None, "document": DOCUMENT, **place}


def mentions(*, pairs: list[dict[str, str]], **_: object) -> list[dict[str, Any]]:
    return [{**pair, "text": f"Mira, {pair['chunk']}.", "title": "Harbour", "offset": 0} for pair in pairs]


@pytest.fixture
def run() -> Iterator[Run]:
    pool = TaskPool(2, "test")
    yield Run(pool, 5.0)
    pool.close()


def hits_of(run: Run, graph: CollectingGraph) -> tuple[Hit, ...]:
    return describe_hits(run, graph, "acme", RANKED, PATHS, VisibleEntityCache(graph).view_at("acme", None), limit=2)


def sentences(hits: tuple[Hit, ...]) -> dict[str, list[str]]:
    return {hit.chunk_id: [step.sentence for step in hit.path] for hit in hits}


def test_only_wanted_hits_and_their_paths_are_read_and_once(run: Run) -> None:
    graph = CollectingGraph(
        {"chunks/hydrate_chunks": [chunk(each) for each in PATHS], "mentions/path_mentions": mentions}
    )
    assert sentences(hits_of(run, graph)) == {"c1": ["Mira, c1."], "c2": ["Mira, c2."]}
    (hydrated,) = graph.params_of("chunks/hydrate_chunks")
    assert hydrated["ids"] == ["c1", "c2"]
    (read,) = graph.params_of("mentions/path_mentions")
    assert [pair["chunk"] for pair in read["pairs"]] == ["c1", "c2"]


def test_the_next_candidate_takes_the_place_of_a_deleted_chunk_with_its_path(run: Run) -> None:
    def there(*, ids: list[str], **_: object) -> list[dict[str, Any]]:
        return [chunk(each) for each in ids if each != "c2"]

    graph = CollectingGraph({"chunks/hydrate_chunks": there, "mentions/path_mentions": mentions})
    assert sentences(hits_of(run, graph)) == {"c1": ["Mira, c1."], "c3": ["Mira, c3."]}


def test_hits_without_sentences_of_their_paths_are_named_as_degraded(run: Run) -> None:
    gone = UnavailableError("Neo4j does not answer.")
    graph = CollectingGraph({"chunks/hydrate_chunks": [chunk(each) for each in PATHS], "mentions/path_mentions": gone})
    assert sentences(hits_of(run, graph)) == {"c1": [], "c2": []}
    assert run.degraded == ["path_sentences"]
