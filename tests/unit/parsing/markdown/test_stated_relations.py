"""Relations in front matter become lines of the text."""

from typing import Any

import pytest

from interlace.domain.documents import Source
from interlace.parsing.markdown.stated_relations import relation_lines
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"uses": ["Redis", "[[Neo4j#product]]"]}, ["Uses: [[Redis]], [[Neo4j#product]]."]),
        ({"see_also": "Tide, Anchor, Tide"}, ["See also: [[Tide]], [[Anchor]]."]),
        ({"related": [["Tide"]], "part-of": "Harbour"}, ["Related: [[Tide]].", "Part of: [[Harbour]]."]),
        (
            {"uses": "Redis, [[Smith, John]], [[Tide#Low|tides]]"},
            ["Uses: [[Redis]], [[Smith, John]], [[Tide#Low|tides]]."],
        ),
        ({"related": ["[[projects/Boat/Plan]]"]}, ["Related: [[projects/Boat/Plan]]."]),
        ({"title": "x", "author": "Ada", "related": True, "uses": 3, "contains": {"a": 1}}, []),
        ({"related": ["docs/a.md", "https://x.org", "C# and F#", "]]", "", "see [[Tide]]", "[[|a]]"]}, []),
    ],
)
def test_keys_that_state_a_relation_give_a_line(values: dict[str, Any], lines: list[str]) -> None:
    assert list(relation_lines(values)) == lines


def test_the_lines_are_a_section_at_the_end_and_their_names_are_references() -> None:
    text = b"---\nuses: [Redis, '[[Tide#tool]]']\n---\n# Gauge\n\nMeasures.\n"
    document = parse(Source("gauge.md", "text/markdown", text, {}), ParseLimits())
    assert document.title == "Gauge"
    assert document.text == "Measures.\n\nUses: Redis, Tide."
    assert [section.heading for section in document.sections] == ["", "Relations"]
    assert [(link.kind, link.target, link.anchor) for link in document.links] == [
        ("wikilink", "Redis", ""),
        ("typed", "Tide", "tool"),
    ]


def test_wiki_links_at_any_other_key_are_links_without_words_in_the_text() -> None:
    text = b"---\nup: '[[Index#Top|start]]'\nuses: '[[Redis]]'\nsources: [x, 'See [[a/Log]], [[Moon]]']\n---\n# Gauge\n\nMeasures.\n"
    document = parse(Source("gauge.md", "text/markdown", text, {}), ParseLimits())
    assert document.text == "Measures.\n\nUses: Redis."
    assert [(link.target, link.anchor, link.text, link.end - link.start) for link in document.links] == [
        ("Redis", "", "Redis", 5),
        ("Index", "Top", "start", 0),
        ("a/Log", "", "a/Log", 0),
        ("Moon", "", "Moon", 0),
    ]
