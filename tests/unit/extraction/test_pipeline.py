"""Which model reads a document's chunks: that of its language, and none where there is none."""

from collections.abc import Sequence
from dataclasses import replace

from interlace.domain.documents import Chunk, ParsedDocument, Section
from interlace.domain.extraction import Extraction, Mention
from interlace.extraction.pipeline import ExtractionPipeline


class Capitals:
    """Takes the first word of a chunk for a name."""

    def __init__(self, name: str) -> None:
        self.fingerprint = name

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        words = [chunk.text.split()[0] for chunk in chunks]
        return [Extraction((Mention(word, self.fingerprint, 0, len(word)),)) for word in words]


def types(pipeline: ExtractionPipeline, *languages: str) -> list[str]:
    """Return what read documents in these languages."""
    text = "Mühlen mahlen."
    document = ParsedDocument("Title", text, (Section("", (), 0, 0, 0, len(text)),))
    chunk = Chunk("c", "d", ("Title",), 0, 0, text, 0, len(text), 3)
    found = pipeline.extract([(replace(document, language=language), chunk) for language in languages])
    return ["".join(mention.type for mention in each.mentions) for each in found]


def test_a_model_reads_its_language_and_what_is_in_none_that_is_clear() -> None:
    pipeline = ExtractionPipeline(Capitals("English"), {"de": Capitals("German")})
    assert types(pipeline, "en", "de", "", "fr", "de", "ja") == ["English", "German", "English", "", "German", ""]
    assert types(ExtractionPipeline(Capitals("German"), language="de"), "de", "en", "") == ["German", "", "German"]
    assert types(ExtractionPipeline(Capitals("Any"), language="xx"), "de", "ja") == ["Any", "Any"]


def test_an_installed_model_changes_the_fingerprint() -> None:
    alone = ExtractionPipeline(Capitals("English")).fingerprint
    assert ExtractionPipeline(Capitals("English"), {"de": Capitals("German")}).fingerprint == f"{alone} de:German"
