"""The policy: which legs run, when the graph alone is enough, and what the reason says."""

from dataclasses import replace
from typing import Any

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import LEGS, LegName, Mode, QueryRequest, Signal
from interlace.domain.policy import RetrievalPolicy
from interlace.search.confidence import overlap
from interlace.search.plan import (
    GraphEvidence,
    escalate,
    plan,
    reason,
    surely_embeds,
    triggers,
    with_policy,
)
from interlace.search.seeds import SeedMatch, find_seeds
from interlace.settings_objects import DefaultPolicy

ALL = DefaultPolicy()
FIRST = DefaultPolicy(first="graph")
QUESTION = "Whom did Orla Venning marry?"
SEEDS = find_seeds(QUESTION, [SeedMatch("e", 9, 21, 3)], total_chunks=100)
WITHOUT_GRAPH = tuple(leg for leg in LEGS if leg != "graph")
OF_TEXT = tuple(leg for leg in WITHOUT_GRAPH if leg != "community")
NAMELESS = find_seeds("how to paint boats", [], total_chunks=100)
SURE = GraphEvidence(hits=40, top=0.2, coverage=0.9)


@pytest.mark.parametrize(
    ("mode", "legs"),
    [
        ("auto", LEGS),
        ("hybrid", LEGS),
        ("graph_only", ("graph",)),
        ("vector_only", ("vector",)),
        ("keyword_only", ("keyword",)),
        ("metadata_only", ("tags", "paths")),
    ],
)
def test_a_mode_says_which_legs_run(mode: Mode, legs: tuple[LegName, ...]) -> None:
    found = plan(QueryRequest(QUESTION, mode), SEEDS, ALL, embeddings=True)
    assert (found.mode, found.legs, found.fallback) == ("hybrid" if mode == "auto" else mode, legs, ())
    assert found.compared == (len(legs) > 1 and "vector" in legs)


def test_without_embeddings_there_is_neither_dense_leg_nor_comparison() -> None:
    found = plan(QueryRequest(QUESTION), SEEDS, ALL, embeddings=False)
    assert "vector" not in found.legs
    assert not found.compared


def test_what_is_left_out_does_not_run_and_the_rest_is_as_it_was() -> None:
    request = QueryRequest(QUESTION, without=frozenset({"vector", "titles"}))
    found = plan(request, SEEDS, ALL, embeddings=True)
    assert found.legs == tuple(leg for leg in LEGS if leg != "vector")
    assert found.compared, "leaving out the dense leg leaves the comparison"
    assert "Left out: titles, vector." in reason(found, request, SEEDS, ("graph",))


@pytest.mark.parametrize("policy", [ALL, FIRST])
@pytest.mark.parametrize("without", [(), ("graph",), ("vector",), ("vector", "community")])
@pytest.mark.parametrize("legs", [None, ("graph", "tags"), ("community",), ("graph", "vector")])
@pytest.mark.parametrize("mode", ["auto", "hybrid", "graph_only", "vector_only", "keyword_only", "metadata_only"])
def test_a_question_is_embedded_before_its_entities_are_linked_exactly_where_every_plan_asks_with_its_vector(
    mode: Mode, legs: tuple[LegName, ...] | None, without: tuple[Signal, ...], policy: DefaultPolicy
) -> None:
    request = QueryRequest(QUESTION, mode, legs=legs, without=frozenset(without))
    plans = [plan(request, seeds, policy, embeddings=True) for seeds in (SEEDS, NAMELESS)]
    assert surely_embeds(request, policy) == all({"vector", "community"} & set(each.legs) for each in plans)


def test_chosen_legs_are_the_reason() -> None:
    request = QueryRequest(QUESTION, legs=("graph", "tags"))
    found = plan(request, SEEDS, FIRST, embeddings=True)
    assert (found.legs, found.fallback) == (("graph", "tags"), ())
    assert reason(found, request, SEEDS, ("graph",)) == "The caller chose graph, tags."


def test_auto_tries_the_graph_first_and_stays_with_it_when_it_is_enough() -> None:
    request = QueryRequest(QUESTION)
    first = plan(request, SEEDS, FIRST, embeddings=True)
    assert (first.mode, first.legs, first.fallback) == ("graph_only", ("graph",), LEGS)
    stays = escalate(first, SURE, FIRST)
    assert (stays.mode, stays.legs) == ("graph_only", ("graph",))
    assert "no other leg ran" in reason(stays, request, SEEDS, ("graph",))


@pytest.mark.parametrize(
    ("evidence", "clause"),
    [
        (replace(SURE, hits=9), "The graph reached 9 chunks, fewer than 10"),
        (replace(SURE, top=0.019), "Its best chunk has 0.019, less than 0.02"),
        (replace(SURE, coverage=0.2), "Different documents make 20% of its first hits, less than 30%"),
    ],
)
def test_each_trigger_escalates_and_is_named(evidence: GraphEvidence, clause: str) -> None:
    request = QueryRequest(QUESTION)
    found = escalate(plan(request, SEEDS, FIRST, embeddings=True), evidence, FIRST)
    assert (found.mode, found.legs) == ("hybrid", LEGS)
    assert found.why == f"{clause}, so all legs answered."


@pytest.mark.parametrize(
    ("policy", "evidence", "mode"),
    [
        (RetrievalPolicy(first="graph"), SURE, "graph_only"),
        (RetrievalPolicy(first="graph", min_graph_hits=41), SURE, "hybrid"),
        (RetrievalPolicy(first="graph", min_graph_score=0.3), SURE, "hybrid"),
        (RetrievalPolicy(first="graph", min_source_coverage=1.0), SURE, "hybrid"),
        (RetrievalPolicy(first="graph", min_graph_hits=1), replace(SURE, hits=2), "graph_only"),
    ],
)
def test_a_question_brings_its_own_policy(policy: RetrievalPolicy, evidence: GraphEvidence, mode: Mode) -> None:
    changed = with_policy(ALL, policy)
    first = plan(QueryRequest(QUESTION, policy=policy), SEEDS, changed, embeddings=True)
    assert (first.legs, first.fallback) == (("graph",), LEGS)
    assert escalate(first, evidence, changed).mode == mode


def test_a_question_may_want_all_legs_at_once_or_call_itself_abstract() -> None:
    together = with_policy(FIRST, RetrievalPolicy(first="all"))
    assert plan(QueryRequest(QUESTION), SEEDS, together, embeddings=True).legs == LEGS
    strict = with_policy(FIRST, RetrievalPolicy(min_overlap=1.0))
    assert "less than 100%" in plan(QueryRequest(QUESTION), SEEDS, strict, embeddings=True).why
    assert with_policy(FIRST, None) is FIRST


@pytest.mark.parametrize(
    "values",
    [
        {"min_graph_hits": -1},
        {"min_graph_hits": 1001},
        {"min_graph_score": 1.1},
        {"min_source_coverage": float("nan")},
        {"min_overlap": float("inf")},
        {"first": "vectors"},
    ],
)
def test_a_senseless_policy_is_refused_by_name(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError, match=f"policy.{next(iter(values))}"):
        RetrievalPolicy(**values)


def test_at_a_trigger_the_graph_is_still_enough() -> None:
    assert triggers(GraphEvidence(10, 0.02, 0.3), FIRST) == []


def test_abstract_questions_are_not_tried_on_the_graph_alone() -> None:
    nameless = plan(QueryRequest("how to paint boats"), NAMELESS, FIRST, embeddings=True)
    assert (nameless.legs, nameless.fallback) == (OF_TEXT, ())
    assert "no entity that the graph knows" in nameless.why
    long = "Whom did Orla Venning marry after years of painting boats along northern coasts?"
    seeds = find_seeds(long, [SeedMatch("e", 9, 21, 3)], total_chunks=100)
    assert overlap(long, seeds) == pytest.approx(2 / 9)
    assert "22% of the question's words name" in plan(QueryRequest(long), seeds, FIRST, embeddings=True).why


@pytest.mark.parametrize(
    ("request_", "legs"),
    [
        (QueryRequest("how to paint boats"), OF_TEXT),
        (QueryRequest("how to paint boats", "hybrid"), WITHOUT_GRAPH),
        (QueryRequest("how to paint boats", legs=("graph", "tags")), ("tags",)),
        (QueryRequest("how to paint boats", legs=("community", "tags")), ("community", "tags")),
        (QueryRequest("how to paint boats", "graph_only"), ("graph",)),
        (QueryRequest("how to paint boats", legs=("graph",)), ("graph",)),
    ],
)
def test_where_no_entity_is_found_pagerank_and_communities_run_only_if_they_are_asked_for(
    request_: QueryRequest, legs: tuple[LegName, ...]
) -> None:
    assert plan(request_, NAMELESS, ALL, embeddings=True).legs == legs


def test_without_the_graph_there_is_nothing_to_try_first() -> None:
    found = plan(QueryRequest(QUESTION, without=frozenset({"graph"})), SEEDS, FIRST, embeddings=True)
    assert (found.mode, found.fallback) == ("hybrid", ())


def test_by_default_the_entities_and_the_legs_that_answered_are_the_reason() -> None:
    found = plan(QueryRequest(QUESTION), SEEDS, ALL, embeddings=True)
    assert reason(found, QueryRequest(QUESTION), SEEDS, ("graph", "vector")) == (
        "The question names 1 known entity; graph, vector answered and PageRank decides."
    )
    assert "no entity" in reason(found, QueryRequest("how"), NAMELESS, ())
