"""Hostile documents in the real parser process: each is refused within its limits, its neighbours are read, the parser lives on."""

import io
import os
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator

import docx
import orjson
import pytest
from pypdf import PdfWriter
from tests.corpus.layouts import Run, Sheet
from xlsxwriter import Workbook

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.media import DOCX, HTML, JSON, MARKDOWN, PDF, TEXT, XLSX
from interlace.parsing.sandbox import frames
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sandbox.sandbox import ParserProcess

LIMITS = ParseLimits(seconds=10, memory_bytes=700_000_000)
GOOD = Source("good.md", MARKDOWN, b"# Good\n\nText.")


@pytest.fixture(scope="module")
def parser() -> Iterator[ParserProcess]:
    with ParserProcess(LIMITS) as process:
        yield process


def word_archive(**parts: bytes) -> bytes:
    """Return a DOCX, its parts replaced or added; ``document`` stands for ``word/document.xml``."""
    plain = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("x")
    document.save(plain)
    buffer = io.BytesIO()
    replaced = {{"document": "word/document.xml"}.get(name, name): content for name, content in parts.items()}
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in replaced:
                new.writestr(name, old.read(name))
        for name, content in replaced.items():
            new.writestr(name, content)
    return buffer.getvalue()


def many_entries() -> bytes:
    return word_archive(**{f"word/part{number}.bin": b"" for number in range(3_000)})


def lying_sizes() -> bytes:
    """Return an archive whose directory declares 10 bytes for an entry that inflates to five million."""
    content = bytearray(word_archive(**{"word/lie.xml": b"a" * 5_000_000}))
    while (position := content.find((5_000_000).to_bytes(4, "little"))) >= 0:
        content[position : position + 4] = (10).to_bytes(4, "little")
    return bytes(content)


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, (b"&a%d;" % (n - 1) if n else b"&a;") * 10) for n in range(9))
    + b"]><b>&a8;</b>"
)


SUBSTITUTIONS = (
    b"|a0|\n\n"
    + b"".join(b".. |a%d| replace:: %s\n" % (n, b"|a%d| " % (n + 1) * 10) for n in range(9))
    + b".. |a9| replace:: x\n"
)


def far_cell() -> bytes:
    """Return a workbook of two cells, the last of which is in the last row and column of its sheet."""
    buffer = io.BytesIO()
    with Workbook(buffer) as book:
        sheet = book.add_worksheet("a")
        sheet.write(0, 0, "x")
        sheet.write(1_048_575, 16_383, "x")
    return buffer.getvalue()


def endless_pages() -> bytes:
    writer = PdfWriter()
    for _ in range(3_001):
        writer.add_blank_page(10, 10)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def looping_pdf() -> bytes:
    """Return a PDF whose page tree is its own child."""
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF"
    )


HOSTILE: dict[str, tuple[str, Callable[[], bytes], set[str]]] = {
    "zip bomb": (DOCX, lambda: word_archive(document=b"0" * 55_000_000), {"limit"}),
    "zip with thousands of entries": (DOCX, many_entries, {"limit"}),
    "zip that lies about sizes": (DOCX, lying_sizes, {"limit", "broken"}),
    "zip in a zip": (DOCX, lambda: word_archive(**{"word/inner.zip": b"PK"}), {"limit"}),
    "entity bomb": (DOCX, lambda: word_archive(document=ENTITIES), {"broken"}),
    "entity bomb in UTF-16": (DOCX, lambda: word_archive(document=ENTITIES.decode().encode("utf-16")), {"broken"}),
    "deep XML": (DOCX, lambda: word_archive(document=b"<a>" * 100_000 + b"</a>" * 100_000), {"broken"}),
    "truncated DOCX": (DOCX, lambda: word_archive()[:-400], {"broken"}),
    "sheet with a cell at its end": (XLSX, far_cell, {"broken", "limit"}),
    "substitutions that multiply.rst": (TEXT, lambda: SUBSTITUTIONS, {"limit"}),
    "PDF without end": (PDF, lambda: b"%PDF-1.7\n" + b"1 0 obj <<" * 50_000, {"broken"}),
    "PDF of 3,001 pages": (PDF, endless_pages, {"limit"}),
    "PDF whose pages loop": (PDF, looping_pdf, {"broken", "empty"}),
    "deep quotes": (MARKDOWN, lambda: b">" * 100_000 + b" x", {"limit"}),
    "deep front matter": (MARKDOWN, lambda: b"---\na: " + b"[" * 20_000 + b"\n---\nx", {"limit", "broken"}),
    "deep JSON": (JSON, lambda: b"[" * 1_000_000, {"broken"}),
    "deep metadata": (JSON, lambda: b'{"text": "x", "a": ' + b"[" * 900 + b"]" * 900 + b"}", {"limit"}),
    "binary called text": (
        TEXT,
        lambda: os.urandom(10_000).replace(b"\xff", b"\x00") + b"\xff",
        {"encoding", "unknown-type"},
    ),
    "empty": (TEXT, lambda: b"", {"empty"}),
}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_documents_harm_only_themselves(parser: ParserProcess, kind: str) -> None:
    media_type, content, reasons = HOSTILE[kind]
    before, bad, after = parser.parse([GOOD, Source(kind, media_type, content()), GOOD])
    assert isinstance(before, ParsedDocument)
    assert isinstance(bad, ParseError)
    assert bad.reason in reasons, bad.message
    assert (bad.uri, bad.message.startswith(kind)) == (kind, True)
    assert isinstance(after, ParsedDocument)


def odd_page(runs: Iterable[Run], size: float = 10) -> bytes:
    return Sheet(size=size, runs=list(runs)).content()


def scattered(count: int) -> Iterator[Run]:
    """Yield words all over a page, none of which stands in a line with the one before."""
    return ((number * 37 % 600, number * 61 % 780, "w") for number in range(count))


HARMLESS: dict[str, tuple[str, bytes, int]] = {
    "line of a million characters": (MARKDOWN, b"word " * 200_000, 999_999),
    "word of a million characters": (MARKDOWN, b"x" * 1_000_000, 1_000_000),
    "a million brackets": (MARKDOWN, b"[" * 1_000_000, 1_000_000),
    "many brackets in lines": (MARKDOWN, b"[[a](\n" * 3_000, 15_000),
    "unclosed emphasis": (MARKDOWN, b"*a _b " * 10_000, 59_000),
    "a directive with a million spaces": (MARKDOWN, b":::a" + b" " * 1_000_000 + b"x{", 1_000_000),
    "a callout behind many quotation marks": (MARKDOWN, b"x " + b"> " * 200_000 + b"[!x", 400_000),
    "a million blank lines": (TEXT, b"a" + b"\n" * 1_000_000 + b"b", 1_000_002),
    "names with NUL": (TEXT, b"a\x00b " * 300, 800),
    "unclosed HTML paragraphs": (HTML, b"<p>x" * 20_000, 59_998),
    "deep HTML": (HTML, b"<div>" * 200_000 + b"x", 1),
    "deep formatting": (HTML, b"<b><i>" * 100_000 + b"x", 1),
    "PDF of a hundred thousand glyphs": (PDF, odd_page(((0, 7 * n, "x" * 999 + " ") for n in range(100)), 1), 90_000),
    "PDF of boxes in 70 columns": (
        PDF,
        odd_page(((8 * (n % 70), 10 * (n // 70), "w") for n in range(4_900)), 4),
        9_000,
    ),
    "PDF of scattered boxes": (PDF, odd_page(scattered(4_900), 3), 9_000),
    "PDF of more boxes than are put in order": (PDF, odd_page(scattered(20_000), 1), 30_000),
    "PDF of tiny boxes": (PDF, odd_page(scattered(4_900), 0.3), 4_900),
    "PDF of boxes without bounds": (PDF, odd_page((1e9 * (n % 3), 1e30 * (n % 2), "w") for n in range(99)), 50),
    "bytes of another encoding": (TEXT, b"ok " * 1000 + b"\xc3\x28", 3000),
}


@pytest.mark.parametrize("kind", sorted(HARMLESS))
def test_odd_documents_are_read_in_time(parser: ParserProcess, kind: str) -> None:
    media_type, content, least = HARMLESS[kind]
    (parsed,) = parser.parse([Source(kind, media_type, content)])
    assert isinstance(parsed, ParsedDocument), parsed
    assert len(parsed.text) >= least


def test_names_cannot_confuse_a_message(parser: ParserProcess) -> None:
    (error,) = parser.parse([Source("a\x00b\u202e\ud800\n" + "n" * 10_000, TEXT, b"")])
    assert isinstance(error, ParseError)
    assert error.message.startswith("ab")
    assert len(error.message) < 400
    assert error.message.isprintable()


def slow_source() -> Source:
    """Return a document over which any parser takes longer than a moment: very many small paragraphs."""
    return Source("slow.md", MARKDOWN, b"- a\n\n" * 800_000)


def test_a_slow_document_is_cut_off_and_blamed() -> None:
    with ParserProcess(ParseLimits(seconds=3)) as parser:
        results = parser.parse([GOOD, slow_source(), GOOD])
        assert [type(item) for item in results] == [ParsedDocument, ParseError, ParsedDocument]
        error = results[1]
        assert isinstance(error, ParseError)
        assert (error.reason, error.uri) == ("limit", "slow.md")
        assert "Split it" in error.message


GREEDY = {
    # The library sees that memory is out and says so; or it does not, and the process dies.
    "list": (Source("greedy", MARKDOWN, b"- a\n" * 1_000_000), "limit", "Split it"),
    "record": (
        Source("greedy", JSON, b'{"text": "x", "a": [' + b"[],[]," * 2_500_000 + b"0]}"),
        "broken",
        "process end",
    ),
}


@pytest.mark.parametrize("kind", sorted(GREEDY))
def test_a_greedy_document_is_refused_and_the_parser_replaced(kind: str) -> None:
    greedy, reason, words = GREEDY[kind]
    with ParserProcess(ParseLimits(seconds=120, memory_bytes=250_000_000, max_bytes=200_000_000)) as parser:
        parser.parse([GOOD])
        first = parser.pid
        results = parser.parse([GOOD, greedy, GOOD, GOOD])
        assert [type(item) for item in results] == [ParsedDocument, ParseError, ParsedDocument, ParsedDocument]
        error = results[1]
        assert isinstance(error, ParseError)
        assert (error.reason, error.uri, words in error.message) == (reason, "greedy", True)
        assert parser.pid != first


def test_a_parser_killed_from_outside_costs_no_document() -> None:
    with ParserProcess(LIMITS) as parser:
        parser.parse([GOOD])
        pid = parser.pid
        assert pid is not None
        threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        large = [Source(f"r{n}", MARKDOWN, b"words and *more* of them.\n\n" * 4_000) for n in range(12)]
        results = parser.parse(large)
        assert all(isinstance(item, ParsedDocument) for item in results)


def test_closing_ends_the_process_and_a_later_call_starts_another() -> None:
    parser = ParserProcess(LIMITS)
    parser.parse([GOOD])
    first = parser.pid
    assert first is not None
    parser.close()
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert isinstance(parser.parse([GOOD])[0], ParsedDocument)
    assert parser.pid not in {None, first}
    parser.close()


def test_many_records_come_back_in_order(parser: ParserProcess) -> None:
    sources = [
        Source(f"c.jsonl#{n}", JSON, orjson.dumps({"id": n, "title": f"T{n}", "text": "word " * (n % 900 + 1)}))
        for n in range(3_000)
    ]
    results = parser.parse(sources)
    assert [item.title for item in results if isinstance(item, ParsedDocument)] == [f"T{n}" for n in range(3_000)]


DAEMON = """
import multiprocessing
from interlace.domain.documents import Source
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sandbox.sandbox import ParserProcess

def read(parser, name):
    print(name, parser.parse([Source(name, "text/plain", b"x")])[0].title, flush=True)
    parser.close()

parser = ParserProcess(ParseLimits())
read_first = parser.parse([Source("owner", "text/plain", b"x")])
for name in ("one", "two"):
    child = multiprocessing.get_context("fork").Process(target=read, args=(parser, name), daemon=True)
    child.start()
    child.join()
read(parser, "owner")
"""


def test_daemonic_forks_get_parsers_of_their_own() -> None:
    done = subprocess.run([sys.executable, "-c", DAEMON], capture_output=True, text=True, timeout=240, check=True)
    assert done.stdout.splitlines() == ["one one", "two two", "owner owner"]


def test_an_interrupted_call_leaves_no_half_read_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class _StopError(BaseException):
        pass

    def interrupt(*_: object) -> ParsedDocument:
        raise _StopError

    with ParserProcess(LIMITS) as parser:
        parser.parse([GOOD])
        monkeypatch.setattr("interlace.parsing.sandbox.child.decode_answer", interrupt)
        with pytest.raises(_StopError):
            parser.parse([GOOD, GOOD, GOOD])
        monkeypatch.undo()
        (parsed,) = parser.parse([Source("after.txt", TEXT, b"after")])
        assert isinstance(parsed, ParsedDocument)
        assert parsed.text == "after"


def test_an_answer_that_is_no_document_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    with ParserProcess(LIMITS) as parser:
        parser.parse([GOOD])
        first = parser.pid
        decode = frames.decode_answer
        monkeypatch.setattr(
            "interlace.parsing.sandbox.child.decode_answer",
            lambda message, uri: decode({"document": {"title": 1}, "last": False} if uri == "bad.md" else message, uri),
        )
        results = parser.parse([GOOD, Source("bad.md", MARKDOWN, b"x"), GOOD])
        assert [type(item) for item in results] == [ParsedDocument, ParseError, ParsedDocument]
        assert "not a document" in str(results[1])
        assert parser.pid != first
