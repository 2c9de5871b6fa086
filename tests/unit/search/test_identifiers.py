"""Identifiers in a question."""

import time
from dataclasses import replace

import pytest

from interlace.ports.vectors import SparseVector
from interlace.search.candidates import FusedCandidate
from interlace.search.confidence import Confidence
from interlace.search.identifiers import identifiers, shares_held
from interlace.search.profile import PROFILE
from interlace.search.rerank import RerankEvidence, rank
from interlace.search.weights import FusionWeights
from interlace.text.bm25 import chunk_terms, term_id
from interlace.text.tokenizer import terms


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("When does ErrAlreadyExtended come back?", ["ErrAlreadyExtended"]),
        ("psp.max_attempts or maxAttempts?", ["psp.max_attempts", "maxAttempts"]),
        ("what is lock_timeout.", ["lock_timeout"]),
        ("E21 after 40P01 under K-2024-11", ["E21", "40P01", "K-2024-11"]),
        ("pg16 and X200", ["pg16", "X200"]),
        ("KA 37-3 price, over RS 485 since May 3", ["KA 37-3", "RS 485"]),
        ("the 18th century, the 1950s, 3 May 2024 at 12:30", []),
        ("Ada Byron's state-of-the-art engine, e.g. NATO", []),
        ("", []),
    ],
)
def test_what_an_identifier_is(question: str, found: list[str]) -> None:
    assert identifiers(question) == [frozenset(map(term_id, terms(each))) for each in found]


def test_an_identifier_within_a_long_name_that_is_linked_is_none_by_itself() -> None:
    question = "Who got the FIFA U-20 Golden Shoe for lot LM9-P2?"
    u20, lot = (frozenset(chunk_terms(each)[0]) for each in ("U-20", "LM9-P2"))
    assert identifiers(question) == [u20, lot]
    assert identifiers(question, [(12, 33), (38, 48)]) == [lot]
    assert identifiers(question, [(12, 21)]) == [u20, lot]


def test_a_candidate_holds_an_identifier_with_all_of_its_words() -> None:
    known = {
        text: SparseVector(*chunk_terms(text))
        for text in ("set lock_timeout", "a lock and a timeout", "the lock", "E21")
    }
    assert shares_held(identifiers("lock_timeout E21"), known) == {
        "set lock_timeout": 0.5,
        "a lock and a timeout": 0.5,
        "E21": 0.5,
    }
    assert shares_held(identifiers("the lock"), known) == {}


@pytest.mark.parametrize("linked", [True, False])
def test_a_chunk_with_the_identifier_passes_one_that_is_nearer(linked: bool) -> None:
    texts = {"near": "what comes back is extended again", "holds": "ErrAlreadyExtended is returned"}
    fused = [FusedCandidate("near", 0.02, {}), FusedCandidate("holds", 0.01, {})]
    evidence = RerankEvidence(
        FusionWeights(),
        Confidence(0.5, 0.3, 0.0),
        similarity={"near": 0.63, "holds": 0.62},
        keyword={"near": 5.5, "holds": 5.5},
        linked=linked,
        terms={each: SparseVector(*chunk_terms(text)) for each, text in texts.items()},
    )
    assert [each.id for each in rank(fused, evidence)] == ["near", "holds"]
    named = rank(fused, replace(evidence, identifiers=identifiers("when does ErrAlreadyExtended come back")))
    assert [each.id for each in named] == ["holds", "near"]
    assert named[0].features.boosts["identifiers"] == PROFILE.rerank.identifiers


def test_candidates_of_a_leg_without_weight_are_left_alone() -> None:
    terms = {each: SparseVector(*chunk_terms("E21")) for each in ("fused", "unweighted")}
    evidence = RerankEvidence(
        FusionWeights(),
        Confidence(0.5, 0.3, 0.0),
        similarity={},
        linked=False,
        terms=terms,
        identifiers=identifiers("E21"),
    )
    assert [each.id for each in rank([FusedCandidate("fused", 0.02, {})], evidence)] == ["fused"]


def test_a_question_of_dots_takes_no_time() -> None:
    started = time.process_time()
    for text in ("a." * 1000, "a_" * 1000, "aB" * 1000, "1" * 2000, "-" * 2000):
        identifiers(text)
    assert time.process_time() - started < 0.5
