"""Abstention: does the sufficiency separate questions that the documents answer from those whose relevant documents were deleted?

AUROC is the probability that a random answerable question has a higher sufficiency than a random unanswerable one (Hanley and McNeil 1982).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.domain.answers import Sufficiency
from interlace.evaluation.intervals import Interval, resampled


@dataclass(frozen=True, slots=True)
class Abstention:
    """The sufficiency of each question, with its relevant documents and without them, in the same order."""

    there: Sequence[Sufficiency]
    gone: Sequence[Sufficiency]

    @property
    def auroc(self) -> float:
        """The area under the receiver operating characteristic, 0 to 1."""
        return float(_wins(self).mean())

    @property
    def precision(self) -> float:
        """Share (0 to 1) of the abstentions that were right: the relevant documents were gone. 1 without an abstention."""
        right, needless = (sum(not each.sufficient for each in some) for some in (self.gone, self.there))
        return right / (right + needless) if right + needless else 1.0

    @property
    def recall(self) -> float:
        """Share (0 to 1) of the questions without relevant documents that were abstained from."""
        return sum(not each.sufficient for each in self.gone) / len(self.gone)

    def interval(self) -> Interval:
        """Return the 95 % interval of the AUROC by bootstrap over the questions, percent."""
        wins = _wins(self)
        return resampled(len(self.gone), lambda drawn: float(wins[np.ix_(drawn, drawn)].mean()))

    def report(self) -> dict[str, object]:
        """Return the figures as JSON values, percent."""
        figures = {"AUROC": self.auroc, "precision": self.precision, "recall": self.recall}
        return {**{name: round(100 * value, 1) for name, value in figures.items()}, "interval": list(self.interval())}


def _wins(abstention: Abstention) -> NDArray[np.float64]:
    """Return, for each pair of an answerable and an unanswerable question, 1 if the first has more, a half for a tie, else 0."""
    there, gone = (np.array([each.probability for each in some]) for some in (abstention.there, abstention.gone))
    wins: NDArray[np.float64] = (there[:, None] > gone[None, :]) + 0.5 * (there[:, None] == gone[None, :])
    return wins
