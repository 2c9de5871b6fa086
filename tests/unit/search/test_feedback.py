"""What the first candidates of a question say about the others."""

from dataclasses import replace

import pytest

from interlace.ports.vectors import SparseVector
from interlace.search.candidates import FusedCandidate
from interlace.search.confidence import Confidence
from interlace.search.feedback import feedback, gains
from interlace.search.profile import PROFILE, FeedbackProfile
from interlace.search.rerank import RerankEvidence, rank
from interlace.search.weights import FusionWeights

SMALL = FeedbackProfile(first=2, compared=6)
FUSED = [FusedCandidate(each, 1 / (60 + place), {}) for place, each in enumerate("abcdef", 1)]
SCORES = {"a": 2.0, "b": 1.9, "c": 1.0, "d": 0.9, "e": 0.8, "f": 0.7}
# 1 is in every candidate, 10 and 11 are what the first two are about, and f is about the same.
TERMS = {
    "a": SparseVector((1, 10, 11), (1.0, 1.5, 1.0)),
    "b": SparseVector((1, 10, 11), (1.0, 1.0, 1.5)),
    "c": SparseVector((1, 20), (1.0, 1.5)),
    "d": SparseVector((1, 21), (1.0, 1.5)),
    "e": SparseVector((1, 22), (1.0, 1.5)),
    "f": SparseVector((1, 10, 11, 30), (1.0, 1.0, 1.0, 1.0)),
}


def test_what_holds_the_terms_of_the_first_candidates_resembles_them() -> None:
    found = feedback(SCORES, TERMS, SMALL)
    others = {each: found[each] for each in "cdef"}
    assert max(others, key=others.__getitem__) == "f"
    assert sum(found.values()) == pytest.approx(0.0)
    assert found["f"] > 0 > found["c"]


def test_what_every_candidate_holds_says_nothing() -> None:
    common = feedback(SCORES, {each: SparseVector((1,), (1.0,)) for each in SCORES}, SMALL)
    assert set(common.values()) == {0.0}


def test_a_candidate_without_terms_is_left_out_and_too_few_say_nothing() -> None:
    assert set(feedback(SCORES, {each: TERMS[each] for each in "abf"}, SMALL)) == {"a", "b", "f"}
    assert feedback(SCORES, {each: TERMS[each] for each in "ab"}, SMALL) == {}
    assert feedback({}, {}, SMALL) == {}


def test_one_candidate_that_outweighs_all_others_is_no_error() -> None:
    assert feedback(SCORES | {"a": 2000.0}, TERMS, SMALL)["f"] > 0


def test_the_first_two_stay_and_what_follows_is_reordered() -> None:
    profile = replace(PROFILE.rerank, feedback=replace(SMALL, weight=100.0))
    evidence = RerankEvidence(FusionWeights(), Confidence(0.5, 0.3), {}, linked=False)
    assert [each.id for each in rank(FUSED, evidence, profile)] == list("abcdef")
    ranked = rank(FUSED, replace(evidence, terms=TERMS), profile)
    assert [each.id for each in ranked][:3] == ["a", "b", "f"]
    assert ranked[2].features.boosts["feedback"] > 0
    assert ranked[2].figures["shared_terms"] > 0
    assert "feedback" not in ranked[0].features.boosts


def test_a_candidate_whose_terms_were_not_read_counts_as_the_least_similar() -> None:
    similarities = feedback(SCORES, {each: vector for each, vector in TERMS.items() if each != "e"}, SMALL)
    found = gains(SCORES, similarities, SMALL)
    assert set(found) == set("cdef")
    assert found["e"] == min(found.values())
    assert gains(SCORES, {}, SMALL) == {}


def test_candidates_that_would_pass_the_second_follow_it_in_their_order() -> None:
    scores = {"a": 2.1, "b": 2.0, "c": 1.5, "d": 1.9, "e": 1.9, "f": 0.0}
    similarities = {"a": 0.0, "b": 0.0, "c": 40.0, "d": 1.5, "e": 1.6, "f": -1.0}
    found = gains(scores, similarities, SMALL)
    totals = {each: scores[each] + gain for each, gain in found.items()}
    assert sorted(totals, key=lambda each: -totals[each]) == ["c", "e", "d", "f"]
    assert max(totals.values()) < scores["b"]
