"""Link proximity without servers: what is linked with what, what it gains, and when links count at all."""

import math

import pytest
from tests.support.collecting_graph import CollectingGraph
from tests.support.ranking import fuse

from interlace.domain.hits import Mode, Signal
from interlace.search.candidates import Candidate, RankedCandidate
from interlace.search.confidence import Confidence
from interlace.search.profile import LinkProfile
from interlace.search.proximity import ChunkLinks, best_linked, link_scale, linked_candidates, read_links
from interlace.search.rerank import RerankEvidence
from interlace.search.weights import FusionWeights

PROFILE = LinkProfile()
# Two chunks of the document a, one each of b, c and d; a and c are linked, and b and d.
LINKS = ChunkLinks(
    {"a1": "a", "a2": "a", "b1": "b", "c1": "c", "d1": "d"}, frozenset({("a", "c"), ("b", "d"), ("d", "elsewhere")})
)


def fused(*chunks: str, links: ChunkLinks = LINKS, scale: float = 0.5) -> list[RankedCandidate]:
    weights = FusionWeights(legs={"keyword": 1.0})
    evidence = RerankEvidence(weights, Confidence(1.0, 0.05), {}, links=links, link_scale=scale)
    return fuse(evidence, {"keyword": [Candidate(chunk, 1.0) for chunk in chunks]})


def test_the_best_linked_document_counts_whichever_way_the_link_points() -> None:
    rank = {"a": 1, "b": 2, "c": 3}
    assert best_linked(rank, [("c", "b"), ("a", "c"), ("b", "elsewhere")]) == {"a": "c", "b": "c", "c": "a"}


def test_a_chunk_is_linked_with_the_best_chunk_of_a_linked_document() -> None:
    found = linked_candidates(["b1", "a2", "x", "c1", "a1", "d1"], LINKS)
    assert {chunk: (each.id, each.nearness) for chunk, each in found.items()} == {
        "b1": ("d1", 1 / 6),
        "a2": ("c1", 1 / 4),
        "c1": ("a2", 1 / 2),
        "a1": ("c1", 1 / 4),
        "d1": ("b1", 1.0),
    }


def test_chunks_of_one_document_are_not_linked_with_each_other() -> None:
    assert linked_candidates(["a1", "a2", "b1"], LINKS) == {}


def test_a_link_to_a_better_hit_moves_a_chunk_further() -> None:
    before = {hit.id: hit.features for hit in fused("b1", "x", "a1", "c1", "y", "d1", scale=0.0)}
    after = {hit.id: hit.features for hit in fused("b1", "x", "a1", "c1", "y", "d1")}
    assert {chunk: part.score - before[chunk].score for chunk, part in after.items()} == pytest.approx(
        {
            "b1": math.log(1 + 0.5 / 6),
            "x": 0,
            "a1": math.log(1 + 0.5 / 4),
            "c1": math.log(1 + 0.5 / 3),
            "y": 0,
            "d1": math.log(1.5),
        }
    )
    assert [part.proximity > 0 for part in after.values()] == [chunk not in "xy" for chunk in after]
    assert next(iter(after)) == "d1"


def test_links_say_nothing_where_they_are_left_out() -> None:
    docs = FusionWeights(proximity=1.5)
    assert link_scale(docs, "hybrid", PROFILE) == 0.75
    unlinked: tuple[tuple[FusionWeights, Mode], ...] = (
        (docs, "vector_only"),
        (docs, "metadata_only"),
        (FusionWeights(proximity=0.0), "hybrid"),
        (FusionWeights(without=frozenset[Signal]({"proximity"})), "hybrid"),
    )
    assert [link_scale(weights, mode, PROFILE) for weights, mode in unlinked] == [0.0] * 4


def test_a_pair_that_both_ends_name_is_one_link() -> None:
    rows = [
        {"document": "b", "chunks": ["b1"], "linked": ["a"]},
        {"document": "a", "chunks": ["a1", "a2"], "linked": ["b"]},
    ]
    graph = CollectingGraph({"chunks/linked_chunks": rows})
    found = read_links(graph, "t", ["a1", "a2", "b1"], PROFILE, timeout=3)
    assert graph.ran == [("chunks/linked_chunks", {"tenant": "t", "ids": ["a1", "a2", "b1"], "fanOut": 50})]
    assert graph.timeouts == {"chunks/linked_chunks": 3}
    assert found == ChunkLinks({"a1": "a", "a2": "a", "b1": "b"}, frozenset({("a", "b")}))
