"""How a question names documents and sections: in full, nearly so, and as a way through headings."""

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.filters import Condition, Filter
from interlace.queries.chunks import NamedSectionsRow
from interlace.search.legs.paths import PathLeg, _contained, _lucene, _path_score
from interlace.search.legs.protocol import Scope, SearchContext


@pytest.mark.parametrize(
    ("asked", "name", "exact", "fuzzy"),
    [
        ("where is crane manual", "crane manual", True, True),
        ("where is crane manuals", "crane manual", False, True),
        ("where is crnae manual", "crane manual", False, True),
        ("where is the harbour", "crane manual", False, False),
        ("crane", "crane manual", False, False),
        ("anything", "", False, False),
        ("cat", "car", False, False),
    ],
)
def test_a_name_stands_in_a_question(asked: str, name: str, exact: bool, fuzzy: bool) -> None:
    assert (_contained(asked, name, fuzzy=False) == 1.0) == exact
    assert bool(_contained(asked, name, fuzzy=True)) == fuzzy
    assert exact or _contained(asked, name, fuzzy=True) < 1.0


ROW = NamedSectionsRow(chunk="c", score=1.0, section="Install > Linux", title="Crane Manual", path="docs/crane.md")


@pytest.mark.parametrize(
    ("steps", "fuzzy", "score"),
    [
        (["crane manual", "install", "linux"], False, 1.0),
        (["crane", "linux"], False, 1.0),
        (["linux"], False, 1.0),
        (["crane manual", "install"], False, 0.9),
        (["crane manual"], False, 0.0),
        (["linux", "install"], False, 0.0),
        (["winch", "install"], False, 0.0),
        (["crane manual", "instal"], False, 0.0),
        (["crane manuel", "linnux"], True, pytest.approx(0.91, abs=0.03)),
    ],
)
def test_steps_lead_to_a_section(steps: list[str], fuzzy: bool, score: float) -> None:
    assert _path_score(steps, ROW, fuzzy=fuzzy) == score


def scope(where: Filter | None = None) -> Scope:
    return Scope("acme", "x", where, 10, 1.0)


def test_words_of_a_question_are_no_syntax_to_lucene() -> None:
    assert _lucene(scope(), "AND (OR) cat~9 ü*", fuzzy=False) == '+tenant:"acme" +terms:(9 and cat or u)'
    assert _lucene(scope(), "?!", fuzzy=False) is None
    assert _lucene(scope(), "to harbours 2024", fuzzy=True) == (
        '+tenant:"acme" +terms:(2024 (harbours^2 harbours~2) to)'
    )
    assert _lucene(scope(), "b a", fuzzy=False, all_words=True) == '+tenant:"acme" +terms:(+a +b)'


def test_a_filter_on_sections_confines_chunks_and_not_documents() -> None:
    assert scope().filter is None
    assert scope(Filter(must=(Condition("tags", "eq", "a"),))).filter == {
        "steps": [
            {"do": "test", "property": "tags", "operator": "in", "exact": ["a"]},
            {"do": "all", "of": 1},
        ],
        "chunks": False,
    }
    assert (scope(Filter(must_not=(Condition("section_type", "eq", "a"),))).filter or {})["chunks"]


LONG = "How the harbour of Aalborg was dredged and widened between the two great wars by"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Crane Manual", {"crane"}),
        ("The winter was long, and the ice stayed until April; what does the Crane Manual say?", {"crane"}),
        ("I have asked everybody in the office by now, and no one knows what rig-2 is about", {"rig"}),
        (f"Who wrote {LONG} Dutch engineers?", {"dutch"}),
        (f"Who wrote {LONG} Danish engineers?", set[str]()),
        ("The winter was long, and the ice stayed until April; what does the manual say?", set[str]()),
    ],
)
def test_the_whole_question_and_whole_titles_are_compared(question: str, found: set[str]) -> None:
    titles = {"crane": ("The Crane Manual", "a.md"), "rig": ("Rigging", "docs/rig_2.md")}
    titles |= {"dutch": (f"{LONG} Dutch engineers", "b.md"), "german": (f"{LONG} German engineers", "c.md")}
    graph = CollectingGraph(
        {
            "documents/named_documents": [
                {"document": name, "score": 1.0, "title": title, "path": path} for name, (title, path) in titles.items()
            ],
            "filters/first_chunks": lambda ids, **_: [{"document": each, "chunk": each} for each in ids],
        }
    )
    scope = Scope("acme", question, None, 10, 1.0)
    context = SearchContext(scope, None, None, path_strategies=("exact",))  # type: ignore[arg-type]
    assert {candidate.id for candidate in PathLeg(graph).search(context)} == found
