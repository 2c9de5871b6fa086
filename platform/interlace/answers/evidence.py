"""Candidate sentences: the hits' chunks, split into sentences that can be quoted verbatim."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interlace.domain.answers import Citation
from interlace.domain.hits import Hit
from interlace.text.excerpts import one_line
from interlace.text.greetings import is_greeting
from interlace.text.line_marks import without_marks
from interlace.text.sentences import quotable_spans

_MAX_SENTENCE_CHARACTERS = 500
_INTRODUCES = re.compile(r":[ \t]*\n[ \t]*\n?>")  # ``Heike wrote:`` above a quotation
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
    """

    hit: Hit
    place: int
    start: int
    end: int

    @property
    def quote(self) -> str:
        """The sentence, verbatim."""
        return self.hit.text[self.start : self.end]

    @property
    def text(self) -> str:
        """The sentence on one line."""
        return one_line(self.quote)


def split_hits(hits: Sequence[Hit]) -> list[EvidenceSentence]:
    """Return the sentences of the hits, hit by hit and in the order of the text, without greetings and what a reply quotes from another hit."""
    said = {hit.chunk_id: _without_quotations(hit.text) for hit in hits}
    found: list[EvidenceSentence] = []
    for hit in hits:
        others = [words for chunk, words in said.items() if chunk != hit.chunk_id]
        found += (EvidenceSentence(hit, place, *each) for place, each in enumerate(_saying(hit.text, others)))
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


def _saying(text: str, others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences that are no greetings; of what a reply quotes, without its marks, those that no other text says itself."""
    for start, end in _whole_sentences(text):
        line = text.rfind("\n", 0, start) + 1
        quotes = text.startswith(">", line)
        begin = max(start, end - len(text[line:end].lstrip("> "))) if quotes else start
        again = quotes and any(one_line(text[begin:end]) in words for words in others)
        if not (again or _INTRODUCES.match(text, end - 1) or is_greeting(without_marks(text[begin:end]).strip())):
            yield begin, end


def _without_quotations(text: str) -> str:
    return " ".join(one_line(line) for line in text.split("\n") if not line.startswith(">"))


def _whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences with words, rejoined where the splitter split at an abbreviation, and cut where one is very long."""
    begun: int | None = None
    for start, end in quotable_spans(text):
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
