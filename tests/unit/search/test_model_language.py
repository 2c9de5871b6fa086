"""How far the embedding model knows a question's language, and what its vectors count then."""

import pytest
from tests.support.collecting_graph import CollectingGraph
from tests.support.ranking import fuse

from interlace.search.candidates import Candidate
from interlace.search.confidence import Confidence
from interlace.search.model_language import language_known, may_be_foreign
from interlace.search.profile import PROFILE
from interlace.search.rerank import RerankEvidence
from interlace.search.weights import FusionWeights

ENGLISH_MODEL = "bge-small-en-v1.5"
HITS = [Candidate(f"c{number}", 1.0) for number in range(12)]


def holding(languages: dict[str, str]) -> CollectingGraph:
    """Return a graph in which each chunk's document has a language."""
    rows = [
        {"id": chunk, "documentId": chunk, "sourceUri": chunk, "language": language}
        for chunk, language in languages.items()
    ]
    return CollectingGraph({"chunks/locate_chunks": rows})


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("How do I open the mill?", False),
        ("Who restored it?", False),
        ("Кто восстановил мельницу?", True),
        ("展望室はどこですか", True),
        ("Wer hat die Mühle renoviert?", True),
        # Nothing but content words: any language in Latin letters.
        ("moulin restauration", True),
        ("mill restoration", True),
    ],
)
def test_a_question_may_be_foreign_unless_its_words_are_english(text: str, foreign: bool) -> None:
    assert may_be_foreign(ENGLISH_MODEL, text) is foreign
    assert not may_be_foreign("multilingual-e5-small", text)
    assert not may_be_foreign("", text)


@pytest.mark.parametrize("model", ["gte-base-en", "en-embed", "snowflake_en.v2"])
def test_the_name_of_a_model_tells_that_it_was_made_for_english(model: str) -> None:
    assert may_be_foreign(model, "Кто?")
    assert not may_be_foreign(model.replace("en", "ent"), "Кто?")


@pytest.mark.parametrize(
    ("languages", "known"),
    [
        (["fr"] * 10, 0.1),
        (["fr"] * 5 + ["en"] * 5, 0.55),
        (["en"] * 9 + [""], 1.0),
        (["fr"] * 8 + [""] * 2, 0.28),
        ([], 1.0),
    ],
)
def test_the_documents_that_hold_the_words_tell_the_language(languages: list[str], known: float) -> None:
    graph = holding({f"c{at}": language for at, language in enumerate(languages)})
    found = language_known(graph, "acme", "moulin restauration", HITS, foreign=0.1, timeout=1.0)
    assert found == pytest.approx(known)
    ((_, given),) = graph.ran
    assert given["ids"] == [each.id for each in HITS[:10]]


def test_a_document_that_holds_all_the_words_tells_more_than_one_that_holds_one() -> None:
    hits = [Candidate("all", 9.0), Candidate("one", 1.0)]
    graph = holding({"all": "en", "one": "fr"})
    found = language_known(graph, "acme", "mill restoration", hits, foreign=0.1, timeout=1.0)
    assert found == pytest.approx(0.1 + 0.9 * 0.9)


def test_another_script_tells_it_without_a_look_at_the_documents() -> None:
    graph = CollectingGraph({})
    assert language_known(graph, "acme", "Кто восстановил мельницу?", HITS, foreign=0.1, timeout=1.0) == 0.1
    assert not graph.ran


def test_vectors_of_a_model_that_does_not_know_the_language_decide_less() -> None:
    lists = {
        "keyword": [Candidate("right", 9.0), Candidate("wrong", 4.0), Candidate("other", 3.0)],
        "vector": [Candidate("wrong", 0.9), Candidate("other", 0.8), Candidate("right", 0.6)],
    }
    cosines = {each.id: each.score for each in lists["vector"]}
    words = {each.id: each.score for each in lists["keyword"]}

    def first(language: float) -> str:
        confidence = Confidence(0.5, PROFILE.rerank.fused_most, 0.0, language=language)
        weights = FusionWeights(legs={"vector": 0.3, "keyword": 0.3})
        return fuse(RerankEvidence(weights, confidence, cosines, keyword=words, linked=False), lists)[0].id

    assert first(1.0) == "wrong"
    assert first(PROFILE.rerank.foreign) == "right"
