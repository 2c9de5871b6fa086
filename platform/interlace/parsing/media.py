"""Which kind of document some bytes are. A file's name is a hint; its content decides."""

import codecs
from pathlib import PurePosixPath

from interlace.domain.errors import ParseError

MARKDOWN = "text/markdown"
TEXT = "text/plain"
HTML = "text/html"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
JSON = "application/json"
JSON_LINES = "application/x-ndjson"
CSV = "text/csv"
TSV = "text/tab-separated-values"
UNKNOWN = "application/octet-stream"

HEAD_BYTES = 4096
KNOWN = "Markdown, plain text, HTML, PDF, DOCX, JSON, JSON Lines, CSV and TSV"

_BY_SUFFIX = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".mdown": MARKDOWN, ".mdx": MARKDOWN,
    ".txt": TEXT, ".text": TEXT, ".log": TEXT, ".rst": TEXT, ".adoc": TEXT,
    ".html": HTML, ".htm": HTML, ".xhtml": HTML,
    ".pdf": PDF, ".docx": DOCX, ".json": JSON,
    ".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".csv": CSV, ".tsv": TSV,
}  # fmt: skip
_ALIASES = {
    "text/x-markdown": MARKDOWN,
    "application/xhtml+xml": HTML,
    "application/x-pdf": PDF,
    "application/jsonl": JSON_LINES,
    "application/json-lines": JSON_LINES,
    "text/json": JSON,
}
_TEXTUAL = frozenset({MARKDOWN, TEXT, HTML, JSON, JSON_LINES, CSV, TSV})
_FOREIGN = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"\xd0\xcf\x11\xe0": "an old Office file (save it as DOCX or PDF)",
    b"SQLite format 3": "a database",
    b"{\\rtf": "an RTF file (save it as DOCX)",
}
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b") + b"\x7f"


def media_type_of(file_name: str) -> str:
    """Return the media type that a file's suffix suggests; ``application/octet-stream`` if none."""
    return _BY_SUFFIX.get(PurePosixPath(file_name).suffix.lower(), UNKNOWN)


def sniff(head: bytes, hint: str, name: str) -> str:
    """Return the media type of a document from its first ``HEAD_BYTES`` bytes and a hint.

    Raises:
        ParseError: reason ``unknown-type`` for other binary files, ``broken`` for a text that is called a PDF or a DOCX.
    """
    hint = hint.partition(";")[0].strip().lower()
    hint = _ALIASES.get(hint, hint)
    if head.startswith(b"%PDF-") or (hint == PDF and b"%PDF-" in head[:1024]):
        return PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return DOCX  # the parser sees whether the container really is one
    _refuse_binary(head, hint, name)
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")) and hint not in {MARKDOWN, JSON_LINES, CSV, TSV, JSON}:
        return HTML
    if hint in {PDF, DOCX}:
        kind = "PDF" if hint == PDF else "DOCX"
        raise ParseError(f"{name} is called a {kind} but does not begin like one. Save it again.")
    return hint if hint in _TEXTUAL else TEXT


def _refuse_binary(head: bytes, hint: str, name: str) -> None:
    found = next((kind for magic, kind in _FOREIGN.items() if head.startswith(magic)), "")
    if not found and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        controls = len(head) - len(head.translate(None, _CONTROL))
        # A stray NUL is no reason to refuse a text; binary formats have control bytes everywhere.
        if controls > len(head) * (0.3 if hint in _TEXTUAL else 0.05):
            found = "a binary file of an unknown kind"
    if found:
        raise ParseError(f"{name} is {found}. Readable are {KNOWN}.", reason="unknown-type")
