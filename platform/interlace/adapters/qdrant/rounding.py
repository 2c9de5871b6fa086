"""Scores as callers see them: rounded, so that they do not depend on the order in which points were written.

Qdrant sums a keyword score in float32, term by term, in the order in which a segment first met the terms. The same chunks written in
another order differ in the seventh digit, and a rounded score differs if that digit decides. So the few scores that are too close to the
middle between two rounded values are summed again, exactly, from a search for each term alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.ports.vectors import ScoredPoint, SparseVector

DENSE_DIGITS = 6
# Each further digit makes ten times as many scores uncertain: with four there is one in about three questions, with five in nearly all.
KEYWORD_DIGITS = 4
_HALF_UNIT = 2.0**-24  # of the last place: the relative error of one float32 addition


@dataclass(frozen=True, slots=True)
class Rounding:
    """How the scores of one search are rounded.

    Args:
        digits: significant digits that are kept.
        error: upper bound of the relative error of Qdrant's score.
    """

    digits: int
    error: float = 0.0

    def of(self, score: float) -> float:
        """Return a score rounded to so many digits."""
        return float(f"{score:.{self.digits}g}")

    def least(self, score: float) -> float:
        """Return the lowest rounded value that the true score may have."""
        return self.of(score * (1 - self.error))

    def most(self, score: float) -> float:
        """Return the highest rounded value that the true score may have."""
        return self.of(score * (1 + self.error))

    def sure(self, score: float) -> bool:
        """Return whether the error cannot change the rounded value."""
        return self.least(score) == self.most(score)

    def cut_in_tie(self, found: Sequence[ScoredPoint], limit: int) -> bool:
        """Return whether the last fetched point may tie with the last wanted one: further ties may be missing."""
        return self.least(found[limit - 1].score) <= self.most(found[-1].score)

    def ranked(self, found: Sequence[ScoredPoint], limit: int) -> list[ScoredPoint]:
        """Return the best ``limit`` by score, ties by id."""
        hits = [ScoredPoint(hit.id, self.of(hit.score)) for hit in found]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


DENSE = Rounding(DENSE_DIGITS)


def rounding_of(vector: NDArray[np.float32] | SparseVector) -> Rounding:
    """Return the rounding for a query vector; a sparse one has weights above 0, and its scores at most as many summands as it has terms."""
    if isinstance(vector, SparseVector):
        return Rounding(KEYWORD_DIGITS, len(vector.indices) * _HALF_UNIT)
    return DENSE
