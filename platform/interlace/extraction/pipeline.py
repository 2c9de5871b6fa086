"""The extraction pipeline: model and structure side by side, merged, with short forms resolved."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.extraction import short_forms
from interlace.extraction.merge import merge
from interlace.extraction.short_forms import with_full_names
from interlace.extraction.structure import extract_structure
from interlace.ports.models import Extractor
from interlace.text.languages import ENGLISH, detect_language
from interlace.text.sentences import paragraph_spans

ANY_LANGUAGE = "xx"
"""The code of a multi-language model in spaCy."""
Span: TypeAlias = tuple[int, int]


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
        merged = (merge((*read, own)) for read, own in zip(found, structure, strict=True))
        return [
            with_full_names(extraction, chunk.text, chunk.path[0] if chunk.path else "", chunk.participants)
            for extraction, (_, chunk) in zip(merged, chunks, strict=True)
        ]

    def _read(self, chunks: Sequence[tuple[ParsedDocument, Chunk]]) -> list[list[Extraction]]:
        """Return what each of the extractors for the languages of each chunk's paragraphs find; nothing in those for which there is none."""
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
        return found


def _languages(text: str, language: str) -> list[tuple[Span, str]]:
    """Return the spans of a text's paragraphs, neighbours in the same language as one; a paragraph of no clear language is in the document's."""
    paragraphs = [
        (start, detect_language(text[start:end]) or language) for start, end in paragraph_spans(text, 0, len(text))
    ]
    first = [next(group) for _, group in groupby(paragraphs, key=itemgetter(1))]
    ends = [*(start for start, _ in first[1:]), len(text)]
    return [((start, end), own) for (start, own), end in zip(first, ends, strict=False)]


def _within(extraction: Extraction, spans: Sequence[Span]) -> Extraction:
    def inside(found: Mention | Fact) -> bool:
        return any(start <= found.start < end for start, end in spans)

    return Extraction(tuple(filter(inside, extraction.mentions)), tuple(filter(inside, extraction.facts)))
