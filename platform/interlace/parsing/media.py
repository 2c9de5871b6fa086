"""Media type sniffing. A file's name is a hint; its content decides."""

import codecs
import re
from pathlib import PurePosixPath

from puremagic import PureError, magic_string

from interlace.domain.errors import ParseError
from interlace.parsing.decoding import utf16_without_mark

MARKDOWN = "text/markdown"
TEXT = "text/plain"
HTML = "text/html"
XML = "application/xml"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS = "application/vnd.ms-excel"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODT = "application/vnd.oasis.opendocument.text"
ODP = "application/vnd.oasis.opendocument.presentation"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
EPUB = "application/epub+zip"
RTF = "application/rtf"
PACKAGE = "application/zip"
JSON = "application/json"
JSON_LINES = "application/x-ndjson"
CSV = "text/csv"
TSV = "text/tab-separated-values"
NOTEBOOK = "application/x-ipynb+json"
MAIL = "message/rfc822"
MAILBOX = "application/mbox"
CALENDAR = "text/calendar"
CARDS = "text/vcard"
POSTSCRIPT = "application/postscript"
UNKNOWN = "application/octet-stream"

HEAD_BYTES = 4096
KNOWN = "Markdown, AsciiDoc, Org, plain text, transcripts (VTT, SRT), HTML, XML, PDF, DOCX, PPTX, OpenDocument (ODT, ODP), RTF, spreadsheets (XLSX, XLS, ODS), EPUB, JSON, JSON Lines, CSV, TSV, Jupyter notebooks, mails (EML, mbox), calendars (ICS) and contact cards (VCF)"

_BY_SUFFIX = {
    ".md": MARKDOWN, ".markdown": MARKDOWN, ".mdown": MARKDOWN, ".mdx": MARKDOWN, ".qmd": MARKDOWN, ".rmd": MARKDOWN,
    ".txt": TEXT, ".text": TEXT, ".log": TEXT, ".rst": TEXT, ".adoc": TEXT, ".asciidoc": TEXT, ".org": TEXT, ".vtt": TEXT, ".srt": TEXT,
    ".html": HTML, ".htm": HTML, ".xhtml": HTML, ".xml": XML,
    ".pdf": PDF, ".docx": DOCX, ".pptx": PPTX, ".xlsx": XLSX, ".xlsm": XLSX, ".xlsb": XLSX, ".xls": XLS, ".ods": ODS, ".odt": ODT, ".odp": ODP, ".epub": EPUB, ".rtf": RTF, ".json": JSON,
    ".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".csv": CSV, ".tsv": TSV, ".ipynb": NOTEBOOK,
    ".eml": MAIL, ".mht": MAIL, ".mhtml": MAIL, ".mbox": MAILBOX, ".ics": CALENDAR, ".vcf": CARDS, ".ps": POSTSCRIPT, ".eps": POSTSCRIPT,
}  # fmt: skip
_ALIASES = {
    "text/x-markdown": MARKDOWN, "application/xhtml+xml": HTML, "application/x-pdf": PDF, "text/xml": XML,
    "application/jsonl": JSON_LINES, "application/json-lines": JSON_LINES, "text/json": JSON, "text/rtf": RTF,
    "multipart/related": MAIL,
}  # fmt: skip
_TEXTUAL = frozenset({MARKDOWN, TEXT, HTML, JSON, JSON_LINES, CSV, TSV, NOTEBOOK, MAIL, MAILBOX, XML, CALENDAR, CARDS})
_PACKAGES = {
    DOCX: "DOCX", XLSX: "spreadsheet", ODS: "spreadsheet", PPTX: "PPTX", EPUB: "EPUB", ODT: "OpenDocument", ODP: "OpenDocument",
}  # fmt: skip
_PACKED = re.compile("archive|compress|zip", re.IGNORECASE)
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_PROLOGUE = re.compile(rb"(?:\s+|<\?xml[^>]{0,200}>|<!--(?s:.){0,2000}?-->)*+", re.IGNORECASE)
_DECLARES_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\s")
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b") + b"\x7f"


def media_type_of(file_name: str) -> str:
    """Return the media type that a file's suffix suggests; ``application/octet-stream`` if none."""
    return _BY_SUFFIX.get(PurePosixPath(file_name).suffix.lower(), UNKNOWN)


def sniff(head: bytes, hint: str, name: str) -> str:
    """Return the media type of a document from its first ``HEAD_BYTES`` bytes and the type that its name or sender claims.

    Raises:
        ParseError: reason ``unknown-type`` for other binary files, ``broken`` for a text that is called a PDF, a DOCX or the like.
    """
    hint = hint.partition(";")[0].strip().lower()
    hint = _ALIASES.get(hint, hint)
    if head.startswith(b"%PDF-") or (hint == PDF and b"%PDF-" in head[:1024]):
        return PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return PACKAGE  # what kind of document it holds, its parts tell
    if head.startswith(_OLE) and hint == XLS:
        return XLS
    if head.startswith(b"{\\rtf"):
        return RTF
    _check_not_binary(head, hint, name)
    if hint == POSTSCRIPT:  # made of letters, but not text for readers
        raise ParseError(f"{name} is PostScript, which is not read. Save it as PDF.", reason="unknown-type")
    start = _PROLOGUE.sub(b"", head.removeprefix(codecs.BOM_UTF8), count=1)[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")) and hint not in _TEXTUAL - {TEXT, HTML}:
        return HTML
    if hint in {TEXT, UNKNOWN} and _DECLARES_XML.match(head):
        hint = XML
    if kind := {PDF: "PDF", RTF: "RTF", **_PACKAGES}.get(hint):
        raise ParseError(f"{name} is declared as a {kind}, but its content is not one. Save it again.")
    return hint if hint in _TEXTUAL else TEXT


def _check_not_binary(head: bytes, hint: str, name: str) -> None:
    if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or utf16_without_mark(head):
        return
    if head.startswith(_OLE) and hint in _PACKAGES:
        raise ParseError(f"{name} is encrypted. Remove its password and try again.")
    if head.startswith(_OLE):
        raise ParseError(
            f"{name} is in the format of Microsoft Office before 2007 (DOC, PPT or MSG). Save it as DOCX, PPTX or PDF.",
            reason="unknown-type",
        )
    controls = len(head) - len(head.translate(None, _CONTROL))
    # A single NUL is no reason to refuse a text; binary formats have control bytes throughout.
    is_binary = controls > len(head) * (0.3 if hint in _TEXTUAL else 0.05)
    # puremagic compares all of its signatures, which takes longer than reading a record, so most texts skip it.
    is_plain = not controls and _is_utf8(head)
    found = "" if is_plain else _format_name(head, is_binary=is_binary)
    if found or is_binary:
        raise ParseError(
            f"{name} is in a format that cannot be read ({found or 'unknown binary data'}). "
            + ("Unpack it." if _PACKED.search(found) else f"Readable are {KNOWN}. Save it as one of these."),
            reason="unknown-type",
        )


def _format_name(head: bytes, *, is_binary: bool) -> str:
    """Return puremagic's name for the format of some bytes; empty if it knows none.

    Many signatures are letters with which a text may also begin (``BM``, ``ID3``, ``RIFF``). If the bytes may be text, only signatures
    that cannot be text count.
    """
    try:
        matches = magic_string(head)
    except PureError:
        return ""
    certain = (match for match in matches if is_binary or not _is_text(match.byte_match))
    return next((match.name for match in certain if match.offset >= 0), "")


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.utf_8_decode(head, "strict", False)  # the head may end inside a character
    except UnicodeDecodeError:
        return False
    return True


def _is_text(signature: bytes) -> bool:
    return _is_utf8(signature) and signature.decode("utf-8", "ignore").isprintable()
