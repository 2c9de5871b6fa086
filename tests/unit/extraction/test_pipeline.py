"""Which model reads a document's chunks: that of its language, and none where there is none."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from interlace.domain.documents import Chunk, ParsedDocument, Section
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.ports.models import Extractor


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


class Everything(Capitals):
    """Takes each word with a capital for a name, and each line for a fact."""

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        return [
            Extraction(
                tuple(
                    Mention(word[0], self.fingerprint, *word.span()) for word in re.finditer(r"[A-ZÄÖÜ]\w+", chunk.text)
                ),
                tuple(
                    Fact("a", "B", line[0], *line.span(), 1.0, self.fingerprint)
                    for line in re.finditer(r"\S.*", chunk.text)
                ),
            )
            for chunk in chunks
        ]


ENGLISH = "The mill on the brook in Lower Wick was restored by the people of the village."
GERMAN = "Die Mühle am Bach in Unterwick wurde von den Bewohnern des Dorfes restauriert."
FRENCH = "Le moulin du ruisseau a été restauré par les habitants du village de Bas-Wick."


@pytest.mark.parametrize(
    ("others", "read"),
    [
        ({}, [("Lower", "en"), ("Wick", "en"), ("Wick", "en"), ("Mill", "en")]),
        (
            {"de": Everything("de")},
            [("Lower", "en"), ("Wick", "en"), ("Die", "de"), ("Mühle", "de"), ("Bach", "de"), ("Unterwick", "de"), ("Bewohnern", "de"), ("Dorfes", "de"), ("Wick", "en"), ("Mill", "en")],
        ),
    ],
)  # fmt: skip
def test_a_page_in_several_languages_is_read_by_the_model_of_each_paragraph(
    others: Mapping[str, Extractor], read: list[tuple[str, str]]
) -> None:
    text = f"{ENGLISH[4:]}\n\n{GERMAN}\n \n{FRENCH}\n\nWick Mill"
    document = ParsedDocument("t", text, (Section("", (), 0, 0, 0, len(text)),), language="en")
    chunk = Chunk("c", "d", ("t",), 0, 0, text, 0, len(text), 3)
    (found,) = ExtractionPipeline(Everything("en"), others).extract([(document, chunk)])
    assert [(mention.surface, mention.type) for mention in found.mentions] == read
    assert [fact.extractor for fact in found.facts] == ["en", *others, "en"]


def test_an_installed_model_changes_the_fingerprint() -> None:
    alone = ExtractionPipeline(Capitals("English")).fingerprint
    assert ExtractionPipeline(Capitals("English"), {"de": Capitals("German")}).fingerprint == f"{alone} de:German"
