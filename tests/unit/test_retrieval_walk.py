"""The walk over a question's neighbourhood."""

import random

import pytest

from interlace.search.legs.graph import _edges, constants
from interlace.search.pagerank import DEFAULT, Edge, RankedChunk, Walk, rank_chunks
from interlace.search.paths import Step
from interlace.search.weights import FusionWeights

# A film's page names its director and its star; each has a page; a magazine mentions the star often.
EDGES = [
    Edge("film-page", "film", "title", 1, 1),
    Edge("film-page", "director", "ner", 1, 2, ("directed", "drama")),
    Edge("film-page", "star", "ner", 1, 3, ("starring",)),
    Edge("director-page", "director", "title", 1, 2),
    Edge("star-page", "star", "title", 1, 3),
    Edge("magazine", "star", "linker", 2, 3),
    Edge("far-page", "nobody", "title", 1, 1),
]


def walked(edges: list[Edge], **options: object) -> list[RankedChunk]:
    seeds = options.pop("seeds", {"film": 2.0})
    chunks = options.pop("chunks", {})
    return rank_chunks(edges, seeds, chunks, total_chunks=100, **options)  # type: ignore[arg-type]


def test_the_page_of_the_name_leads_and_its_names_follow() -> None:
    order = [hit.chunk for hit in walked(EDGES)]
    assert order[0] == "film-page"
    assert set(order[1:3]) == {"director-page", "star-page"}
    assert "far-page" not in order


def test_what_is_asked_chooses_among_the_names_of_a_page() -> None:
    assert [hit.chunk for hit in walked(EDGES, asked=["director", "born"])][1] == "director-page"
    assert [hit.chunk for hit in walked(EDGES, asked=["starring"])][1] == "star-page"


def test_a_title_counts_more_than_mentions() -> None:
    score = {hit.chunk: hit.score for hit in walked(EDGES)}
    assert score["star-page"] > score["magazine"]
    plain = {hit.chunk: hit.score for hit in walked(EDGES, walk=Walk(title=1.0))}
    assert plain["star-page"] < plain["magazine"]


def test_paths_tell_how_a_chunk_was_reached() -> None:
    paths = {hit.chunk: hit.path for hit in walked(EDGES)}
    assert paths["film-page"] == (Step("entity", "film"), Step("chunk", "film-page"))
    assert paths["director-page"] == (
        Step("entity", "film"),
        Step("chunk", "film-page"),
        Step("entity", "director"),
        Step("chunk", "director-page"),
    )


def test_without_names_the_walk_starts_on_chunks() -> None:
    hits = walked(EDGES, seeds={}, chunks={"magazine": 1.0})
    assert hits[0].chunk == "magazine"
    assert hits[0].path == (Step("chunk", "magazine"),)
    paths = {hit.chunk: hit.path for hit in hits}
    assert paths["star-page"] == (Step("chunk", "magazine"), Step("entity", "star"), Step("chunk", "star-page"))


def test_the_order_of_rows_and_repeated_rows_change_nothing() -> None:
    expected = walked(EDGES, chunks={"magazine": 1.0}, asked=["director"])
    for seed in range(5):
        shuffled = [*EDGES, EDGES[2]]
        random.Random(seed).shuffle(shuffled)
        assert walked(shuffled, chunks={"magazine": 1.0}, asked=["director"]) == expected


def test_a_chunk_may_hold_two_forms_of_a_name_and_rows_come_in_any_order() -> None:
    long = ["page", "linker", "carry on series", 1, "actors regular"]
    short = ["page", "linker", "carry on", 2, "title consists"]
    title = ["page", "title", None, 1, None]
    again = [[*mention[:4], None] for mention in (long, short, title)]
    mentions = [long, short, title, *again]
    expected = {
        Edge("page", "series", "linker", 1, 5, ("actors", "regular"), "carry on series"),
        Edge("page", "series", "linker", 2, 5, ("title", "consists"), "carry on"),
        Edge("page", "series", "title", 1, 5),
    }
    for seed in range(10):
        random.Random(seed).shuffle(mentions)
        row = {"entity": "series", "name": "Carry On", "degree": 5, "mentions": mentions}
        edges = _edges([row])
        assert (len(edges), set(edges)) == (3, expected)
    once, both = Edge("aside", "name", "linker", 1, 2), Edge("aside", "name", "linker", 1, 2, key="other")
    others = Edge("page", "name", "linker", 1, 2)
    alone = {hit.chunk: hit.score for hit in walked([once, others], seeds={"name": 1.0})}
    twice = {hit.chunk: hit.score for hit in walked([once, both, others], seeds={"name": 1.0})}
    assert alone["aside"] == pytest.approx(alone["page"])
    assert twice["aside"] > twice["page"]


def test_ties_go_by_id() -> None:
    edges = [Edge(chunk, "name", "ner", 1, 3) for chunk in ("c", "a", "b")]
    assert [hit.chunk for hit in walked(edges, seeds={"name": 1.0})] == ["a", "b", "c"]


def test_a_limit_gives_the_first_of_all_with_their_paths() -> None:
    every = walked(EDGES, chunks={"far-page": 1.0})
    assert len(every) > 2
    assert walked(EDGES, chunks={"far-page": 1.0}, limit=2) == every[:2]


def test_probabilities_sum_to_at_most_one() -> None:
    total = sum(hit.score for hit in walked(EDGES, chunks={"far-page": 1.0}))
    assert 0 < total < 1


@pytest.mark.parametrize(("seeds", "chunks"), [({}, {}), ({"unknown": 1.0}, {})])
def test_nothing_known_gives_nothing(seeds: dict[str, float], chunks: dict[str, float]) -> None:
    assert walked([], seeds=seeds, chunks=chunks) == []
    assert walked(EDGES, seeds=seeds, chunks=chunks) == []


def test_a_walk_less_a_boost_lets_all_mentions_count_alike() -> None:
    assert constants(FusionWeights()) == DEFAULT
    plain = constants(FusionWeights(without=frozenset({"titles", "near_words"})))
    edges = [Edge("page", "name", "title", 1, 2), Edge("aside", "name", "ner", 1, 2, ("directed",))]
    asked = {"seeds": {"name": 1.0}, "asked": ["directed"]}
    by_title = {hit.chunk: hit.score for hit in walked(edges, **asked)}
    alike = {hit.chunk: hit.score for hit in walked([*edges, Edge("page", "name", "ner", 1, 2)], walk=plain, **asked)}
    assert by_title["page"] > 2 * by_title["aside"]
    assert alike["page"] == pytest.approx(alike["aside"])
