"""A dependency tree as plain lists, and the phrases in it.

spaCy creates a Python object for every step through its tree; copying the whole parse once is several times cheaper.
"""

import re
from collections.abc import Iterator
from typing import Final

from interlace.extraction.entity_spans import EntitySpan
from interlace.ports.syntax import SyntaxDoc

MAX_WORDS = 12
MAX_CONJUNCTS = 12

_INSIDE = frozenset({"compound", "amod", "nummod", "nmod", "poss", "case", "quantmod", "advmod", "npadvmod", "punct"})
_DETERMINERS = frozenset({"DET", "PRON"})
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d\d)\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_AMOUNTS: Final = frozenset({"MONEY", "PERCENT", "QUANTITY"})
_COUNT = re.compile(r"\d[\d.,]*(?: (?:thousand|million|billion))?")
_PLACES = """
area borough canton capital city community county department district governorate hamlet island kingdom municipality neighborhood
neighbourhood parish peninsula port prefecture principality province region republic state suburb territory town village
"""
_KINDS_OF_PLACES = frozenset(_PLACES.split())


class DependencyTree:
    """The parse of one chunk."""

    def __init__(self, doc: SyntaxDoc, spans: list[EntitySpan]) -> None:
        self.doc = doc
        self.text = doc.text
        tokens = list(doc)
        self.words: list[str] = [token.text for token in tokens]
        self.lower: list[str] = [word.lower() for word in self.words]
        self.deps: list[str] = [token.dep_ for token in tokens]
        self.tags: list[str] = [token.tag_ for token in tokens]
        self.kinds: list[str] = [token.pos_ for token in tokens]
        self.heads = doc.heads
        self.children: list[list[int]] = [[] for _ in self.words]
        for index, head in enumerate(self.heads):
            if head != index:
                self.children[head].append(index)
        self.entity_at = {index: span for span in spans for index in range(span.first, span.last)}
        self.date_at: dict[int, tuple[int, int]] = {}
        self.amount_at: dict[int, tuple[int, int]] = {}
        for entity in doc.ents:
            values = self._values(entity.label_, entity.text)
            if values is not None:
                values.update((index, (entity.start, entity.end)) for index in range(entity.start, entity.end))

    def _values(self, label: str, text: str) -> dict[int, tuple[int, int]] | None:
        """Return the map that a recognised value belongs in: calendar dates, or amounts with digits; None for "a few days"."""
        if label == "DATE" and _DATE.search(text):
            return self.date_at
        if label in _AMOUNTS or (label == "CARDINAL" and _COUNT.fullmatch(text)):
            return self.amount_at if any(map(str.isdigit, text)) else None
        return None

    def child(self, index: int, *deps: str) -> int | None:
        """Return the first child of a token with one of these dependency labels."""
        return next((child for child in self.children[index] if self.deps[child] in deps), None)

    def conjuncts(self, index: int) -> Iterator[int]:
        """Yield the token and its conjuncts (joined by "and" or commas), at most twelve."""
        waiting = [index]
        for _ in range(MAX_CONJUNCTS):
            if not waiting:
                return
            index = waiting.pop(0)
            yield index
            waiting.extend(child for child in self.children[index] if self.deps[child] == "conj")

    def entities(self, index: int) -> Iterator[int]:
        """Yield the tokens of the entities that a noun and its conjuncts name: itself, "the architect *Benson*", "the town of *Sines*"."""
        if any(self.lower[child] in {"or", "nor"} for child in self.children[index] if self.deps[child] == "cc"):
            return
        for joined in self.conjuncts(index):
            named = self._named(joined)
            if named is not None:
                yield named

    def _named(self, index: int) -> int | None:
        if index in self.entity_at:
            article = self.child(index, "det")
            of_many = article is not None and self.lower[article] in {"a", "an"}  # "an API": one of a kind, not a name
            return None if of_many or self._is_part(self.entity_at[index]) else index
        beside = self.child(index, "appos")
        if beside is not None and beside in self.entity_at and not self._has_comma(index, beside):
            return beside
        of = self.child(index, "prep") if self.lower[index] in _KINDS_OF_PLACES else None
        pobj = self.child(of, "pobj") if of is not None and self.lower[of] == "of" else None
        return pobj if pobj in self.entity_at else None

    def _has_comma(self, first: int, last: int) -> bool:
        return any(self.lower[index] in {",", "(", ":", "-", "\u2013", "\u2014"} for index in range(first, last))

    def _is_part(self, span: EntitySpan) -> bool:
        """Return whether a name was cut out of a longer one: "Lay" of "Frito - Lay", "Ranch Doritos" of "Cool Ranch Doritos"."""
        before, after = span.first - 1, span.last
        if before >= 0 and (self.words[before] in {"-", "\u2013", "&", "/"} or self._is_compound(before, span)):
            return True
        return after < len(self.words) and (
            self.words[after] in {"&", "/"} or self.text[span.mention.end : span.mention.end + 1] == "-"
        )

    def _is_compound(self, before: int, span: EntitySpan) -> bool:
        inside = span.first <= self.heads[before] < span.last
        return (
            inside
            and self.deps[before] == "compound"
            and self.kinds[before] == "PROPN"
            and before not in self.entity_at
        )

    def is_measured(self, index: int) -> bool:
        """Return whether a token is part of an amount with its unit ("210 euros"), not of a bare number."""
        span = self.amount_at.get(index) if index not in self.entity_at else None
        return span is not None and not _COUNT.fullmatch(self.text_of(*span))

    def phrase(self, index: int) -> str | None:
        """Return the entity, date, amount or noun phrase (at most twelve words) around a token; None for pronouns and the like."""
        span = self.entity_at.get(index)
        if span:
            return span.mention.surface
        value = self.date_at.get(index) or self.amount_at.get(index)
        if value:
            return self._text(*value)
        if self.kinds[index] not in {"NOUN", "PROPN"} or self._is_torn(index):
            return None
        first = index
        while first > 0 and self.deps[first - 1] in _INSIDE and self._below(first - 1, index):
            first -= 1
        while first < index and (self.kinds[first] in _DETERMINERS or self.deps[first] in {"punct", "case"}):
            first += 1
        text = self._text(first, self._of_phrase(index))
        return None if text is None or "(" in text else text

    def text_of(self, first: int, last: int) -> str:
        """Return the text of a token range, which must not be empty."""
        end = self.doc[last - 1]
        return self.text[self.doc[first].idx : end.idx + len(end)]

    def _is_torn(self, index: int) -> bool:
        """Return whether a token is half of a hyphenated word, or not a word."""
        follows = self.words[index + 1] if index + 1 < len(self.words) else ""
        return follows == "-" or not any(character.isalnum() for character in self.words[index])

    def _below(self, index: int, head: int) -> bool:
        """Return whether a token is a descendant of another, at most four levels down."""
        for _ in range(4):
            index = self.heads[index]
            if index == head:
                return True
        return False

    def _of_phrase(self, index: int) -> int:
        """Return the end of a noun phrase, including an "of" complement."""
        of = self.child(index, "prep")
        if of != index + 1 or self.lower[of] != "of":
            return index + 1
        pobj = self.child(of, "pobj")
        if pobj is None:
            return index + 1
        span = self.entity_at.get(pobj)
        return span.last if span else pobj + 1

    def _text(self, first: int, last: int) -> str | None:
        text = self.text_of(first, last) if last - first <= MAX_WORDS else "\n"
        return None if "\n" in text else text
