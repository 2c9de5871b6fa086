"""PDF: one section a page, and refusals with a remedy."""

import io
from collections.abc import Sequence

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject
from tests.support.parsing import read, refusal

from interlace.parsing.media import PDF
from interlace.parsing.pdf.parser import _unwrap
from interlace.parsing.sandbox.limits import ParseLimits


def pdf_bytes(
    *pages: str,
    title: str = "",
    password: str = "",
    created: str = "",
    font: DictionaryObject | None = None,
    outline: Sequence[tuple[str, int, bool]] = (),
) -> bytes:
    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(300, 300)
        font = font or DictionaryObject(
            {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
             NameObject("/BaseFont"): NameObject("/Helvetica")}
        )  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        lines = " 0 -14 Td ".join(f"({line}) Tj" for line in text.split("\n"))
        stream.set_data(f"BT /F1 12 Tf 20 250 Td {lines} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    above = None
    for entry, number, below in outline:
        added = writer.add_outline_item(title=entry, page_number=number, parent=above if below else None)
        above = above if below else added
    if title:
        writer.add_metadata({"/Title": title, "/Author": "Ada", "/Keywords": "One, Two"})
    if created:
        writer.add_metadata({"/CreationDate": created})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_pdf_pages_become_sections() -> None:
    parsed = read(pdf_bytes("Hello graph\nworld goes on", "Second page", title="Report"), PDF)
    assert (parsed.title, parsed.tags) == ("Report", ("one", "two"))
    assert [section.path for section in parsed.sections] == [("Page 1",), ("Page 2",)]
    assert parsed.text == "Hello graph world goes on\n\nSecond page"
    assert parsed.metadata["author"] == "Ada"


@pytest.mark.parametrize(
    ("content", "reason", "words"),
    [
        (pdf_bytes("x", password="secret"), "broken", "encrypted"),
        (pdf_bytes("x")[:200], "broken", "broken PDF"),
        (pdf_bytes(""), "empty", "text recognition"),
        (b"%PDF-1.7\n" + b"\x00\xff" * 500, "broken", "broken PDF"),
    ],
)
def test_bad_pdfs_are_refused_with_a_remedy(content: bytes, reason: str, words: str) -> None:
    error = refusal(content, PDF)
    assert (error.reason, words in error.message) == (reason, True)


def test_too_many_pdf_pages_are_refused() -> None:
    assert refusal(pdf_bytes("a", "b", "c"), PDF, ParseLimits(pdf_pages=2)).reason == "limit"


@pytest.mark.parametrize(
    "title", ["untitled", "Untitled 2", "Microsoft Word - report_final", "scan0001.pdf", "book.indd"]
)
def test_a_title_that_a_program_made_up_is_not_used(title: str) -> None:
    assert read(pdf_bytes("Hello", title=title), PDF, uri="folder/real-name.pdf").title == "real-name"
    assert read(pdf_bytes("Hello", title="Version 2.10"), PDF).title == "Version 2.10"


def _with_unmapped_glyphs() -> bytes:
    """Return a file whose font numbers its glyphs and says nothing of characters, as old exports do."""
    inner = {"/Type": "/Font", "/Subtype": "/CIDFontType2", "/BaseFont": "/ABCDEF+Own", "/CIDToGIDMap": "/Identity"}
    descendant = DictionaryObject({NameObject(key): NameObject(value) for key, value in inner.items()})
    font = {"/Type": "/Font", "/Subtype": "/Type0", "/BaseFont": "/ABCDEF+Own", "/Encoding": "/Identity-H"}
    outer = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    outer[NameObject("/DescendantFonts")] = ArrayObject([descendant])
    return pdf_bytes("$%&' ()*+ ,-./", font=outer)


def test_a_file_without_a_character_map_is_named_as_such() -> None:
    error = refusal(_with_unmapped_glyphs(), PDF)
    assert "Unicode mapping" in error.message
    assert error.reason == "empty"


def test_dates_are_read_and_damaged_ones_left_out() -> None:
    dates = {
        "D:20220406201541+02'00'": "2022-04-06T20:15:41+02:00",
        "D:2022": "2022-01-01T00:00:00",
        "D:20221399": None,
    }
    for written, read_as in dates.items():
        assert read(pdf_bytes("One.", created=written), PDF).metadata.get("created") == read_as


def test_running_heads_and_page_numbers_are_no_text() -> None:
    words = ("barrels", "ropes", "winches", "anchors", "sails")
    pages = [f"Annual report\nThe crane lifted {word}.\nThen {word} rested.\n{n}" for n, word in enumerate(words, 1)]
    parsed = read(pdf_bytes(*pages), PDF)
    assert parsed.text == "\n\n".join(f"The crane lifted {word}.\nThen {word} rested." for word in words)


def test_heads_of_chapters_with_the_number_of_the_page_are_no_text() -> None:
    words = ("barrels", "ropes", "winches", "anchors", "sails", "masts")
    heads = ["Preface", "Chapter 1: Loads", "Chapter 1: Loads", "Chapter 2: Ships", "Chapter 2: Ships", "Index"]
    pages = [
        f"{head} {n}\nThe crane of {n} ports lifted {word}."
        for n, (head, word) in enumerate(zip(heads, words, strict=True), 7)
    ]
    text = read(pdf_bytes(*pages), PDF).text
    assert "Chapter" not in text
    assert all(line in text for line in ("Preface 7", "Index 12", "The crane of 9 ports lifted winches."))


def test_numbers_at_the_edges_of_two_pages_are_text() -> None:
    text = read(pdf_bytes(*[f"Table {n}\nLoads of crane {n}\nIt lifts." for n in (1, 2)]), PDF).text
    assert [line for line in text.split("\n") if line[:5] == "Table"] == ["Table 1", "Table 2"]


def test_a_page_that_holds_nothing_but_what_others_hold_stays_whole() -> None:
    assert read(pdf_bytes(*["The same\nagain"] * 4), PDF).text.count("The same") == 4


def test_dots_that_lead_to_the_number_of_a_page_are_no_text() -> None:
    page = "1 Scope . . . . . . . . 3\n2 Tides........ 4\n3 Ebb. . . . . . iv\nWait..... So. . . it ends"
    assert read(pdf_bytes(page), PDF).text == "1 Scope 3\n2 Tides 4\n3 Ebb. iv\nWait..... So. . . it ends"


def test_lines_that_only_two_pages_share_are_text() -> None:
    parsed = read(pdf_bytes("Annual report\nOne.", "Annual report\nTwo."), PDF)
    assert parsed.text.count("Annual report") == 2


def test_an_outline_gives_sections_above_the_pages() -> None:
    outline = [("Cranes", 0, False), ("Large cranes", 1, True), ("Winches", 2, False)]
    parsed = read(pdf_bytes("One.", "Two.", "Three.", "Four.", outline=outline), PDF)
    paths = [section.path for section in parsed.sections if section.end > section.start]
    assert paths == [
        ("Cranes", "Page 1"),
        ("Cranes", "Large cranes", "Page 2"),
        ("Winches", "Page 3"),
        ("Winches", "Page 4"),
    ]


def test_scanned_pages_among_others_are_counted() -> None:
    parsed = read(pdf_bytes("One.", "", "Three."), PDF)
    assert (parsed.metadata["pages"], parsed.metadata["pages_without_text"]) == (3, 1)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("dots", ["." * 20_000, " ." * 20_000, " .." * 20_000])
def test_dots_that_lead_nowhere_are_text_and_looked_at_once(dots: str) -> None:
    for text in (f"end{dots} Next", "end . . . . Next", "end . . . . | Next", "in part . . . . i say"):
        assert _unwrap(text) == text
    assert _unwrap("Ebb ....... 5\nTide . . . . . XII\nBuoy . . . . | 7") == "Ebb 5\nTide XII\nBuoy | 7"
