"""The keyword leg while the vector index is away: the graph's full-text index is asked instead, within the time that is left."""

import time
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.domain.filters import Condition, Filter
from interlace.search.legs.keyword import KeywordLeg
from interlace.search.legs.protocol import Scope, SearchContext

QUERY = "chunks/chunks_by_words"
ROWS = [
    {"chunk": "rare", "context": "Notes", "text": "Illness in Viborg.", "language": ""},
    {"chunk": "both", "context": "Notes", "text": "The painters were ill with a long illness.", "language": "en"},
    {"chunk": "title", "context": "Painter", "text": "Somebody was long away.", "language": ""},
    {"chunk": "common", "context": "Notes", "text": "The winter was long.", "language": ""},
    {"chunk": "none", "context": "Notes", "text": "Flour and water.", "language": ""},
]


class AbsentVectors:
    """Fails after some seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds

    def search(self, *_: object, **__: object) -> Any:
        time.sleep(self._seconds)
        raise UnavailableError("away")


def context(text: str, where: Filter | None = None, timeout: float = 60.0) -> SearchContext:
    return SearchContext(Scope("acme", text, where, 10, timeout), None, None)  # type: ignore[arg-type]


def test_words_stems_and_titles_count_by_their_rarity_and_the_leg_is_degraded() -> None:
    graph = CollectingGraph({QUERY: ROWS})
    asked = context("Which painter had a LONG illness?", Filter(must=(Condition("tags", "eq", "people"),)))
    found = KeywordLeg(graph, AbsentVectors()).search(asked)  # type: ignore[arg-type]
    assert [candidate.id for candidate in found] == ["both", "title", "rare", "common"]
    assert [candidate.score for candidate in found] == sorted((each.score for each in found), reverse=True)
    assert asked.degraded == ["keyword"]
    (params,) = graph.params_of(QUERY)
    assert params["search"] == '+tenant:"acme" +terms:(illness long painter)'
    assert (params["tenant"], params["limit"], params["filter"]) == ("acme", 10, asked.scope.filter)


def test_where_no_time_is_left_the_leg_fails() -> None:
    graph = CollectingGraph({QUERY: ROWS})
    with pytest.raises(UnavailableError, match="away"):
        KeywordLeg(graph, AbsentVectors(0.02)).search(context("painter", timeout=0.01))  # type: ignore[arg-type]
    assert graph.ran == []


def test_a_graph_that_is_away_too_fails_the_leg() -> None:
    graph = CollectingGraph({QUERY: UnavailableError("the graph as well")})
    with pytest.raises(UnavailableError, match="as well"):
        KeywordLeg(graph, AbsentVectors()).search(context("painter"))  # type: ignore[arg-type]


def test_words_that_ask_nothing_are_not_searched() -> None:
    graph = CollectingGraph({QUERY: ROWS})
    assert KeywordLeg(graph, AbsentVectors()).search(context("Which was the?")) == []  # type: ignore[arg-type]
    assert graph.ran == []
