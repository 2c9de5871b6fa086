"""The extraction pipeline: model and structure side by side, merged, with short forms resolved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction
from interlace.extraction import short_forms
from interlace.extraction.merge import merge
from interlace.extraction.short_forms import with_full_names
from interlace.extraction.structure import extract_structure
from interlace.ports.models import Extractor
from interlace.text.languages import ENGLISH

ANY_LANGUAGE = "xx"
"""The code of a multi-language model in spaCy."""


@dataclass(frozen=True, slots=True)
class ExtractionPipeline:
    """Finds mentions and facts in chunks.

    Args:
        extractor: reads the text of a chunk in ``language``, or in an unclear one.
        others: by language, what reads chunks of documents in it; in any other language only structure gives mentions, because a
            model for another language would take its ordinary words for names.
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
        """Return what the extractor for each chunk's language finds; nothing if there is none."""
        found = [Extraction((), ())] * len(chunks)
        by_language: dict[str, list[int]] = {}
        for place, (document, _) in enumerate(chunks):
            by_language.setdefault(document.language, []).append(place)
        for language, extractor in self._extractors(by_language):
            places = by_language[language]
            for place, extraction in zip(places, extractor.extract([chunks[at][1] for at in places]), strict=True):
                found[place] = extraction
        return found

    def _extractors(self, languages: Iterable[str]) -> Iterator[tuple[str, Extractor]]:
        for language in languages:
            own = not language or self.language in {language, ANY_LANGUAGE}
            if own or language in self.others:
                yield language, self.extractor if own else self.others[language]
