"""Candidate sentences: the hits' chunks, split into sentences that can be quoted verbatim."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from interlace.domain.answers import Citation
from interlace.domain.hits import Hit
from interlace.text.greetings import is_greeting
from interlace.text.sentences import sentence_spans

_MAX_SENTENCE_CHARACTERS = 500
_CELLS = " | "
_MIN_COLUMNS = 3
_INTRODUCES = re.compile(r":[ \t]*\n[ \t]*\n?>")  # ``Heike wrote:`` above a quotation
_DIGIT = re.compile(r"\d")
# A full stop after an initial or a title does not end a sentence: ``J. K. Rowling``, ``Dr. Smith``.
_ABBREVIATED = re.compile(
    r"(?:(?<![^\W_])[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|Jr|Sr|Prof|Rev|Gen|Col|Lt|Sgt|Capt|Hon|Gov|Sen|Rep|No|Vol|Op|vs|ca?|approx|e\.g|i\.e))\.\Z"
)


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of a hit.

    Args:
        hit: the hit.
        place: its place among the sentences of the hit that may be quoted, from 0.
        start: offset of its first character in the hit's chunk.
        end: offset after its last character.
        columns: of a row of a table, the names of its columns if a header names them.
    """

    hit: Hit
    place: int
    start: int
    end: int
    columns: tuple[str, ...] = ()

    @property
    def quote(self) -> str:
        """The sentence, verbatim."""
        return self.hit.text[self.start : self.end]

    @property
    def text(self) -> str:
        """The sentence on one line; each cell of a row after the name of its column."""
        if self.columns:
            named = zip(self.columns, _cells(self.quote), strict=True)
            return _CELLS.join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
        return " ".join(self.quote.split())


def split_hits(hits: Sequence[Hit]) -> list[EvidenceSentence]:
    """Return the sentences of the hits, hit by hit and in the order of the text, without greetings, headers of tables, and what a reply quotes from another hit."""
    said = {hit.chunk_id: _without_quotations(hit.text) for hit in hits}
    found: list[EvidenceSentence] = []
    for hit in hits:
        others = [words for chunk, words in said.items() if chunk != hit.chunk_id]
        found += (EvidenceSentence(hit, place, *each) for place, each in enumerate(_quotable(hit.text, others)))
    return found


def cite(hit: Hit, start: int, end: int, number: int) -> Citation:
    """Return the citation of a span of a hit.

    Args:
        hit: the hit.
        start: offset of the first character in its chunk.
        end: offset after the last character.
        number: the footnote's number.
    """
    return Citation(
        number=number,
        chunk_id=hit.chunk_id,
        document_id=hit.document_id,
        title=hit.title,
        source_uri=hit.source_uri,
        section=hit.section,
        start=hit.start + start,
        end=hit.start + end,
        quote=hit.text[start:end],
    )


def _quotable(text: str, others: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the spans of sentences other than headers and those that say nothing, each with the names of a row's columns."""

    def table(span: tuple[int, int]) -> int:
        # Rows of one table have no empty line between them.
        return text.count("\n\n", 0, span[0]) if _CELLS in text[slice(*span)] else -1

    for number, group in groupby(_saying(text, others), table):
        run = list(group)
        rows = [_cells(text[slice(*span)]) for span in run] if number >= 0 else []
        header = tuple(rows[0]) if _names_columns(rows) else ()
        for at, (start, end) in enumerate(run):
            if not (header and at == 0):
                yield start, end, header if header and len(rows[at]) == len(header) else ()


def _saying(text: str, others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences that are no greetings; of what a reply quotes, without its marks, those that no other text says itself."""
    for start, end in _whole_sentences(text):
        line = text.rfind("\n", 0, start) + 1
        quotes = text.startswith(">", line)
        begin = max(start, end - len(text[line:end].lstrip("> "))) if quotes else start
        again = quotes and any(" ".join(text[begin:end].split()) in words for words in others)
        if not (again or _INTRODUCES.match(text, end - 1) or is_greeting(text[begin:end])):
            yield begin, end


def _without_quotations(text: str) -> str:
    return " ".join(" ".join(line.split()) for line in text.split("\n") if not line.startswith(">"))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split(_CELLS)]


def _names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first of some rows names the columns: one without a digit has one in every row below.

    Rows of two cells may each be a name and its value, and the cells of spreadsheets have their names already.
    """
    if not rows or len(rows[0]) < _MIN_COLUMNS or any(": " in cell for cell in rows[0]):
        return False
    below = [row for row in rows[1:] if len(row) == len(rows[0])]
    columns = zip(rows[0], *below, strict=True)
    return bool(below) and any(
        name and not _DIGIT.search(name) and all(map(_DIGIT.search, cells)) for name, *cells in columns
    )


def _whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences with words, rejoined where the splitter split at an abbreviation, and cut where one is very long."""
    begun: int | None = None
    for start, end in sentence_spans(text):
        if not any(map(str.isalnum, text[start:end])):
            continue  # a rule, or a mark on a line of its own
        first = start if begun is None else begun
        if _ABBREVIATED.search(text, first, end) and text[end : end + 1] == " ":
            begun = first
            continue
        begun = None
        yield first, _cut(text, first, end)
    if begun is not None:
        yield begun, _cut(text, begun, len(text.rstrip()))


def _cut(text: str, start: int, end: int) -> int:
    """Return the end of a sentence, or of the last word that fits where it is longer than a quote should be."""
    if end - start <= _MAX_SENTENCE_CHARACTERS:
        return end
    return start + len(text[start : start + _MAX_SENTENCE_CHARACTERS].rsplit(maxsplit=1)[0])
