"""Chunks: a document's sections cut at places that the text itself decides.

Cut by running count, one paragraph inserted at the top of a long section would move every later chunk. Here the boundary between two
units (paragraphs; sentences or words of a paragraph that is too long) gets a priority: a hash of the characters next to it. A
stretch above ``_BLOCK`` chunks is halved at its boundary of lowest priority, again and again; what remains is filled from its left.
The stretches are the nodes of a Cartesian tree over the priorities, so whether one stands depends on nothing further away than
one stretch: an edit changes the chunks near it and no others (``tests/property/test_chunking_locality.py``).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from zlib import crc32

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.ids import chunk_id

Span = tuple[int, int, int]  # start, end, words

_BLOCK = 4
_SEEN = 48
_LONG_WORD = 256
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_SENTENCE = re.compile(
    "(?<=[.!?\u2026])[\"'\u201d\u2019)\\]]*\\s+(?=[\"'\u201c\u2018(\\[]?[^\\W_a-z])|(?<=[\u3002\uff01\uff1f])|\n"
)
_CUT = re.compile(rf"\S{{1,{_LONG_WORD}}}")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_TOKEN = re.compile(r"\w+|[^\w\s]")


def chunk(document_id: str, parsed: ParsedDocument, max_words: int) -> tuple[Chunk, ...]:
    """Return the chunks of a document, in order; none crosses a section, each non-blank character is in exactly one.

    A section of at most ``max_words`` words (parted by white space) is one chunk.

    Args:
        document_id: part of each chunk's id.
        parsed: text and sections.
        max_words: words a chunk may hold.
    """
    chunks: list[Chunk] = []
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    for section in parsed.sections:
        path = (parsed.title, *section.path)
        for start, end in _cut_section(parsed.text, section.start, section.end, max_words):
            text = parsed.text[start:end]
            identity = chunk_id(document_id, path, text, seen[path, text])
            seen[path, text] += 1
            tokens = count_tokens(text)
            chunks.append(Chunk(identity, document_id, path, section.ordinal, len(chunks), text, start, end, tokens))
    return tuple(chunks)


def count_tokens(text: str) -> int:
    """Return the number of words and punctuation marks."""
    return len(_TOKEN.findall(text))


def count_words(text: str) -> int:
    """Return the number of words: runs without white space, where very long runs and scripts without spaces count as several."""
    words = text.split()
    if len(text) > _LONG_WORD and max(map(len, words), default=0) > _LONG_WORD:
        return sum(_weight(word) for word in words)
    if not text.isascii() and _IDEOGRAPH.search(text):
        return sum(_weight(word) for word in words)
    return len(words)


def _weight(word: str) -> int:
    ideographs = 0 if word.isascii() else len(_IDEOGRAPH.findall(word))
    return max(1, -(-len(word) // _LONG_WORD), -(-ideographs // 2))


def _cut_section(text: str, start: int, end: int, max_words: int) -> Iterator[tuple[int, int]]:
    stripped = _strip(text, start, end)
    if stripped is None:
        return
    start, end = stripped
    if count_words(text[start:end]) <= max_words:
        yield start, end
        return
    units = list(_units(text, start, end, max_words))
    for block in _blocks(text, units, _BLOCK * max_words):
        yield from _fill(block, max_words)


def _strip(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span without white space at its ends; None if it is blank."""
    piece = text[start:end]
    left = piece.lstrip()
    if not left:
        return None
    start += len(piece) - len(left)
    return start, start + len(left.rstrip())


def _units(text: str, start: int, end: int, max_words: int) -> Iterator[Span]:
    """Yield the paragraphs of a stretch; where one is too long its sentences, and where one of them is, its words."""
    for first in _split(_PARAGRAPH, text, start, end):
        if first[2] <= max_words:
            yield first
            continue
        for second in _split(_SENTENCE, text, first[0], first[1]):
            if second[2] <= max_words:
                yield second
                continue
            for match in _CUT.finditer(text, second[0], second[1]):
                if match[0].isascii():
                    yield match.start(), match.end(), 1
                else:
                    yield from _letters(text, match.start(), match.end())


def _letters(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a word, or the pieces of one that counts as several."""
    weight = _weight(text[start:end])
    size = -(-(end - start) // weight)
    for left in range(start, end, size):
        yield left, min(left + size, end), 1


def _split(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    for match in pattern.finditer(text, start, end):
        # Closing quotes stand before the white space that parts sentences: they stay with the sentence they close.
        yield from _span(text, start, match.end())
        start = match.end()
    yield from _span(text, start, end)


def _span(text: str, start: int, end: int) -> Iterator[Span]:
    stripped = _strip(text, start, end)
    if stripped is not None:
        yield (*stripped, count_words(text[stripped[0] : stripped[1]]))


def _blocks(text: str, units: Sequence[Span], limit: int) -> Iterator[Sequence[Span]]:
    """Yield runs of units of at most ``limit`` words, cut where the priority of a boundary is lowest."""
    totals = [0]
    for unit in units:
        totals.append(totals[-1] + unit[2])
    priorities = [0, *(_priority(text, units, index) for index in range(1, len(units)))]
    stack = [(0, len(units))]
    while stack:
        first, last = stack.pop()
        if totals[last] - totals[first] <= limit or last - first == 1:
            yield units[first:last]
            continue
        lowest = min(priorities[first + 1 : last])
        middle = (first + last + 1) // 2
        try:
            # Repeated text has equal priorities; from the middle on keeps the halves even.
            cut = priorities.index(lowest, middle, last)
        except ValueError:
            cut = priorities.index(lowest, first + 1, middle)
        stack += [(cut, last), (first, cut)]


def _priority(text: str, units: Sequence[Span], index: int) -> int:
    """Return the hash of the characters on both sides of the boundary before a unit, within the section."""
    before, after = units[index - 1][1], units[index][0]
    left = text[max(units[0][0], before - _SEEN) : before]
    right = text[after : min(units[-1][1], after + _SEEN)]
    return crc32(f"{left}\x1f{right}".encode())


def _fill(units: Sequence[Span], max_words: int) -> Iterator[tuple[int, int]]:
    """Yield chunks filled evenly: as few as fit, none much smaller than the others."""
    total = sum(unit[2] for unit in units)
    target = total / max(1, -(-total // max_words))
    start, words = units[0][0], 0
    for position, unit in enumerate(units):
        end = units[position - 1][1] if position else unit[0]
        if words and (words + unit[2] > max_words or words >= target):
            yield start, end
            start, words = unit[0], 0
        words += unit[2]
    yield start, units[-1][1]
