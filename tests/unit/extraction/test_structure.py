"""References that the author marked."""

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
