"""Personalised PageRank over a question's neighbourhood."""

import random

import pytest

from interlace.queries.expansion import ExpandEntitiesRow
from interlace.search.candidates import Candidate, Step, is_direct
from interlace.search.legs.graph import _mentions, constants
from interlace.search.pagerank import MentionEdge, rank_chunks
from interlace.search.profile import GraphProfile
from interlace.search.weights import FusionWeights

# A film's page names its director and its star; each has a page; a magazine mentions the star often.
MENTIONS = [
    MentionEdge("film-page", "film", "title", 1, 1),
    MentionEdge("film-page", "director", "ner", 1, 2, ("directed", "drama")),
    MentionEdge("film-page", "star", "ner", 1, 3, ("starring",)),
    MentionEdge("director-page", "director", "title", 1, 2),
    MentionEdge("star-page", "star", "title", 1, 3),
    MentionEdge("magazine", "star", "linker", 2, 3),
    MentionEdge("far-page", "unlinked", "title", 1, 1),
]


def ranked(mentions: list[MentionEdge], **options: object) -> list[Candidate]:
    seeds = options.pop("seeds", {"film": 2.0})
    chunks = options.pop("chunks", {})
    return rank_chunks(mentions, seeds, chunks, total_chunks=100, **options)  # type: ignore[arg-type]


def test_the_page_of_the_name_leads_and_its_names_follow() -> None:
    order = [hit.id for hit in ranked(MENTIONS)]
    assert order[0] == "film-page"
    assert set(order[1:3]) == {"director-page", "star-page"}
    assert "far-page" not in order


def test_what_is_asked_chooses_among_the_names_of_a_page() -> None:
    assert [hit.id for hit in ranked(MENTIONS, residual_terms=["director", "born"])][1] == "director-page"
    assert [hit.id for hit in ranked(MENTIONS, residual_terms=["starring"])][1] == "star-page"


def test_a_title_counts_more_than_mentions() -> None:
    score = {hit.id: hit.score for hit in ranked(MENTIONS)}
    assert score["star-page"] > score["magazine"]
    plain = {hit.id: hit.score for hit in ranked(MENTIONS, profile=GraphProfile(title=1.0))}
    assert plain["star-page"] < plain["magazine"]


def test_paths_tell_how_a_chunk_was_reached() -> None:
    paths = {hit.id: hit.path for hit in ranked(MENTIONS)}
    assert paths["film-page"] == (Step("entity", "film"), Step("chunk", "film-page"))
    assert paths["director-page"] == (
        Step("entity", "film"),
        Step("chunk", "film-page"),
        Step("entity", "director"),
        Step("chunk", "director-page"),
    )


def test_direct_chunks_tell_what_they_mention_and_what_their_documents_are_about() -> None:
    found = {hit.id: hit for hit in ranked(MENTIONS, seeds={"film": 2.0, "star": 0.1})}
    assert is_direct(found["film-page"].path)
    assert sorted(found["film-page"].subjects) == ["film"]
    assert sorted(found["film-page"].mentions) == ["director", "film", "star"]
    assert not is_direct(found["director-page"].path)
    alone = {hit.id: hit for hit in ranked(MENTIONS, seeds={"star": 2.0})}
    assert is_direct(alone["magazine"].path)
    assert sorted(alone["magazine"].subjects) == []
    assert sorted(alone["magazine"].mentions) == ["star"]


def test_without_entities_pagerank_restarts_from_chunks() -> None:
    hits = ranked(MENTIONS, seeds={}, chunks={"magazine": 1.0})
    assert hits[0].id == "magazine"
    assert hits[0].path == (Step("chunk", "magazine"),)
    paths = {hit.id: hit.path for hit in hits}
    assert paths["star-page"] == (Step("chunk", "magazine"), Step("entity", "star"), Step("chunk", "star-page"))


def test_the_order_of_rows_and_repeated_rows_change_nothing() -> None:
    expected = ranked(MENTIONS, chunks={"magazine": 1.0}, residual_terms=["director"])
    for seed in range(5):
        shuffled = [*MENTIONS, MENTIONS[2]]
        random.Random(seed).shuffle(shuffled)
        assert ranked(shuffled, chunks={"magazine": 1.0}, residual_terms=["director"]) == expected


def test_a_chunk_may_hold_two_forms_of_a_name_and_rows_come_in_any_order() -> None:
    long = ("page", "linker", "carry on series", 1, "actors regular")
    short = ("page", "linker", "carry on", 2, "title consists")
    title = ("page", "title", None, 1, None)
    again = [(*mention[:4], None) for mention in (long, short, title)]
    mentions: list[tuple[str, str, str | None, int, str | None]] = [long, short, title, *again]
    expected = {
        MentionEdge("page", "series", "linker", 1, 5, ("actors", "regular"), "carry on series"),
        MentionEdge("page", "series", "linker", 2, 5, ("title", "consists"), "carry on"),
        MentionEdge("page", "series", "title", 1, 5),
    }
    for seed in range(10):
        random.Random(seed).shuffle(mentions)
        row = ExpandEntitiesRow(entity="series", name="Carry On", degree=5, mentions=mentions)
        edges = _mentions([row])
        assert (len(edges), set(edges)) == (3, expected)
    once, both = MentionEdge("aside", "name", "linker", 1, 2), MentionEdge("aside", "name", "linker", 1, 2, key="other")
    others = MentionEdge("page", "name", "linker", 1, 2)
    alone = {hit.id: hit.score for hit in ranked([once, others], seeds={"name": 1.0})}
    twice = {hit.id: hit.score for hit in ranked([once, both, others], seeds={"name": 1.0})}
    assert alone["aside"] == pytest.approx(alone["page"])
    assert twice["aside"] > twice["page"]


def test_ties_go_by_id() -> None:
    edges = [MentionEdge(chunk, "name", "ner", 1, 3) for chunk in ("c", "a", "b")]
    assert [hit.id for hit in ranked(edges, seeds={"name": 1.0})] == ["a", "b", "c"]


def test_a_limit_gives_the_first_of_all_with_their_paths() -> None:
    every = ranked(MENTIONS, chunks={"far-page": 1.0})
    assert len(every) > 2
    assert ranked(MENTIONS, chunks={"far-page": 1.0}, limit=2) == every[:2]


def test_probabilities_sum_to_at_most_one() -> None:
    total = sum(hit.score for hit in ranked(MENTIONS, chunks={"far-page": 1.0}))
    assert 0 < total < 1


@pytest.mark.parametrize(("seeds", "chunks"), [({}, {}), ({"unknown": 1.0}, {})])
def test_nothing_known_gives_nothing(seeds: dict[str, float], chunks: dict[str, float]) -> None:
    assert ranked([], seeds=seeds, chunks=chunks) == []
    assert ranked(MENTIONS, seeds=seeds, chunks=chunks) == []


def test_pagerank_less_a_boost_lets_all_mentions_count_alike() -> None:
    assert constants(GraphProfile(), FusionWeights()) == GraphProfile()
    plain = constants(GraphProfile(), FusionWeights(without=frozenset({"titles", "context_words"})))
    edges = [MentionEdge("page", "name", "title", 1, 2), MentionEdge("aside", "name", "ner", 1, 2, ("directed",))]
    asked = {"seeds": {"name": 1.0}, "residual_terms": ["directed"]}
    by_title = {hit.id: hit.score for hit in ranked(edges, **asked)}
    alike = {
        hit.id: hit.score for hit in ranked([*edges, MentionEdge("page", "name", "ner", 1, 2)], profile=plain, **asked)
    }
    assert by_title["page"] > 2 * by_title["aside"]
    assert alike["page"] == pytest.approx(alike["aside"])
