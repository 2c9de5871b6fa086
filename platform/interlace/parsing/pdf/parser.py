"""PDF: the text of each page as a section ``Page N``, below the sections of the outline if there is one.

Running heads and page numbers are left out. Scanned pages hold no text, and metadata counts them (``pages_without_text``). PDFium reads the file.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from pypdfium2 import PdfDocument, PdfiumError, PdfTextPage, raw

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import REPLACED, clean, one_line
from interlace.parsing.furniture import without_furniture
from interlace.parsing.metadata import json_values, stated_title, words_of
from interlace.parsing.pdf.outline import outline_of
from interlace.parsing.pdf.text import text_of
from interlace.parsing.sandbox.limits import ParseLimits

# Line breaks come from the page width: lines are joined where a sentence clearly continues in lower case.
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[a-z])")
# PDFium replaces a hyphen at the end of a line and the line break with this.
_JOINED = re.compile("\ufffe(?=[a-z])")
# Dots between an entry of a table of contents and the number of its page: each would count as a word.
_LEADERS = re.compile(
    r"(?<![. \t])(\.?)(?:(?:[ \t]{1,9}\.){4,}+|[ \t]{0,9}(?<!\.)\.{5,}+)[ \t]{0,9}+(?=(?:\| )?(?:\d|[ivxlc]{1,7}[ \t]*$))",
    re.IGNORECASE | re.MULTILINE,
)
_CREATED = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?")
_WRONG_PASSWORD = 4
_MAX_LOST_SHARE = 0.3
_GLYPHS = 2_000
_FIRST_LEVEL = (
    2  # so that neither the first entry of an outline nor "Page 1" becomes the title of a document without one
)
_PAGE_LEVEL = 6
# A row of a table begins a line, whatever its first letter.
_WRAPPED = re.compile(r"(?<=[\w,;()])[ \t]*\n(?=[a-z(])(?![^\n]* \| )")


def parse_pdf(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in PDF bytes.

    Raises:
        ParseError: the file is encrypted or broken, has too many pages, or holds no text.
    """
    document = _opened(content, name)
    try:
        return _read(document, name, fallback_title, limits)
    finally:
        document.close()


def _opened(content: bytes, name: str) -> PdfDocument:
    try:
        return PdfDocument(content)
    except PdfiumError as error:
        if error.err_code == _WRONG_PASSWORD:
            raise ParseError(f"{name} is encrypted. Remove its password and try again.") from None
        raise ParseError(f"{name} is a broken PDF: {one_line(str(error))[:200]} Print it to a new PDF file.") from None


def _read(document: PdfDocument, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    pages = len(document)
    if pages > limits.pdf_pages:
        raise ParseError(f"{name} has {pages} pages (limit {limits.pdf_pages}). Split it.", reason="limit")
    title, metadata, keywords = _information(document)
    composer = Composer(name, limits, title=stated_title(title, file_names=False))
    found = list(_page_texts(document))
    broken = found.count(None)
    if pages and broken == pages:
        raise ParseError(f"{name} is a broken PDF: none of its {pages} pages can be read. Print it to a new PDF file.")
    unreadable = [number for number, text in enumerate(found) if _is_unreadable(text or "")]
    blank = sum(text is not None and not clean(text).strip() for text in found)
    texts = without_furniture(["" if number in unreadable else clean(text or "") for number, text in enumerate(found)])
    _write_pages(composer, texts, outline_of(document))
    if composer.blank and unreadable:
        raise ParseError(
            f"{name} has no readable text: its fonts have no Unicode mapping. Run text recognition on it.",
            reason="empty",
        )
    if composer.blank:
        raise ParseError(f"{name} holds no text in its {pages} pages. Run text recognition on it.", reason="empty")
    counts = {"pages_without_characters": len(unreadable), "pages_without_text": blank, "broken_pages": broken}
    metadata |= {"pages": pages} | {key: count for key, count in counts.items() if count}
    return composer.finish(
        fallback_title=fallback_title, tags=words_of(keywords), metadata=json_values(metadata, limits, name)
    )


def _page_texts(document: PdfDocument) -> Iterator[str | None]:
    """Yield the text of each page, with words divided at the end of a line rejoined; None for a broken page.

    Glyphs without a character in the file become U+FFFD.
    """
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
            text = text_of(text_page)
            is_lost = _is_without_map(text_page)
            text_page.close()
            page.close()
        except PdfiumError:
            yield None
            continue
        yield re.sub(r"\S", REPLACED, text) if is_lost else _JOINED.sub("", text).replace("\ufffe", "-")


def _is_without_map(page: PdfTextPage) -> bool:
    """Return whether the fonts of a page have no Unicode mapping; the first glyphs show it. Its extracted characters are then meaningless."""
    count: int = min(page.count_chars(), _GLYPHS)
    lost = sum(int(raw.FPDFText_HasUnicodeMapError(page, number) == 1) for number in range(count))
    return lost > count * _MAX_LOST_SHARE


def _write_pages(composer: Composer, texts: Sequence[str], outline: Mapping[int, Sequence[tuple[int, str]]]) -> None:
    """Write pages below the sections of the outline that begin on or before them."""
    for number, text in enumerate(texts):
        for level, title in outline.get(number, ()):
            composer.heading(_FIRST_LEVEL + level, title)
        if unwrapped := _unwrap(text):
            composer.heading(_PAGE_LEVEL if outline else _FIRST_LEVEL, f"Page {number + 1}")
            composer.write(unwrapped)


def _is_unreadable(text: str) -> bool:
    """Return whether a page's text is glyph numbers: its fonts have no Unicode mapping."""
    visible = [character for character in text if not character.isspace()]
    lost = sum(unicodedata.category(character) in {"Cc", "Co", "Cn"} or character == REPLACED for character in visible)
    return lost > len(visible) * _MAX_LOST_SHARE


def _unwrap(text: str) -> str:
    return _WRAPPED.sub(" ", _LEADERS.sub(r"\1 ", _HYPHEN.sub("", text))).strip()


def _information(document: PdfDocument) -> tuple[str, dict[str, object], str]:
    """Return title, metadata and keywords."""
    values = {key: one_line(value)[:2000] for key, value in document.get_metadata_dict().items()}
    metadata: dict[str, object] = {
        key.lower(): values[key] for key in ("Author", "Subject", "Creator", "Producer") if values.get(key)
    }
    if created := _time(values.get("CreationDate", "")):
        metadata["created"] = created
    return values.get("Title", ""), metadata, values.get("Keywords", "")


def _time(value: str) -> dt.datetime | None:
    """Parse the time in ``D:20220406201541+02'00'`` (ISO 32000-1, 7.9.4); everything but the year may be missing."""
    match = _CREATED.match(value)
    if match is None:
        return None
    year, month, day, hour, minute, second = (
        int(part or otherwise) for part, otherwise in zip(match.groups()[:6], "011000", strict=True)
    )
    hours, minutes = (match[7] or "").removesuffix("Z"), match[8] or "0"
    try:
        offset = dt.timedelta(hours=int(hours or 0), minutes=int(hours[:1] + minutes if hours else 0))
        zone = dt.timezone(offset) if match[7] else None
        return dt.datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
