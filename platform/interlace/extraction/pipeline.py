"""The extraction pipeline: model and structure side by side, merged, with short forms resolved."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.extraction import short_forms
from interlace.extraction.merge import merge
from interlace.extraction.short_forms import with_full_names
from interlace.extraction.structure import extract_structure
from interlace.ports.models import Extractor
from interlace.text.languages import ENGLISH, detect_language

ANY_LANGUAGE = "xx"
"""The code of a multi-language model in spaCy."""
Span: TypeAlias = tuple[int, int]
_PARAGRAPH = re.compile(r"\S.*?(?=\n[ \t]*\n|\Z)", re.DOTALL)
_START = attrgetter("start")


@dataclass(frozen=True, slots=True)
class ExtractionPipeline:
    """Finds mentions and facts in chunks.

    Args:
        extractor: reads paragraphs in ``language``, or in an unclear one.
        others: by language, what reads paragraphs in it; in any other language only structure gives mentions, because a model for another
            language would take its ordinary words for names.
        language: ISO 639-1 code; ``xx`` for a multi-language model.
    """

    extractor: Extractor
    others: Mapping[str, Extractor] = field(default_factory=dict)
    language: str = ENGLISH

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same chunk could give another extraction."""
        others = "".join(f" {language}:{self.others[language].fingerprint}" for language in sorted(self.others))
        return f"{self.extractor.fingerprint} short-forms-{short_forms.VERSION}{others}"

    def extract(self, chunks: Sequence[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        """Return one extraction for each chunk, in the same order."""
        found = self._read(chunks)
        structure = [extract_structure(document, chunk) for document, chunk in chunks]
        merged = (merge(pair) for pair in zip(found, structure, strict=True))
        return [
            with_full_names(extraction, chunk.text, chunk.path[0] if chunk.path else "", chunk.participants)
            for extraction, (_, chunk) in zip(merged, chunks, strict=True)
        ]

    def _read(self, chunks: Sequence[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        """Return what the extractors for the languages of each chunk's paragraphs find; nothing in those for which there is none."""
        found: list[list[Extraction]] = [[] for _ in chunks]
        places: dict[str, dict[int, list[Span]]] = defaultdict(lambda: defaultdict(list))
        for place, (document, chunk) in enumerate(chunks):
            for span, language in _languages(chunk.text, document.language):
                own = not language or self.language in {language, ANY_LANGUAGE}
                places[self.language if own else language][place].append(span)
        for language, spans in places.items():
            if extractor := self.extractor if language == self.language else self.others.get(language):
                read = extractor.extract([chunks[place][1] for place in spans])
                for place, extraction in zip(spans, read, strict=True):
                    found[place].append(_within(extraction, spans[place]))
        return [_joined(extractions) for extractions in found]


def _languages(text: str, language: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of a text's paragraphs, neighbours in the same language as one; a paragraph of no clear language is in the document's."""
    start, current = 0, ""
    for number, paragraph in enumerate(_PARAGRAPH.finditer(text)):
        own = detect_language(paragraph[0]) or language
        if number and own != current:
            yield (start, paragraph.start()), current
            start = paragraph.start()
        current = own
    yield (start, len(text)), current or language


def _within(extraction: Extraction, spans: Sequence[Span]) -> Extraction:
    def inside(found: Mention | Fact) -> bool:
        return any(start <= found.start < end for start, end in spans)

    return Extraction(tuple(filter(inside, extraction.mentions)), tuple(filter(inside, extraction.facts)))


def _joined(extractions: Sequence[Extraction]) -> Extraction:
    """Return what several extractors found in one chunk, in order of appearance."""
    mentions = chain.from_iterable(each.mentions for each in extractions)
    facts = chain.from_iterable(each.facts for each in extractions)
    return Extraction(tuple(sorted(mentions, key=_START)), tuple(sorted(facts, key=_START)))
