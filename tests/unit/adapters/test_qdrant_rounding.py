"""Scores as callers see them: rounded, and known to be uncertain where float32 may have rounded otherwise."""

import numpy as np
import pytest

from interlace.adapters.qdrant.rounding import Rounding, rounding_of
from interlace.ports.vectors import ScoredPoint, SparseVector

WORDS = rounding_of(SparseVector((1, 2, 3), (1.0, 1.0, 1.0)))


def hits(**scores: float) -> list[ScoredPoint]:
    return [ScoredPoint(name, score) for name, score in scores.items()]


def test_what_is_equal_when_rounded_goes_by_id() -> None:
    dense = rounding_of(np.ones(2, np.float32))
    assert [(hit.id, hit.score) for hit in dense.ranked(hits(b=0.50000004, a=0.5, c=0.50001), 3)] == [
        ("c", 0.50001),
        ("a", 0.5),
        ("b", 0.5),
    ]
    assert [(hit.id, hit.score) for hit in WORDS.ranked(hits(b=12.3449, a=12.3401), 1)] == [("a", 12.34)]


@pytest.mark.parametrize(
    ("score", "sure"), [(12.34, True), (12.3449, True), (12.345, False), (12.345001, False), (12.34501, True)]
)
def test_only_scores_at_the_middle_between_two_values_are_uncertain(score: float, sure: bool) -> None:
    assert WORDS.sure(score) == sure
    assert (WORDS.least(score) < WORDS.most(score)) != sure


def test_more_terms_leave_more_uncertain() -> None:
    assert Rounding(4, 1e-6).sure(12.34498)
    assert not Rounding(4, 1e-5).sure(12.34498)
    assert Rounding(6).sure(0.1234565)
