"""Optional boosts: what each is made of, what it adds, and that a question asks for it or leaves it out."""

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import BoostName, QueryRequest
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.queries.chunks import CandidateDocumentsRow
from interlace.search.boosts import NO_BOOSTS, BoostReader, Boosts, degrees, direct_matches, freshness
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.confidence import Confidence
from interlace.search.execution import Run, TaskPool
from interlace.search.intent import analyse
from interlace.search.legs.protocol import Scope
from interlace.search.linking import LinkedEntities
from interlace.search.plan import Plan
from interlace.search.profile import PROFILE
from interlace.search.rerank import RerankEvidence, rank
from interlace.search.retrieve import Retrieved
from interlace.search.seeds import SeedMatch, find_seeds
from interlace.search.understand import UnderstoodQuery
from interlace.search.weights import FusionWeights

NOW = datetime(2026, 5, 31, tzinfo=UTC)
PLAIN = FusionWeights()
TEXT = "Whom did Orla Venning marry?"
LISTS = {
    "keyword": [Candidate("a", 8.0), Candidate("b", 2.0)],
    "paths": [Candidate("b", 0.9), Candidate("c", 1.0)],
    "vector": [Candidate("d", 0.7)],
}
ROWS: list[dict[str, Any]] = [
    {"chunk": "a", "date": "2026-05-31T00:00:00.000000Z", "incoming": 1, "outgoing": 0},
    {"chunk": "b", "date": "2026-05-01T00:00:00.000000Z", "incoming": 2, "outgoing": 0},
    {"chunk": "c", "date": None, "incoming": 0, "outgoing": 0},
    {"chunk": "d", "date": "2026-04-01T00:00:00.000000Z", "incoming": 9, "outgoing": 9},
]


def understood(weights: FusionWeights, text: str, **asked: Any) -> UnderstoodQuery:
    seeds = find_seeds(text, [SeedMatch("e", 9, 21, 3)], total_chunks=100)
    request = QueryRequest(text, without=weights.without, **asked)
    scope = Scope("acme", text, None, 10, 1.0)
    graph = CollectingGraph()
    entities = LinkedEntities(seeds, {}, VisibleEntityCache(graph).view_at("acme", None))
    return UnderstoodQuery(request, entities, analyse(text), weights, scope, None, None)


def read(
    graph: CollectingGraph,
    weights: FusionWeights = PLAIN,
    days: float | None = None,
    text: str = TEXT,
    doubt: float = 0.0,
    most_doubt: float | None = None,
    **asked: Any,
) -> Boosts:
    pool = TaskPool(2, "test")
    try:
        found = Retrieved(Plan("hybrid", ("keyword",), compared=False), LISTS, None, None, {})
        reader, run, query = (
            BoostReader(graph, PROFILE, days, lambda: NOW),
            Run(pool, 5.0),
            understood(weights, text, **asked),
        )
        reads = reader.start(run, query, found, ["a", "b", "c", "d"], doubt if most_doubt is None else most_doubt)
        return reader.finish(run, query, found, reads, doubt)
    finally:
        pool.close()


def prepared() -> CollectingGraph:
    related: list[dict[str, Any]] = [{"chunk": "b", "hops": 1}, {"chunk": "d", "hops": 2}]
    return CollectingGraph({"chunks/candidate_documents": ROWS, "expansion/related_chunks": related})


def rows() -> dict[str, CandidateDocumentsRow]:
    return {row.chunk: row for row in (CandidateDocumentsRow(**row) for row in ROWS)}


def test_a_match_is_direct_by_title_or_by_words() -> None:
    assert direct_matches(LISTS) == {"a": 1.0, "b": 0.9, "c": 1.0}
    assert direct_matches({}) == {}


def test_the_degree_is_two_in_and_one_out_as_a_share_of_the_highest_among_direct_matches() -> None:
    assert degrees({"a": 1.0, "b": 0.5}, rows(), PROFILE) == {"a": 0.5, "b": 0.5}
    assert degrees({"c": 1.0}, rows(), PROFILE) == {}


def test_freshness_halves_with_each_half_life() -> None:
    found = freshness(rows(), 30.0, NOW)
    assert found == {"a": 1.0, "b": pytest.approx(0.5), "d": pytest.approx(0.25)}
    assert freshness(rows(), 30.0, datetime(2026, 1, 1, tzinfo=UTC))["a"] == 1.0


def test_nothing_is_read_unless_a_question_or_the_settings_ask() -> None:
    graph = prepared()
    assert read(graph) == NO_BOOSTS
    assert graph.ran == []


def test_a_question_asks_for_boosts() -> None:
    graph = prepared()
    found = read(graph, FusionWeights(entity=2.0, proximity=1.5), boosts=frozenset({"entity", "precision", "degree"}))
    assert found.values["entity"] == {"b": 1.0, "d": 0.5}
    assert found.terms("b") == {
        "entity": pytest.approx(math.log(1 + 2.0 * 1.0)),
        "precision": pytest.approx(math.log(1 + 0.5 * 1.5 * 0.9)),
        "degree": pytest.approx(math.log(1 + 0.9)),
    }
    assert found.figures("d") == {"relatedness": 0.5}
    (related,) = graph.params_of("expansion/related_chunks")
    assert (related["seeds"], related["chunks"]) == (["e"], ["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("days", "asked", "value"),
    [(30.0, {}, 0.5), (None, {"recency_days": 15.0}, 0.25), (1.0, {"recency_days": 30.0}, 0.5)],
)
def test_recency_counts_by_the_settings_or_the_question(
    days: float | None, asked: Mapping[str, Any], value: float
) -> None:
    assert read(prepared(), days=days, **asked).values == {
        "recency": {"a": 1.0, "b": pytest.approx(value), "d": pytest.approx(value**2)}
    }


@pytest.mark.parametrize("boost", ["entity", "precision", "degree", "recency"])
def test_what_is_left_out_has_no_part(boost: BoostName) -> None:
    everything: Any = frozenset({"entity", "precision", "degree"})
    found = read(prepared(), FusionWeights(without=frozenset({boost})), boosts=everything, recency_days=30.0)
    assert found.values.keys() == {"entity", "precision", "degree", "recency"} - {boost}


def test_a_time_in_the_question_counts_unasked() -> None:
    times: list[dict[str, Any]] = [
        {"chunk": "a", "title": "Orla and Ben, 7:33 pm on 23 May, 2022", "section": "", "created": None, "text": ""},
        {"chunk": "b", "title": "Minutes", "section": "Minutes > 14 June 2022", "created": None, "text": "On 2 June."},
        {"chunk": "c", "title": "Minutes", "section": "", "created": "2021-05-31T08:00:00.000000Z", "text": "In 2022."},
        {"chunk": "d", "title": "The year 2022", "section": "", "created": None, "text": "They met on 3 May 2022."},
    ]
    graph = CollectingGraph({"chunks/candidate_titles": times})
    found = read(graph, text="Whom did Orla Venning meet in May 2022?")
    in_text = PROFILE.rerank.dates_in_text
    assert found.values == {"dates": {"a": 1.0, "b": pytest.approx(0.25), "d": in_text}}
    assert found.terms("a") == {"dates": pytest.approx(math.log1p(PROFILE.rerank.dates))}
    assert found.figures("b") == {"date": pytest.approx(0.25)}
    assert read(graph, FusionWeights(without=frozenset({"dates"})), text="In May 2022?") == NO_BOOSTS
    assert [each["texts"] for each in graph.params_of("chunks/candidate_titles")] == [True]


def test_where_the_graph_is_doubted_titles_count_unasked() -> None:
    titles = [("a", "Orla and Ben"), ("b", "Orla and Tom"), ("c", "Ben and Tom"), ("d", "Orla Venning, Ben and Tom")]
    rows: list[dict[str, Any]] = [
        {"chunk": c, "title": t, "section": "", "created": None, "text": None} for c, t in titles
    ]
    found = read(CollectingGraph({"chunks/candidate_titles": rows}), doubt=0.75)
    shares = found.values["title_words"]
    assert shares.keys() == {"a", "b", "d"}
    assert (shares["d"], shares["a"]) == (1.0, shares["b"])
    assert 0 < shares["a"] < 0.5, "the surname tells the titles apart, the first name does not"
    assert found.terms("d")["title_words"] == pytest.approx(math.log1p(PROFILE.rerank.title_words * 0.5))
    assert found.figures("d") == {"title": 1.0}
    left_out = FusionWeights(without=frozenset({"title_words"}))
    graph = CollectingGraph({"chunks/candidate_titles": rows})
    assert read(graph, left_out, doubt=1.0) == read(graph, doubt=0.5) == NO_BOOSTS
    assert graph.ran == []
    assert read(graph, doubt=0.5, most_doubt=1.0) == NO_BOOSTS, "titles were read for nothing"
    assert [each["texts"] for each in graph.params_of("chunks/candidate_titles")] == [False]
    assert read(graph, doubt=0.75, most_doubt=1.0) == found


def test_a_boost_moves_a_candidate_and_is_one_of_its_terms() -> None:
    fused = [FusedCandidate("a", 0.02, {}), FusedCandidate("b", 0.019, {})]
    evidence = RerankEvidence(FusionWeights(), Confidence(1.0, 0.3), {}, linked=False)
    assert [each.id for each in rank(fused, evidence)] == ["a", "b"]
    boosted = replace(evidence, boosts=Boosts({"recency": {"b": 1.0}}, {"recency": 1.0}))
    first, second = rank(fused, boosted)
    assert (first.id, first.features.boosts, first.figures["freshness"]) == ("b", {"recency": math.log(2)}, 1.0)
    assert second.features.boosts == {"recency": 0.0}


@pytest.mark.parametrize("days", [0.0, -1.0, math.nan, math.inf, 40_000.0])
def test_a_senseless_half_life_is_refused_by_name(days: float) -> None:
    with pytest.raises(InvalidInputError, match="recency_days"):
        QueryRequest("x", recency_days=days)
