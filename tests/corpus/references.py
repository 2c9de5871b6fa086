"""Words with which the text of a document is compared: of the text that the project itself ships, of another reader, or of the file as it is written."""

import html
import json
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pypdf import PdfReader
from selectolax.lexbor import LexborHTMLParser

_WORD = re.compile(r"\w+")
_WORD_TEXT = re.compile(r"<w:t(?: [^>]*)?>([^<]*)<")
_WORD_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)\d*\.xml")
_TAG = re.compile("<[^>]*>")
_MAX_PAGES = 60
# Of reStructuredText what no reader sees: comments, blocks that show a picture, another file or nothing, options of the others, languages of code;
# targets of links and marks of references, names of roles, modules before the name that a role shows.
_UNSEEN_BLOCKS = re.compile(
    r"^([ \t]*)\.\.(?:[ \t]+(?:(?!\[|_|__|\||[\w:+.-]+::)\S.*"
    r"|(?:\|[^|\n]+\|[ ])?(?:image|include|meta|raw|contents|header|footer|role|default-role|class|unicode|title|sectnum)::.*))?"
    r"(?:\n(?:\1[ \t]+.*|(?=\n\1[ \t])))*$",
    re.MULTILINE,
)
_UNSEEN_OPTIONS = re.compile(
    r"^[ \t]*\.\.[ ](?:(?:code(?:-block)?|sourcecode|figure)::.*|[\w:-]+::)|^[ \t]+:[\w-]+:.*$", re.MULTILINE
)
_UNSEEN = re.compile(
    r"^[ \t]*(?:\.\. _|__ ).*(?:\n[ \t]+https?:.*)?$|(?<=\w)__?(?!\w)|:[\w:+.-]+:(?=`)|<[^<>`]*>(?=`)|(?<=`)~[\w.]*\.",
    re.MULTILINE,
)


def words_in(text: str) -> set[str]:
    """Return the different words of a text, ligatures as letters."""
    return set(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def reference_words(kind: str, path: Path) -> set[str]:
    """Return the words that a file of a format should give; empty where nothing tells."""
    return words_in(_READERS[kind](path))


def _pdf(path: Path) -> str:
    reader = PdfReader(path)
    return "" if len(reader.pages) > _MAX_PAGES else "\n".join(page.extract_text() for page in reader.pages)


def _docx(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        parts = [archive.read(name).decode() for name in archive.namelist() if _WORD_PARTS.fullmatch(name)]
    # Runs divide words, paragraphs do not.
    paragraphs = (paragraph for part in parts for paragraph in part.split("</w:p>"))
    return html.unescape("\n".join("".join(_WORD_TEXT.findall(paragraph)) for paragraph in paragraphs))


def _open_document(path: Path) -> str:
    """Return what stands in a content part: elements within a paragraph do not divide words."""
    with zipfile.ZipFile(path) as archive:
        body = archive.read("content.xml").decode().partition("<office:body>")[2]
    paragraphs = re.split("</text:[ph]>|<text:(?:tab|s|line-break)/>", body)
    return html.unescape("\n".join(_TAG.sub("", each) for each in paragraphs))


def _html(path: Path) -> str:
    expected = path.parent.parent / "txt" / f"{path.stem}.txt"
    return expected.read_text() if expected.exists() else ""


def _markdown(path: Path) -> str:
    expected = path.with_suffix(".html")
    body = LexborHTMLParser(expected.read_text()).body if expected.exists() else None
    return body.text(separator=" ") if body else ""


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(path.stem)
    except LookupError:
        return ""


def _written(path: Path) -> str:
    content = path.read_bytes()
    for encoding in ("utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig", "latin-1"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError(path)


def _restructured(path: Path) -> str:
    return _UNSEEN.sub(" ", _UNSEEN_OPTIONS.sub(" ", _UNSEEN_BLOCKS.sub(" ", _written(path))))


def _json(path: Path) -> str:
    text = _written(path)
    try:
        values = [json.loads(text)]
    except ValueError:
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    return "\n".join(map(str, _scalars(values)))


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    elif value is not None:
        yield value


_READERS: dict[str, Callable[[Path], str]] = {
    "PDF": _pdf, "DOCX": _docx, "HTML": _html, "Markdown": _markdown, "plain text": _text, "reStructuredText": _restructured,
    "OpenDocument": _open_document, "CSV": _written, "TSV": _written, "JSON": _json,
}  # fmt: skip
