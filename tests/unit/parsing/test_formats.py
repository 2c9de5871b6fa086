"""Text, HTML, PDF, DOCX and JSON records, and how a format is told from the bytes."""

import io

import docx
import orjson
import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.media import DOCX, HTML, JSON, MARKDOWN, PDF, TEXT, UNKNOWN, sniff
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

LIMITS = ParseLimits()


def read(content: bytes, media_type: str, uri: str = "folder/file.x", limits: ParseLimits = LIMITS) -> ParsedDocument:
    return parse(Source(uri, media_type, content), limits)


def refusal(content: bytes, media_type: str, limits: ParseLimits = LIMITS) -> ParseError:
    with pytest.raises(ParseError) as caught:
        read(content, media_type, limits=limits)
    assert caught.value.message.startswith("folder/file.x")
    return caught.value


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


def docx_bytes() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Handbook"
    document.core_properties.keywords = "Alpha, beta"
    document.add_paragraph("Before.")
    document.add_heading("Install", level=1)
    document.add_paragraph("First step.")
    table = document.add_table(rows=2, cols=2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = str(number)
    document.add_heading("Linux", level=2)
    document.add_paragraph("Second step.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_text_is_kept_and_cleaned() -> None:
    parsed = read("\ufeffÅ\r\na\x00b\u202e c\x85d\n".encode(), TEXT, "x/y notes.txt")
    assert (parsed.title, parsed.text) == ("y notes", "Å\nab c\nd")
    assert [(section.start, section.end) for section in parsed.sections] == [(0, len(parsed.text))]


def test_utf16_with_byte_order_mark_is_read() -> None:
    assert read("Zürich".encode("utf-16"), TEXT).text == "Zürich"


def test_invalid_utf8_names_the_byte() -> None:
    error = refusal(b"\xef\xbb\xbfabc\xff", TEXT)
    assert error.reason == "encoding"
    assert "byte 6" in error.message


@pytest.mark.parametrize("content", [b"", b" \n\t ", b"\x00 \n \n\xe2\x80\xae"])
def test_nothing_to_read_is_empty(content: bytes) -> None:
    assert refusal(content, TEXT).reason == "empty"


def test_html_gives_main_text_headings_and_links() -> None:
    parsed = read(
        b"<html lang=en><head><title>Install | Site</title><meta name=keywords content='a, B'><style>x{}</style></head>"
        b"<body><nav>menu</nav><h1>Install</h1><p>Hello <b>wor</b>ld &amp; <a href='/a#b'>more\n <i>things</i></a>.<br>next</p>"
        b"<h2>On <a href=x>Linux</a></h2><ul><li>one<li>two</ul><table><tr><td>1</td><td>2</td></tr></table>"
        b"<pre>a\n   b</pre><script>bad()</script><footer>foot</footer></body></html>",
        HTML,
    )
    assert (parsed.title, parsed.tags, parsed.metadata) == ("Install", ("a", "b"), {"language": "en"})
    assert parsed.text == "Hello world & more things.\nnext\n\none\ntwo\n\n1 | 2\n\na\n   b"
    assert [section.path for section in parsed.sections] == [(), ("On Linux",)]
    assert [(link.kind, link.target, link.anchor, link.text) for link in parsed.links] == [
        ("html", "/a", "b", "more things"),
        ("html", "x", "", "Linux"),
    ]
    assert parsed.text[parsed.links[0].start : parsed.links[0].end] == "more things"


def test_html_prefers_the_main_element() -> None:
    assert read(b"<body><div>around</div><main><p>core</p></main></body>", HTML).text == "core"


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


def test_docx_keeps_order_headings_and_tables() -> None:
    parsed = read(docx_bytes(), DOCX)
    assert (parsed.title, parsed.tags) == ("Handbook", ("alpha", "beta"))
    assert parsed.text == "Before.\n\nFirst step.\n\n0 | 1\n2 | 3\n\nSecond step."
    assert [section.path for section in parsed.sections] == [(), ("Install",), ("Install", "Linux")]


def test_record_keys_become_title_text_tags_and_metadata() -> None:
    record = {"_id": 7, "title": "T", "text": " Body. ", "tags": ["X", "x"], "year": 1999, "more": {"a": [None, True]}}
    parsed = read(orjson.dumps(record), JSON, "corpus.jsonl#7")
    assert (parsed.title, parsed.text, parsed.tags) == ("T", "Body.", ("x",))
    assert parsed.metadata == {"year": 1999, "more": {"a": [None, True]}}


def test_a_record_without_text_reads_as_its_fields() -> None:
    parsed = read(b'{"id": "r1", "city": "Oslo", "people": 700000, "note": ""}', JSON, "cities.csv#r1")
    assert (parsed.title, parsed.text) == ("r1", "city: Oslo\npeople: 700000")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[1]", "broken"),
        (b"{", "broken"),
        (b'{"text": 3}', "broken"),
        (b'{"text": " "}', "empty"),
        (b'{"a\xff": 1}', "encoding"),
    ],
)
def test_bad_records_are_refused(content: bytes, reason: str) -> None:
    assert refusal(content, JSON).reason == reason


@pytest.mark.parametrize(
    ("head", "hint", "expected"),
    [
        (b"%PDF-1.4", TEXT, PDF),
        (b"PK\x03\x04", MARKDOWN, DOCX),
        (b"<!DOCTYPE html><p>", UNKNOWN, HTML),
        (b"print(1)", UNKNOWN, TEXT),
        (b"# x", "text/markdown; charset=utf-8", MARKDOWN),
        (b"# x", "text/x-markdown", MARKDOWN),
    ],
)
def test_content_decides_over_the_name(head: bytes, hint: str, expected: str) -> None:
    assert sniff(head, hint, "x") == expected


@pytest.mark.parametrize(
    ("content", "media_type", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n", TEXT, "unknown-type"),
        (bytes(range(256)) * 4, UNKNOWN, "unknown-type"),
        (b"plain words", PDF, "broken"),
        (b"plain words", DOCX, "broken"),
    ],
)
def test_what_is_not_what_it_is_called_is_refused(content: bytes, media_type: str, reason: str) -> None:
    assert refusal(content, media_type).reason == reason


def test_documents_above_the_limit_name_size_limit_and_setting() -> None:
    error = refusal(b"x" * 11, TEXT, ParseLimits(max_bytes=10))
    assert error.reason == "too-large"
    assert all(word in error.message for word in ("11 bytes", "10", "INTERLACE_INGEST__MAX_BYTES"))


def test_a_skill_file_is_named_after_its_folder() -> None:
    assert read(b"Do it.", MARKDOWN, "skills/deploy/SKILL.md").title == "deploy"
