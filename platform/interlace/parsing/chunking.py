"""Content-defined chunking: sections are cut at boundaries that the text itself determines.

If chunks were cut by a running count, a paragraph inserted at the top of a long section would shift every later chunk. Here the boundary
between two units (paragraphs; sentences or words of a paragraph that is too long) gets a priority: a hash of the characters next to it.
A stretch longer than ``_STRETCH_CHUNKS`` chunks is halved at its boundary of lowest priority, again and again, and each stretch that
remains is filled from its left. Stretches are the nodes of a Cartesian tree over the priorities (Vuillemin 1980), so whether one exists
depends on nothing further away than one stretch: an edit changes only the chunks near it. Hash-based boundaries are the idea of
low-bandwidth network file systems (Muthitacharoen et al. 2001).
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.ids import chunk_id
from interlace.parsing.cited_titles import cited_titles, outside
from interlace.text.collocations import Collocations
from interlace.text.counting import LONG_WORD, count_tokens, count_words, word_weight
from interlace.text.fields import participants
from interlace.text.sentences import paragraph_spans, sentence_spans, strip_span
from interlace.text.truecasing import capitalised, words_by_nature_small

_STRETCH_CHUNKS = 4
_HASHED_CHARACTERS = 48  # on each side of a boundary
_WORD = re.compile(r"[^\W\d_]\w+")
_NAME = re.compile(r"[^\W\d_]\w*(?:-\w+)*")
_WORDS_OF_HEADING = re.compile(r"[A-Z][a-z]*(?: [\w'-]+)+")  # of a link to a heading
_CUT = re.compile(rf"\S{{1,{LONG_WORD}}}")


class TextUnit(NamedTuple):
    """An indivisible paragraph, sentence or word: offsets in the document's text, and its number of words."""

    start: int
    end: int
    words: int


def chunk(document_id: str, parsed: ParsedDocument, max_words: int) -> tuple[Chunk, ...]:
    """Return the chunks of a document, in order. None crosses a section, and each non-blank character is in exactly one.

    A section of at most ``max_words`` words is one chunk. Equal chunks under one heading are numbered, so that their ids differ.

    Args:
        document_id: part of each chunk's id.
        parsed: text and sections.
        max_words: words that a chunk may hold, as ``count_words`` counts them.
    """
    chunks: list[Chunk] = []
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    literals = (parsed.text[start:end] for start, end in parsed.literals)
    coded = _code_words(literal for literal in literals if not _WORDS_OF_HEADING.fullmatch(literal))
    cited = cited_titles(parsed) if parsed.literals else ()
    prose = "\n".join(outside(parsed.text, parsed.literals)) if parsed.literals else ""
    small, collocations = words_by_nature_small(prose), Collocations(prose)
    people = participants(parsed.text, parsed.metadata)
    for section in parsed.sections:
        path = (parsed.title, *section.path)
        for start, end in _cut_section(parsed, section.start, section.end, max_words):
            text = parsed.text[start:end]
            identity = chunk_id(document_id, path, text, seen[path, text])
            seen[path, text] += 1
            tokens = count_tokens(text)
            chunks.append(
                Chunk(
                    *(identity, document_id, path, section.ordinal, len(chunks), text, start, end, tokens),
                    literals=_within(parsed.literals, start, end),
                    code_words=tuple(sorted(coded & _code_words([text]))) if coded else (),
                    small_words=capitalised(text, small) if small else (),
                    loose_pairs=collocations.loose(text) if prose else (),
                    cited=_within(cited, start, end),
                    participants=_addressed(people, text) if people else (),
                )
            )
    return tuple(chunks)


def _code_words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _addressed(people: Iterable[str], text: str) -> tuple[str, ...]:
    """Return those of several people whose first name a text has."""
    words = set(_NAME.findall(text))
    return tuple(sorted(name for name in people if name.split()[0] in words))


def _within(spans: Sequence[tuple[int, int]], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the spans that overlap a chunk, as offsets in its text."""
    overlapping = spans[bisect_right(spans, start, key=itemgetter(1)) : bisect_left(spans, (end, 0))]
    return tuple((max(first, start) - start, min(last, end) - start) for first, last in overlapping)


def _cut_section(parsed: ParsedDocument, start: int, end: int, max_words: int) -> Iterator[tuple[int, int]]:
    text = parsed.text
    stripped = next(strip_span(text, start, end), None)
    if stripped is None:
        return
    start, end = stripped
    if count_words(text[start:end]) <= max_words:
        yield start, end
        return
    units = list(_joined(parsed, _units(text, start, end, max_words), max_words))
    for stretch in _stretches(text, units, _STRETCH_CHUNKS * max_words):
        yield from _fill(stretch, max_words)


def _units(text: str, start: int, end: int, max_words: int) -> Iterator[TextUnit]:
    """Yield paragraphs; the sentences of one that is too long, and the words of a sentence that is too long."""
    for paragraph in _counted(text, paragraph_spans(text, start, end)):
        if paragraph.words <= max_words:
            yield paragraph
            continue
        for sentence in _counted(text, sentence_spans(text, paragraph.start, paragraph.end)):
            if sentence.words <= max_words:
                yield sentence
            else:
                yield from _words(text, sentence)


def _joined(parsed: ParsedDocument, units: Iterable[TextUnit], max_words: int) -> Iterator[TextUnit]:
    """Yield units, merging those that belong together and fit: a code block with blank lines, a list and the line that introduces it."""
    last: TextUnit | None = None
    for unit in units:
        if last is not None and last.words + unit.words <= max_words and _belong_together(parsed, last, unit):
            last = TextUnit(last.start, unit.end, last.words + unit.words)
            continue
        if last is not None:
            yield last
        last = unit
    if last is not None:
        yield last


def _belong_together(parsed: ParsedDocument, last: TextUnit, unit: TextUnit) -> bool:
    if parsed.text[last.end - 1] == ":":
        return True
    at = bisect_right(parsed.literals, unit.start, key=itemgetter(0)) - 1
    return at >= 0 and parsed.literals[at][0] < last.end and unit.start < parsed.literals[at][1]


def _words(text: str, sentence: TextUnit) -> Iterator[TextUnit]:
    """Yield the words of a sentence; a word that counts as several is cut into pieces of equal length."""
    for match in _CUT.finditer(text, sentence.start, sentence.end):
        start, end = match.span()
        weight = 1 if match[0].isascii() else word_weight(match[0])
        size = -(-(end - start) // weight)
        for left in range(start, end, size):
            yield TextUnit(left, min(left + size, end), 1)


def _counted(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[TextUnit]:
    return (TextUnit(start, end, count_words(text[start:end])) for start, end in spans)


def _stretches(text: str, units: Sequence[TextUnit], limit: int) -> Iterator[Sequence[TextUnit]]:
    """Yield runs of at most ``limit`` words, cut at the boundary of lowest priority."""
    totals = [0, *accumulate(unit.words for unit in units)]
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
            # Repeated text has equal priorities: searching from the middle keeps the halves even.
            cut = priorities.index(lowest, middle, last)
        except ValueError:
            cut = priorities.index(lowest, first + 1, middle)
        stack += [(cut, last), (first, cut)]


def _priority(text: str, units: Sequence[TextUnit], index: int) -> int:
    """Return the hash of the characters on both sides of the boundary before a unit, within the section."""
    before, after = units[index - 1].end, units[index].start
    left = text[max(units[0].start, before - _HASHED_CHARACTERS) : before]
    right = text[after : min(units[-1].end, after + _HASHED_CHARACTERS)]
    return crc32(f"{left}\x1f{right}".encode())


def _fill(units: Sequence[TextUnit], max_words: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the fewest chunks that can hold the units, filled evenly, so that none is much smaller than the others."""
    total = sum(unit.words for unit in units)
    target = total / max(1, -(-total // max_words))
    start, end, words = units[0].start, units[0].start, 0
    for unit in units:
        if words and (words + unit.words > max_words or words >= target):
            yield start, end
            start, words = unit.start, 0
        words += unit.words
        end = unit.end
    yield start, end
