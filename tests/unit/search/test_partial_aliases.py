"""Names that a question gives in part or misspelt."""

from typing import Any

import pytest

from interlace.domain.errors import InterlaceError, QueryRefusedError, UnavailableError
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ports.graph import Query, Row
from interlace.search.partial_aliases import find_partial, fit_within
from interlace.search.seeds import SeedMatch


@pytest.mark.parametrize(
    ("run", "name", "fit"),
    [
        ("halvorsen museum", "halvorsen museum", (0, 0)),
        ("halvorsen museum", "halvorsen museum of art", (0, 2)),
        ("halvorsen museum", "the old halvorsen museum of art", None),  # more other words than words
        ("halvorsen museum", "halvorsen city museum", None),  # not side by side
        ("museum halvorsen", "halvorsen museum", None),
        ("halvorson musum", "halvorsen museum", (2, 0)),
        ("halvorsun musum", "halvorsen museums", None),  # three letters off
        ("art yard", "art yord", (1, 0)),
        ("art yard", "arc yard", None),  # short words are as they are
        ("class 1911", "class 1912", None),
        ("reed reed", "reed", None),
    ],
)
def test_how_words_fit_within_a_name(run: str, name: str, fit: tuple[int, int] | None) -> None:
    assert fit_within(run.split(), name.split()) == fit


def row(search: str, name: str, degree: int = 1, *keys: str) -> Row:
    return {"search": search, "id": name, "name": name, "keys": list(keys), "degree": degree, "titled": False}


class Graph:
    """Answers every search with the same names."""

    def __init__(self, *names: tuple[str, int]) -> None:
        self.names = names
        self.searches: list[str] = []

    def run(self, query: Query, *, searches: list[str], **_: Any) -> list[Row]:
        assert query.name == "entities/partial_aliases"
        self.searches = searches
        return [row(search, *name) for search in searches for name in self.names]


def found(question: str, graph: Any, *matches: SeedMatch) -> list[tuple[str, str, float]]:
    made = find_partial(VisibleEntityCache(graph).view_at("acme", None), question, matches, timeout=1)
    return [(question[each.match.start : each.match.end], each.name, each.match.confidence) for each in made]


def test_the_nearest_names_count() -> None:
    graph = Graph(("Halvorsen Museum of Art", 3), ("Halvorsen Museum of War", 5), ("Halvorsen Museum Yard Club", 9))
    question = "Who founded the Halvorsen Museum?"
    two = [("Halvorsen Museum", name, 1.0) for name in ("Halvorsen Museum Yard Club", "Halvorsen Museum of War")]
    assert found(question, graph)[:2] == two
    graph.names += (("Halvorsen Museum Lund", 1),)
    assert found(question, graph) == [("Halvorsen Museum", "Halvorsen Museum Lund", 1.0)]
    assert graph.searches == [
        '+tenant:"acme" +(name:(+(halvorsen^2 halvorsen~2) +(museum^2 museum~1)) aliases:(+(halvorsen^2 halvorsen~2) +(museum^2 museum~1)))'
    ]


def test_a_misspelt_name_is_less_sure() -> None:
    assert found("Who was Mira Okafer?", Graph(("Mira Okafor", 2), ("Mira", 9))) == [
        ("Mira Okafer", "Mira Okafor", 0.5)
    ]


def test_nothing_is_sought_where_all_is_known() -> None:
    question = "Did Mira Okafor win in 1911 at The Yard?"
    known = [SeedMatch("m", 4, 15, 1), SeedMatch("y", 34, 38, 1)]
    assert question[4:15] == "Mira Okafor"
    assert found(question, object(), *known) == []


@pytest.mark.parametrize(
    "error", [UnavailableError("Neo4j does not answer"), QueryRefusedError("Neo4j ran out of the time given to it")]
)
def test_a_search_that_fails_or_is_late_finds_nothing(error: InterlaceError) -> None:
    class Slow:
        def run(self, *_: Any, **__: Any) -> list[Row]:
            raise error

    assert found("Who was Mira Okafor?", Slow()) == []


def test_names_that_no_chunk_mentions_start_no_pagerank() -> None:
    assert found("Who was Mira Okafor?", Graph(("Mira Okafor", 0))) == []
