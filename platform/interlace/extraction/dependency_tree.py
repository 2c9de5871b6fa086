"""A dependency tree as plain lists, and the phrases in it.

spaCy builds a Python object for every step through its tree; copying the whole parse once is several times cheaper.
"""

from collections.abc import Iterator

from interlace.extraction.entity_spans import EntitySpan
from interlace.ports.syntax import SyntaxDoc

MAX_WORDS = 12
MAX_CONJUNCTS = 12

_INSIDE = frozenset({"compound", "amod", "nummod", "nmod", "poss", "case", "quantmod", "advmod", "npadvmod", "punct"})
_ARTICLES = frozenset({"DET", "PRON"})


class DependencyTree:
    """The parse of one chunk.

    Args:
        doc: the parse.
        spans: the entities found in it.
    """

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
        self.date_at = {
            index: (entity.start, entity.end)
            for entity in doc.ents
            if entity.label_ in {"DATE", "TIME"}
            for index in range(entity.start, entity.end)
        }

    def child(self, index: int, *deps: str) -> int | None:
        """Return the first child of a token with one of these relations."""
        return next((child for child in self.children[index] if self.deps[child] in deps), None)

    def conjuncts(self, index: int) -> Iterator[int]:
        """Yield the token and what is joined to it by "and" or commas, at most twelve."""
        waiting = [index]
        for _ in range(MAX_CONJUNCTS):
            if not waiting:
                return
            index = waiting.pop(0)
            yield index
            waiting.extend(child for child in self.children[index] if self.deps[child] == "conj")

    def phrase(self, index: int) -> str | None:
        """Return the entity, the date or the noun phrase (at most twelve words) around a token; none for pronouns and the like."""
        span = self.entity_at.get(index)
        if span:
            return span.mention.surface
        if index in self.date_at:
            return self._text(*self.date_at[index])
        if self.kinds[index] not in {"NOUN", "PROPN", "NUM", "ADJ"} or self._is_torn(index):
            return None
        first = index
        while first > 0 and self.deps[first - 1] in _INSIDE and self._below(first - 1, index):
            first -= 1
        while first < index and (self.kinds[first] in _ARTICLES or self.deps[first] in {"punct", "case"}):
            first += 1
        return self._text(first, self._of_phrase(index))

    def is_entity(self, index: int) -> bool:
        """Return whether a token belongs to an entity or a date."""
        return index in self.entity_at or index in self.date_at

    def _is_torn(self, index: int) -> bool:
        """Return whether a token is half of a hyphenated word, or no word."""
        follows = self.words[index + 1] if index + 1 < len(self.words) else ""
        return follows == "-" or not any(character.isalnum() for character in self.words[index])

    def _below(self, index: int, head: int) -> bool:
        """Return whether a token hangs below another, at most four steps down."""
        for _ in range(4):
            index = self.heads[index]
            if index == head:
                return True
        return False

    def _of_phrase(self, index: int) -> int:
        """Return the end of a noun phrase, with what "of" adds to it."""
        of = self.child(index, "prep")
        if of != index + 1 or self.lower[of] != "of":
            return index + 1
        held = self.child(of, "pobj")
        if held is None:
            return index + 1
        span = self.entity_at.get(held)
        return span.last if span else held + 1

    def _text(self, first: int, last: int) -> str | None:
        if last - first > MAX_WORDS:
            return None
        end = self.doc[last - 1]
        text = self.text[self.doc[first].idx : end.idx + len(end)]
        return None if "\n" in text else text
