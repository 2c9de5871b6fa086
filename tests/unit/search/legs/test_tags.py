"""Which tags a question names: as they are stored, in lower case with accents and signs, and however many words they have."""

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.search.intent import analyse
from interlace.search.legs.protocol import Scope, SearchContext
from interlace.search.legs.tags import TagLeg


def looked_up(question: str) -> tuple[list[str], int]:
    """Return the tags that the leg looks up, and how many the question names."""
    graph = CollectingGraph()
    scope = Scope("acme", question, None, 10, 1.0)
    context = SearchContext(scope, None, None, keywords=analyse(question).keywords)  # type: ignore[arg-type]
    assert TagLeg(graph, 100).search(context) == []
    (params,) = graph.params_of("documents/tagged_documents")
    return params["tags"], params["asked"]


@pytest.mark.parametrize(
    ("question", "tag"),
    [
        ("Where is the Übersicht?", "übersicht"),
        ("Where is the U\u0308bersicht?", "übersicht"),
        ("Wie lang ist die Straße", "straße"),
        ("my résumé.", "résumé"),
        ("my résumé.", "resume"),
        ("l'hôtel à Lyon", "hôtel"),
        ("Kleider nach Größe und Farbe", "größe-und-farbe"),
        ("機械学習とは何ですか", "機械学習"),
        ("What uses Node.js?", "node.js"),
        ("Is it in (C++)?", "c++"),
        ("Notes on C#, please", "c#"),
        ("notes on #c#", "c#"),
        ("notes on #C++.", "c++"),
        ("notes on #v2.0", "v2.0"),
        ("What changed in v2.0?", "v2.0"),
        ("the .NET notes", ".net"),
        ("all about lang/python", "lang/python"),
        ("all about #Lang/Größe/", "lang/größe"),
        ("what is the state of the art here", "state-of-the-art"),
        ("what is the state of the art here", "state_of_the_art"),
        ("one two three four five", "one two three four five"),
        ("machine learning", "machine-learning"),
        ("is machine-learning fun", "machine_learning"),
    ],
)
def test_a_tag_is_looked_up_as_it_is_stored(question: str, tag: str) -> None:
    assert tag in looked_up(question)[0]


def test_plain_function_words_are_no_tags_and_only_what_is_named_counts() -> None:
    tags, asked = looked_up("Where is the #harbour (or the ferry)?")
    assert {"the", "or", "is", "where", ""}.isdisjoint(tags)
    assert asked == len({"harbour", "ferry"})


def test_the_longest_questions_look_up_some_hundred_tags() -> None:
    assert len(looked_up(" ".join(f"word{n}" for n in range(300)))[0]) < 2_000
