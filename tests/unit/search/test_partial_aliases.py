"""Names that a question gives in part or misspelt."""

from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import InterlaceError, QueryRefusedError, UnavailableError
from interlace.domain.reader import reading
from interlace.entities.visible_cache import VisibleEntityCache
from interlace.ports.graph import Row
from interlace.search.partial_aliases import find_partial, fit_within
from interlace.search.seeds import SeedMatch

ALIASES = "gazetteer/partial_aliases"


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
    kind = "Place" if "Yard" in name else "Person"
    fields = {"name": name, "type": kind, "keys": list(keys), "degree": degree, "titled": False}
    return {"search": search, "id": name, **fields}


def graph_of(*names: tuple[str, int]) -> CollectingGraph:
    """Return a graph that answers every search with these names."""

    def rows(*, searches: list[str], **_: Any) -> list[Row]:
        return [row(search, *name) for search in searches for name in names]

    return CollectingGraph({ALIASES: rows})


def searches(graph: CollectingGraph) -> list[list[str]]:
    return [params["searches"] for params in graph.params_of(ALIASES)]


def found(question: str, graph: Any, *matches: SeedMatch) -> list[tuple[str, str, float]]:
    made = find_partial(VisibleEntityCache(graph).view_at("acme", None), question, matches, timeout=1)
    return [(question[each.match.start : each.match.end], each.name, each.match.confidence) for each in made]


def test_the_nearest_names_count() -> None:
    names = (("Halvorsen Museum of Art", 3), ("Halvorsen Museum of War", 5), ("Halvorsen Museum Yard Club", 9))
    question = "Who founded the Halvorsen Museum?"
    two = [("Halvorsen Museum", name, 1.0) for name in ("Halvorsen Museum Yard Club", "Halvorsen Museum of War")]
    assert found(question, graph_of(*names))[:2] == two
    graph = graph_of(*names, ("Halvorsen Museum Lund", 1))
    assert found(question, graph) == [("Halvorsen Museum", "Halvorsen Museum Lund", 1.0)]
    words = "(+(halvorsen^2 halvorsen~2) +(museum^2 museum~1))"
    assert searches(graph) == [[f'+tenant:"acme" +(name:{words} aliases:{words})']]


def test_a_misspelt_name_is_less_sure() -> None:
    assert found("Who was Mira Okafer?", graph_of(("Mira Okafor", 2), ("Mira", 9))) == [
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
    assert found("Who was Mira Okafor?", CollectingGraph({ALIASES: error})) == []


def test_what_a_reader_of_groups_may_know_of_the_names_is_bounded_too() -> None:
    graph = graph_of(("Mira Okafor", 2))
    with reading(lambda: ("press",)):
        assert found("Who was Mira Okafor?", graph) == []
    assert graph.timeouts == {ALIASES: 1, "visibility/visible_evidence": 1}


def test_names_that_no_chunk_mentions_start_no_pagerank() -> None:
    assert found("Who was Mira Okafor?", graph_of(("Mira Okafor", 0))) == []


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What does Mira need a bracket for?", "Mira"),
        ("What did Okafor's committee decide?", "Okafor"),
        ("which loan did Okafor sign", "Okafor"),
    ],
)
def test_where_nothing_else_is_named_people_are_known_by_one_of_their_names(question: str, word: str) -> None:
    graph = graph_of(("Mira Okafor", 2), ("Mira Yard", 4), ("Mira", 9), ("Ada Mira Okafor Lund", 3))
    expected = [(word, "Mira Okafor", 1.0)]
    assert found(question, graph) == expected
    assert searches(graph) == [[f'+tenant:"acme" +(name:(+{word.lower()}) aliases:(+{word.lower()}))']]
    assert found(question, graph, SeedMatch("m", 0, 4, 1)) == []


def test_a_run_that_is_one_word_without_its_article_still_names_anything() -> None:
    assert found("Who owns The Cleaver?", graph_of(("Cleaver Yard", 2))) == [("The Cleaver", "Cleaver Yard", 1.0)]


def test_a_first_name_of_many_means_no_one() -> None:
    people = [(f"Mira {surname}", 1) for surname in ("Adler", "Berg", "Cole", "Dahl")]
    assert len(found("What does Mira need?", graph_of(*people[:3]))) == 3
    assert found("What does Mira need?", graph_of(*people)) == []


@pytest.mark.parametrize("question", ["Mira needs what?", "what does mira need", "What does THE Mira Okafor need?"])
def test_a_word_is_no_name_where_any_would_be_capitalised_or_none_is(question: str) -> None:
    assert ("Mira", "Mira Okafor", 1.0) not in found(question, graph_of(("Mira Okafor", 2)))
