"""Named entity recognition alone, for languages that the rules do not cover: the parser's entities, and no facts."""

from collections.abc import Iterator, Sequence

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction, Mention
from interlace.extraction.candidate_spans import RECOGNISED
from interlace.extraction.entity_spans import MAX_CHARACTERS, MIN_CHARACTERS, TYPES, VALUES
from interlace.extraction.syntax import MAX_CHARACTERS as PARSED_CHARACTERS
from interlace.ports.syntax import SyntaxDoc, SyntaxParser
from interlace.text.tokenizer import plain_function_words

_RULES = 1
"""Bump whenever the same parse could give other names."""
_MAX_NAME_WORDS = 8
_AT_ENDS = " \t\"'\u00ab\u00bb\u201c\u201d\u201e\u2018\u2019()[],;:"


class RecognisedNames:
    """Finds entities in chunks of one language."""

    def __init__(self, parser: SyntaxParser, language: str) -> None:
        self._parser = parser
        self._function_words = plain_function_words(language)

    @property
    def fingerprint(self) -> str:
        """That of the parser with the version of the rules."""
        return f"{self._parser.fingerprint}:names-{_RULES}"

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        """Return one extraction for each chunk, in the same order; the result for a chunk does not depend on its neighbours."""
        docs = self._parser.parse([chunk.text[:PARSED_CHARACTERS] for chunk in chunks])
        return [Extraction(tuple(self._mentions(doc, chunk))) for chunk, doc in zip(chunks, docs, strict=True)]

    def _mentions(self, doc: SyntaxDoc, chunk: Chunk) -> Iterator[Mention]:
        for entity in doc.ents:
            if entity.label_ in VALUES:
                continue
            left = entity.text.lstrip(_AT_ENDS)
            start = entity.start_char + len(entity.text) - len(left)
            surface = left.rstrip(_AT_ENDS)
            end = start + len(surface)
            if not chunk.has_code(start, end) and self._is_name(surface):
                yield Mention(surface, TYPES.get(entity.label_, "Other"), start, end, RECOGNISED)

    def _is_name(self, surface: str) -> bool:
        """Return whether it is short, on one line, begins like a name and is not a function word."""
        if not MIN_CHARACTERS <= len(surface) <= MAX_CHARACTERS or "\n" in surface:
            return False
        if len(surface.split()) > _MAX_NAME_WORDS or surface[0].islower() or not surface[0].isalnum():
            return False
        return surface.casefold() not in self._function_words and any(map(str.isalpha, surface))
