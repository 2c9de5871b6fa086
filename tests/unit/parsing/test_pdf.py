"""PDF: one section a page, and refusals with a remedy."""

import io

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject
from tests.support.parsing import read, refusal

from interlace.parsing.media import PDF
from interlace.parsing.sandbox.limits import ParseLimits


def pdf_bytes(*pages: str, title: str = "", password: str = "") -> bytes:
    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(300, 300)
        font = DictionaryObject(
            {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
             NameObject("/BaseFont"): NameObject("/Helvetica")}
        )  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        lines = " 0 -14 Td ".join(f"({line}) Tj" for line in text.split("\n"))
        stream.set_data(f"BT /F1 12 Tf 20 250 Td {lines} ET".encode("latin-1"))
        page[NameObject("/Contents")] = stream
    if title:
        writer.add_metadata({"/Title": title, "/Author": "Ada", "/Keywords": "One, Two"})
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


def test_a_file_without_a_character_map_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pypdf.PageObject.extract_text", lambda _: "\ue001\ue002 \x02\x03\ufffd")
    error = refusal(pdf_bytes("Hello"), PDF)
    assert "glyphs" in error.message
    assert error.reason == "empty"
