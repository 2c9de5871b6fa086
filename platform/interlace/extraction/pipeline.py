"""The extraction pipeline: model and structure side by side, merged, with short forms resolved."""

from collections.abc import Sequence

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction
from interlace.extraction import short_forms
from interlace.extraction.merge import merge
from interlace.extraction.short_forms import with_full_names
from interlace.extraction.structure import extract_structure
from interlace.ports.models import Extractor


class ExtractionPipeline:
    """Finds mentions and facts in chunks.

    Args:
        extractor: reads the text of a chunk.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same chunk could give another extraction."""
        return f"{self._extractor.fingerprint} short-forms-{short_forms.VERSION}"

    def extract(self, chunks: Sequence[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        """Return one extraction a chunk, in the same order."""
        found = self._extractor.extract([chunk for _, chunk in chunks])
        structure = [extract_structure(document, chunk) for document, chunk in chunks]
        merged = (merge(pair) for pair in zip(found, structure, strict=True))
        return [
            with_full_names(extraction, chunk.text, chunk.path[0] if chunk.path else "")
            for extraction, (_, chunk) in zip(merged, chunks, strict=True)
        ]
