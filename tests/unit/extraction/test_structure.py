"""References that the author marked."""

from dataclasses import replace

import pytest

from interlace.domain.documents import Chunk, DocumentLink, ParsedDocument, Section
from interlace.extraction.structure import extract_structure

TEXT = "Notes. Metropolis was made by Lang in Berlin. See Films."


def link(kind: str, target: str, anchor: str, text: str) -> DocumentLink:
    start = TEXT.index(text)
    return DocumentLink(kind, target, anchor, text, start, start + len(text))


def document(*links: DocumentLink) -> ParsedDocument:
    section = Section("", (), 0, 0, 0, len(TEXT))
    return ParsedDocument("Metropolis notes", TEXT, (section,), links=links)


def chunk(start: int = 7, end: int = 45) -> Chunk:
    return Chunk("c", "d", ("Metropolis notes",), 0, 0, TEXT[start:end], start, end, 9)


def test_a_typed_reference_is_a_typed_mention_and_what_the_document_is_about() -> None:
    found = extract_structure(document(link("typed", "Fritz Lang", "person", "Lang")), chunk())
    (mention,) = found.mentions
    assert (mention.surface, mention.type, mention.via, mention.confidence) == ("Lang", "Person", "link", 1.0)
    assert chunk().text[mention.start : mention.end] == "Lang"
    assert [(fact.subject, fact.predicate, fact.object) for fact in found.facts] == [
        ("Metropolis notes", "ABOUT", "Lang")
    ]


def test_unknown_types_become_other() -> None:
    found = extract_structure(document(link("typed", "Lang", "wizard", "Lang")), chunk())
    assert [mention.type for mention in found.mentions] == ["Other"]


@pytest.mark.parametrize(("target", "named"), [("Berlin", True), ("places/Berlin.md", True), ("capital", False)])
def test_a_wiki_link_is_a_name_if_it_shows_its_target(target: str, named: bool) -> None:
    found = extract_structure(document(link("wikilink", target, "", "Berlin")), chunk())
    assert [mention.surface for mention in found.mentions] == (["Berlin"] if named else [])
    assert not found.facts


def test_links_outside_the_chunk_and_plain_links_are_left_out() -> None:
    links = (link("wikilink", "Films", "", "Films"), link("markdown", "Berlin", "", "Berlin"))
    assert not extract_structure(document(*links), chunk()).mentions


def stated(text: str, path: tuple[str, ...], *links: DocumentLink) -> list[tuple[str, str, str]]:
    section = Section(path[-1] if path else "", path, len(path), 0, 0, len(text))
    note = ParsedDocument("Gauge", text, (section,), links=links)
    found = extract_structure(note, Chunk("c", "d", ("Gauge", *path), 0, 0, text, 0, len(text), 9))
    return [(fact.subject, fact.predicate, fact.object) for fact in found.facts]


def reference(text: str, name: str, kind: str = "wikilink", anchor: str = "") -> DocumentLink:
    start = text.index(name)
    return DocumentLink(kind, name, anchor, name, start, start + len(name))


@pytest.mark.parametrize(
    ("path", "relation"),
    [
        (("Uses",), ("Gauge", "USES", "Redis")),
        (("Setup", "Depends on:"), ("Gauge", "USES", "Redis")),
        (("Part of",), ("Redis", "CONTAINS", "Gauge")),
        (("See also", "Elsewhere"), ("Gauge", "RELATED_TO", "Redis")),
        (("Documentation",), ("Gauge", "DOCUMENTED_IN", "Redis")),
    ],
)
def test_a_heading_states_how_its_document_and_the_names_below_are_related(
    path: tuple[str, ...], relation: tuple[str, str, str]
) -> None:
    text = "It runs with Redis."
    assert stated(text, path, reference(text, "Redis")) == [relation]
    assert stated(text, ("Weather",), reference(text, "Redis")) == []


def test_a_line_says_it_before_a_heading_does() -> None:
    text = "Used by: Harbour.\nTide is next."
    links = (reference(text, "Harbour"), reference(text, "Tide"))
    assert stated(text, ("Related",), *links) == [("Harbour", "USES", "Gauge"), ("Gauge", "RELATED_TO", "Tide")]


@pytest.mark.parametrize(
    ("target", "shown", "facts"),
    [
        ("Moon", "our satellite", [("Gauge", "RELATED_TO", "Moon")]),
        ("sky/Moon.md", "sky/Moon.md", [("Gauge", "RELATED_TO", "Moon")]),
        ("atlas:moon", "our satellite", []),
        ("https://x.org/moon", "our satellite", []),
        ("", "our satellite", []),
    ],
)
def test_a_stated_relation_is_to_the_target_of_a_wiki_link_whatever_words_it_shows(
    target: str, shown: str, facts: list[tuple[str, str, str]]
) -> None:
    text = f"See also: {shown}."
    marked = replace(reference(text, shown), target=target)
    assert stated(text, (), marked) == facts
    section = Section("", (), 0, 0, 0, len(text))
    note = ParsedDocument("Gauge", text, (section,), links=(marked,))
    found = extract_structure(note, Chunk("c", "d", ("Gauge",), 0, 0, text, 0, len(text), 9))
    assert [(mention.surface, mention.meant) for mention in found.mentions] == [(shown, "Moon")] * len(facts)


def test_a_typed_reference_to_a_tool_is_documented_in_its_note() -> None:
    text = "Call measure first."
    assert stated(text, (), reference(text, "measure", "typed", "tool")) == [
        ("Gauge", "ABOUT", "measure"),
        ("measure", "DOCUMENTED_IN", "Gauge"),
    ]
