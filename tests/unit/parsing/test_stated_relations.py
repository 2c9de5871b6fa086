"""Relations in front matter become lines of the text."""

from typing import Any

import pytest

from interlace.domain.documents import Source
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.stated_relations import relation_lines


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"uses": ["Redis", "[[Neo4j#product]]"]}, ["Uses: [[Redis]], [[Neo4j#product]]."]),
        ({"see_also": "Tide, Anchor, Tide"}, ["See also: [[Tide]], [[Anchor]]."]),
        ({"related": [["Tide"]], "part-of": "Harbour"}, ["Related: [[Tide]].", "Part of: [[Harbour]]."]),
        ({"title": "x", "author": "Ada", "related": True, "uses": 3, "contains": {"a": 1}}, []),
        ({"related": ["docs/a.md", "https://x.org", "C# and F#", "]]", ""]}, []),
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
