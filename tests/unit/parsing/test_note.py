"""Notes of an export: the same document comes out, whatever it holds, and files of an export are known by their first lines."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlace.domain.documents import ORIGIN, DocumentLink, ParsedDocument, Section, Source
from interlace.domain.errors import ParseError
from interlace.parsing.note import GAP, NoteOrigin, is_unedited, kind_of, note_source, parse_note, write_note
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources

LIMITS = ParseLimits()
ORIGIN_OF_ALL = NoteOrigin("docs/a.pdf", "application/pdf", "c" * 64, "s" * 64, "atom", '{"added":["x"]}')
CHARACTERS = st.sampled_from('ab #<>!-[]()`\\"\n*_|:')
TEXTS = st.text(CHARACTERS, max_size=24)
NAMES = st.text(st.sampled_from('ab #<>[]`\\"!-'), min_size=1, max_size=9).map(
    lambda text: " ".join(f"x{text}x".split())
)


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Documents as parsers make them: sections cover the text, links and code lie in a section."""
    text, sections, links, literals = "", [], [], []
    above: list[tuple[int, str]] = []
    for ordinal in range(draw(st.integers(0, 3))):
        level = draw(st.integers(0 if ordinal == 0 else 1, 6))
        heading = draw(NAMES) if level else ""
        while above and above[-1][0] >= level:
            above.pop()
        above += [(level, heading)] if heading else []
        words = draw(TEXTS.map(str.strip if level else lambda each: f"t{each}t"))
        text += GAP if text and words else ""
        start, end = len(text), len(text) + len(words)
        text += words
        kind = draw(st.sampled_from(["body", "Usage", "atom"]))
        sections.append(Section(heading, tuple(name for _, name in above), level, ordinal, start, end, kind))
        cuts = (
            sorted(draw(st.lists(st.integers(start, end), min_size=4, max_size=4, unique=True)))
            if len(words) > 4
            else []
        )
        if cuts:
            kind, target = (
                draw(st.sampled_from(["markdown", "wikilink", "typed", "html"])),
                draw(NAMES).replace("#", ""),
            )
            links.append(
                DocumentLink(kind, target, draw(NAMES | st.just("")), text[cuts[0] : cuts[1]], cuts[0], cuts[1])
            )
            literals.append((cuts[2], cuts[3]))
    return ParsedDocument(
        draw(NAMES),
        text,
        tuple(sections),
        tags=tuple(sorted(draw(st.sets(NAMES, max_size=2)))),
        aliases=tuple(draw(st.lists(NAMES, max_size=2))),
        links=tuple(links),
        metadata=draw(st.dictionaries(NAMES, st.integers(-9, 9) | TEXTS.map(str.strip) | st.none(), max_size=3)),
        literals=tuple(literals),
        anchors=tuple(sorted(draw(st.sets(NAMES, max_size=2)))),
    )


@settings(deadline=None)
@given(documents())
def test_a_note_gives_its_document_again(parsed: ParsedDocument) -> None:
    note = write_note(parsed, ORIGIN_OF_ALL)
    assert kind_of(note.encode()) == "document"
    assert is_unedited(note.encode())
    assert parse_note(note, "a note", LIMITS) == parsed


def test_a_link_without_words_keeps_its_own() -> None:
    sections = (Section("", (), 0, 0, 0, 5), Section("See Ada", ("See Ada",), 1, 1, 5, 5))
    parsed = ParsedDocument("T", "Text.", sections, links=(DocumentLink("typed", "Ada", "person", "Ada", 5, 5),))
    note = write_note(parsed, ORIGIN_OF_ALL)
    assert '[](<Ada#person> "typed Ada")' in note
    assert parse_note(note, "a note", LIMITS) == parsed


def test_a_note_is_handed_in_as_what_it_was_exported_of_until_somebody_edits_it() -> None:
    note = write_note(ParsedDocument("T", "x", (Section("", (), 0, 0, 0, 1),)), ORIGIN_OF_ALL).encode()
    source = note_source(note, "a note", LIMITS)
    assert (source.uri, source.media_type, source.checksum) == ("docs/a.pdf", "application/pdf", "c" * 64)
    assert source.metadata == {
        "atlas_strategy": "atom",
        ORIGIN: {"sent": "s" * 64, "patch": '{"added":["x"]}'},
    }
    edited = note_source(note + b"more", "a note", LIMITS)
    assert (edited.uri, edited.media_type, ORIGIN in edited.metadata) == ("docs/a.pdf", "text/markdown", False)
    assert edited.checksum not in {"c" * 64, source.checksum}
    assert parse(edited, LIMITS).text == "x\nmore"


def test_lists_of_an_export_are_no_documents(tmp_path: Path) -> None:
    export = tmp_path / "export"
    (export / "entities").mkdir(parents=True)
    (export / "entities" / "A.md").write_text("---\ninterlace_export: entities\n---\n# A\n")
    (export / "own.md").write_text("# Mine\n\ninterlace_export: entities\n")
    assert [source.uri for source in find_sources([export], limits=LIMITS) if isinstance(source, Source)] == [
        "export/own.md"
    ]
    with pytest.raises(ParseError, match="list of entities"):
        parse(Source("A.md", "text/markdown", (export / "entities" / "A.md").read_bytes()), LIMITS)


def test_a_note_must_say_what_it_is() -> None:
    note = write_note(ParsedDocument("T", "x", ()), replace(ORIGIN_OF_ALL, source_uri=""))
    with pytest.raises(ParseError, match="without a source_uri"):
        note_source(note.encode(), "a note", LIMITS)
    with pytest.raises(ParseError, match="without a title"):
        parse_note("---\ninterlace_export: document\n---\n\nx\n", "a note", LIMITS)


def test_labels_of_a_note_are_bounded_as_links_are() -> None:
    note = write_note(ParsedDocument("T", "x", (), anchors=("a" * 600, "b")), ORIGIN_OF_ALL)
    assert parse_note(note, "a note", LIMITS).anchors == ("a" * 500, "b")
    with pytest.raises(ParseError, match="links"):
        parse_note(note, "a note", replace(LIMITS, max_links=1))
