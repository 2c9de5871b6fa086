"""The text of a PDF page in reading order, from PDFium's words and their positions."""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from pypdfium2 import PdfTextPage, raw

from interlace.parsing.pdf.layout import in_reading_order
from interlace.parsing.pdf.pieces import HYPHEN, Piece
from interlace.parsing.pdf.rules import RuledTable, ruled_tables

_TOKEN = re.compile(rf"[^\s{HYPHEN}]+{HYPHEN}?|{HYPHEN}|\n")
_MAX_WORDS = 5_000  # on a page that is reordered
_FARTHEST = 20_000.0  # points; a page may measure 14,400
_GAP = 0.8  # least gap between pieces of a line, in line heights
_LEVEL = 0.5  # largest vertical offset between words of a piece, in line heights
_TALL = 1.6  # words taller than this many glyphs are set vertically
_MAX_TALL_SHARE = 0.5
_QUARTER = math.pi / 2
PlacedWord = tuple[str, int, tuple[float, float, float, float]]
"""Text, quarter turns clockwise, and left, top, right and bottom as a reader of that text sees it."""


def text_of(page: PdfTextPage) -> str:
    """Return the text of a page in reading order: lines, table rows with `` | `` between cells, and ``HYPHEN`` where a word is divided.

    A page with too many words, unbounded boxes, or vertical lines of text stays in file order.
    """
    text: str = page.get_text_range().replace("\r\n", "\n")
    if len(text) > _MAX_WORDS and sum(1 for _ in _TOKEN.finditer(text)) > _MAX_WORDS:
        return text
    tables = ruled_tables(page.page)
    try:
        turned = _pieces(page, tables)
    except ValueError:
        return text
    largest_first = sorted(turned.values(), key=lambda pieces: -sum(len(piece.text) for piece in pieces))
    return "\n".join(in_reading_order(pieces, tables if pieces is turned.get(0) else ()) for pieces in largest_first)


def _pieces(page: PdfTextPage, tables: Sequence[RuledTable]) -> dict[int, list[Piece]]:
    """Return the pieces of a page by the quarter turns of their text.

    Raises:
        ValueError: the positions cannot be trusted.
    """
    found: defaultdict[int, list[Piece]] = defaultdict(list)
    last_turns, number = -1, 0
    for line, (word, turns, (left, top, right, bottom)) in _words(page):
        height, pieces = bottom - top, found[turns]
        last = pieces[-1] if pieces and last_turns == turns else None
        if (
            last is not None
            and last.line == line
            and -height < left - last.right <= _GAP * height
            and abs(last.middle - (top + bottom) / 2) <= _LEVEL * height
            and not (turns == 0 and any(table.parts(last.right, left, last.middle) for table in tables))
        ):
            pieces[-1] = Piece(
                f"{last.text} {word}", last.number, line, last.left, min(last.top, top), right, max(last.bottom, bottom)
            )
        else:
            pieces.append(Piece(word, number, line, left, top, right, bottom))
            number += 1
        last_turns = turns
    return found


def _words(page: PdfTextPage) -> Iterator[tuple[int, PlacedWord]]:
    """Yield the number of the file's line and each of its words; stacked glyphs, which PDFium takes for a word, one by one."""
    text = page.get_text_range()
    index = _indices(page, text)
    rectangle = raw.FS_RECTF()
    line = tall = words = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word == "\n":
            line += 1
            continue
        is_divided = word[-1] == HYPHEN
        first, last = index(match.start()), index(match.end() - 1 - (is_divided and len(word) > 1))
        turns = round(raw.FPDFText_GetCharAngle(page, first) / _QUARTER) % 4
        glyph = box = _box(page, first, turns, rectangle)
        if last != first:
            end = _box(page, last, turns, rectangle)
            box = (min(box[0], end[0]), min(box[1], end[1]), max(box[2], end[2]), max(box[3], end[3]))
        words += 1
        if box[3] - box[1] > _TALL * (glyph[3] - glyph[1]):
            tall += 1
            for at, character in enumerate(word.rstrip(HYPHEN), match.start()):
                yield line + at - match.start(), (character, turns, _box(page, index(at), turns, rectangle))
            line += len(word)
        else:
            yield line, (word, turns, box)
        line += is_divided
    if tall > words * _MAX_TALL_SHARE:
        raise ValueError


def _indices(page: PdfTextPage, text: str) -> Callable[[int], int]:
    """Return a function from a character's index in the text to its glyph number."""
    if len(text) == page.count_chars():
        return lambda at: at
    # Characters beyond the basic multilingual plane are two units of PDFium's text.
    units = [0]
    for character in text:
        units.append(units[-1] + 1 + (character > "\uffff"))
    return lambda at: max(0, raw.FPDFText_GetCharIndexFromTextIndex(page, units[at]))


def _box(page: PdfTextPage, glyph: int, turns: int, rectangle: raw.FS_RECTF) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a glyph's box, x growing to the right and y downwards for the reader of its text.

    Raises:
        ValueError: the box has no bounds.
    """
    raw.FPDFText_GetLooseCharBox(page, glyph, rectangle)
    x1, y1, x2, y2 = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
    if x1 > x2 or y1 > y2:
        (x1, x2), (y1, y2) = sorted((x1, x2)), sorted((y1, y2))
    if not (-_FARTHEST < x1 <= x2 < _FARTHEST and -_FARTHEST < y1 <= y2 < _FARTHEST):
        raise ValueError(glyph)
    match turns:
        case 0:
            return x1, -y2, x2, -y1
        case 1:
            return -y2, -x2, -y1, -x1
        case 2:
            return -x2, y1, -x1, y2
        case _:
            return y1, x1, y2, x2
