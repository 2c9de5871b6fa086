"""Atlas notes: sections of known types, and the two ways to cut an atom."""

from pathlib import Path
from typing import Any

import pytest

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

NOTE = (Path(__file__).parents[3] / "fixtures" / "documents" / "leiden.md").read_text()


def parsed(text: str = NOTE, **metadata: Any) -> ParsedDocument:
    return parse(Source("a/leiden.md", "text/markdown", text.encode(), metadata), ParseLimits())


def test_a_note_is_cut_by_sections_unless_asked_otherwise() -> None:
    document = parsed()
    assert [(item.heading, item.section_type) for item in document.sections] == [
        ("", "body"),
        ("Usage", "Usage"),
        ("Notes on seeds", "Usage"),
        ("Weather", "Other"),
    ]
    assert document.metadata["atlas_id"] == "leiden-1"


@pytest.mark.parametrize(
    ("written", "found"),
    [("my plan", "my plan"), ("'c++'", "c++"), ("plan (2024)", "plan (2024)"), ("01.10", "01.10"), ("\n  a b", "a b")],
)
def test_an_id_in_front_matter_is_taken_whole(written: str, found: str) -> None:
    document = parsed(f"---\natlas_id: {written}\n---\n# T\n\nText.\n\n## Usage\n\nMore.\n")
    assert document.metadata["atlas_id"] == found
    assert document.sections[-1].section_type == "Usage"


@pytest.mark.parametrize("text", ["---\natlas_id:\ntitle: T\n---\nText.\n", "atlas_id:\n\nText.\n"])
def test_a_mark_without_an_id_is_none(text: str) -> None:
    assert not parsed(text).metadata.get("atlas_id")


def test_as_one_section_headings_become_lines_and_links_stay_at_their_words() -> None:
    document = parsed(atlas_strategy="atom")
    (section,) = document.sections
    assert (section.section_type, section.path, section.start, section.end) == ("atom", (), 0, len(document.text))
    assert document.text.split("\n\n")[1:] == [
        "Usage",
        "Call it with a seed.",
        "Notes on seeds",
        "Any number will do.",
        "Weather",
        "None.",
    ]
    assert [document.text[link.start : link.end] for link in document.links] == ["Louvain", "do"]


def test_front_matter_decides_over_the_caller() -> None:
    own = NOTE.replace("tags:", "atlas_strategy: atom\ntags:")
    assert len(parsed(own, atlas_strategy="section").sections) == 1
    with pytest.raises(ParseError, match="'whole'; use one of section, atom"):
        parsed(own.replace("atlas_strategy: atom", "atlas_strategy: whole"))


def test_without_an_id_a_note_is_an_atom_only_where_its_caller_says_so() -> None:
    plain = "# Title\n\nText.\n\n## Usage\n\nMore.\n"
    assert "atlas_id" not in parsed(plain).metadata
    by_section, whole = parsed(plain, atlas_strategy="section"), parsed(plain, atlas_strategy="atom")
    assert by_section.metadata["atlas_id"] == whole.metadata["atlas_id"] == "leiden"
    assert [item.section_type for item in by_section.sections] == ["body", "Usage"]
    assert [item.section_type for item in whole.sections] == ["atom"]


def test_only_markdown_becomes_an_atom() -> None:
    text = parse(Source("a.txt", "text/plain", b"Text.", {"atlas_strategy": "section"}), ParseLimits())
    assert "atlas_id" not in text.metadata
