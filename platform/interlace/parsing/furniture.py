"""The parts of a page that are not text, in PDF and in plain text with form feeds: running heads and page numbers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interlace.parsing.decoding import one_line

_EDGE_LINES = 2  # lines at the top and at the bottom of a page that may be furniture
_MIN_PAGES = 3
_MIN_NUMBERED = 2
_DIGITS = 4
_MAX_LINE_CHARACTERS = 200
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_MARK = re.compile(r"\[Page \d+\]\s*$")
_COLUMNS = re.compile(r"\S {2,}\S.*? {2,}\S")


def without_furniture(pages: Sequence[str]) -> list[str]:
    """Return the texts of pages without running heads and page numbers.

    These are first or last lines that, ignoring numbers, recur at the same position on at least three pages and on half of those with text, where
    even and odd pages are also counted separately; and those with the number of their page that recur on two pages, as the heads of chapters do.
    A last line with ``[Page 2]`` is one by itself, as is a first line of columns below it.
    """
    lines = [[line for line in page.split("\n") if line.strip()] for page in pages]
    common = _furniture(lines) | _numbered(lines) | _marked(lines)
    sides = (common | _furniture(lines[0::2]), common | _furniture(lines[1::2]))
    return [_body(page, lines[number], sides[number % 2]) for number, page in enumerate(pages)]


def _furniture(pages: Sequence[Sequence[str]]) -> set[tuple[int, str]]:
    nonempty = [page for page in pages if page]
    counts = Counter(place for page in nonempty for place in set(_edges(page)))
    least = max(_MIN_PAGES, -(-len(nonempty) // 2))
    return {place for place, count in counts.items() if count >= least}


def _numbered(pages: Sequence[Sequence[str]]) -> set[tuple[int, str]]:
    """Return the lines that begin or end with the number of their page, which is its index plus the same on all pages."""
    found: dict[tuple[int, str], Counter[int]] = {}
    pages_by_first: Counter[int] = Counter()
    for index, page in enumerate(pages):
        firsts: set[int] = set()
        for place in _edges(page):
            words = page[place[0]].split()
            numbers = (int(word) for word in (words[0], words[-1]) if word.isdecimal() and len(word) <= _DIGITS)
            possible = {number - index for number in numbers}
            found.setdefault(place, Counter()).update(possible)
            firsts |= possible
        pages_by_first.update(firsts)
    first, count = next(iter(pages_by_first.most_common(1)), (0, 0))
    return {place for place, counts in found.items() if count >= _MIN_PAGES and counts[first] >= _MIN_NUMBERED}


def _marked(pages: Sequence[Sequence[str]]) -> set[tuple[int, str]]:
    """Return the last lines that say by their brackets that they number a page, and the lines of columns with which the next pages begin."""
    found: set[tuple[int, str]] = set()
    for page, below in pairwise([*pages, []]):
        if page and _MARK.search(page[-1]):
            found.add((-1, _shape(page[-1])))
            if below and _COLUMNS.search(below[0]):
                found.add((0, _shape(below[0])))
    return found


def _edges(page: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the position of each line at an edge, from the top 0, 1 and from the bottom -1, -2, and the line without its numbers."""
    for at in (*range(_EDGE_LINES), *range(-_EDGE_LINES, 0)):
        if -len(page) <= at < len(page) and len(page[at]) <= _MAX_LINE_CHARACTERS:
            yield at, _shape(page[at])


def _shape(line: str) -> str:
    return _NUMBER.sub("#", one_line(line)).casefold()


def _body(page: str, lines: Sequence[str], furniture: set[tuple[int, str]]) -> str:
    """Return a page without the furniture at its edges; a page with nothing else is kept whole."""
    places = dict(_edges(lines))
    first = next((at for at in range(_EDGE_LINES) if (at, places.get(at, "")) not in furniture), _EDGE_LINES)
    last = next((at for at in range(_EDGE_LINES) if (-1 - at, places.get(-1 - at, "")) not in furniture), _EDGE_LINES)
    if first + last >= len(lines):
        return page
    whole = page.split("\n")
    filled = [at for at, line in enumerate(whole) if line.strip()]
    return "\n".join(whole[filled[first] : filled[-1 - last] + 1])
