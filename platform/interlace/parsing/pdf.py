"""PDF: the text of each page as a section ``Page N``, below the sections of the outline if there is one.

Running heads and page numbers are left out. Scanned pages hold no text, and metadata counts them (``pages_without_text``). pypdf itself refuses streams that inflate beyond 75 MB.
"""

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import clean, one_line
from interlace.parsing.metadata import json_values, words_of
from interlace.parsing.pdf_pages import outline_of, without_furniture
from interlace.parsing.sandbox.limits import ParseLimits

# The width of the page breaks lines: they are joined where a sentence clearly continues in lower case.
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[a-z])")
# What programs write where no author gave a title: the name of a file, or a word for none.
_NO_TITLE = re.compile(
    r"^\W*(?:untitled|no title|title|document|microsoft word\b.*|.*\.(?:pdf|docx?|xlsx?|pptx?|indd|tex|dvi|ps|eps|rtf|txt|html?|qxd|fm|p65|odt))\W*\d*$",
    re.IGNORECASE,
)
_MOST_LOST = 0.3
_FIRST_LEVEL = (
    2  # so that neither the first entry of an outline nor "Page 1" becomes the title of a document without one
)
_PAGE_LEVEL = 6
_WRAPPED = re.compile(r"(?<=[\w,;()])[ \t]*\n(?=[a-z(])")


def parse_pdf(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in PDF bytes.

    Raises:
        ParseError: the file is encrypted or broken, has too many pages, or holds no text.
    """
    try:
        return _read(PdfReader(io.BytesIO(content), strict=False), name, fallback_title, limits)
    except (ParseError, MemoryError):
        raise
    except PyPdfError as error:
        raise ParseError(f"{name} is a broken PDF: {one_line(str(error))[:200]}. Print it to a new PDF file.") from None
    except Exception as error:
        # pypdf raises many kinds of exception on malformed objects; each means the same to a reader.
        raise ParseError(f"{name} is a broken PDF ({type(error).__name__}). Print it to a new PDF file.") from error


def _read(reader: PdfReader, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    if reader.is_encrypted and not reader.decrypt(""):
        raise ParseError(f"{name} is encrypted. Remove its password and try again.")
    pages = len(reader.pages)
    if pages > limits.pdf_pages:
        raise ParseError(f"{name} has {pages} pages (limit {limits.pdf_pages}). Split it.", reason="limit")
    title, metadata, keywords = _information(reader)
    composer = Composer(name, limits, title="" if _NO_TITLE.search(title) else title)
    raw = [page.extract_text() for page in reader.pages]
    unreadable = [number for number, text in enumerate(raw) if _is_unreadable(text)]
    blank = sum(not clean(text).strip() for text in raw)
    texts = without_furniture(["" if number in unreadable else clean(text) for number, text in enumerate(raw)])
    _write_pages(composer, texts, outline_of(reader))
    if composer.blank and unreadable:
        raise ParseError(
            f"{name} does not say which characters its glyphs are, so its text is lost. Run text recognition on it.",
            reason="empty",
        )
    if composer.blank:
        raise ParseError(f"{name} holds no text in its {pages} pages. Run text recognition on it.", reason="empty")
    metadata["pages"] = pages
    if unreadable:
        metadata["pages_without_characters"] = len(unreadable)
    if blank:
        metadata["pages_without_text"] = blank
    return composer.finish(
        fallback_title=fallback_title, tags=words_of(keywords), metadata=json_values(metadata, limits, name)
    )


def _write_pages(composer: Composer, texts: Sequence[str], outline: Mapping[int, Sequence[tuple[int, str]]]) -> None:
    """Write pages below the sections of the outline that begin on them or before."""
    for number, text in enumerate(texts):
        for level, title in outline.get(number, ()):
            composer.heading(_FIRST_LEVEL + level, title)
        if unwrapped := _unwrap(text):
            composer.heading(_PAGE_LEVEL if outline else _FIRST_LEVEL, f"Page {number + 1}")
            composer.write(unwrapped)


def _is_unreadable(text: str) -> bool:
    """Return whether a page's text is glyph numbers: its fonts have no map to characters."""
    visible = [character for character in text if not character.isspace()]
    lost = sum(unicodedata.category(character) in {"Cc", "Co", "Cn"} or character == "\ufffd" for character in visible)
    return lost > len(visible) * _MOST_LOST


def _unwrap(text: str) -> str:
    return _WRAPPED.sub(" ", _HYPHEN.sub("", text)).strip()


def _information(reader: PdfReader) -> tuple[str, dict[str, object], str]:
    """Return title, metadata and keywords; a damaged information dictionary counts as empty."""
    try:
        found = dict(reader.metadata or {})
        values = {str(key).lstrip("/"): one_line(str(value))[:2000] for key, value in found.items()}
        created = reader.metadata.creation_date if reader.metadata else None
    except (PyPdfError, ValueError, TypeError, AttributeError, KeyError):
        return "", {}, ""
    metadata: dict[str, object] = {
        key.lower(): values[key] for key in ("Author", "Subject", "Creator", "Producer") if values.get(key)
    }
    if created is not None:
        metadata["created"] = created
    return values.get("Title", ""), metadata, values.get("Keywords", "")
