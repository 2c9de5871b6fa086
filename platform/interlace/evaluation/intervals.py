"""Confidence intervals by bootstrap over questions (Efron and Tibshirani 1993): how far a mean moves when other questions are drawn.

The questions of a collection are a sample. Drawing as many of them again and again, with replacement, shows what the mean would have been on
other samples of the same kind; the middle 95 % of those means are the interval. Two runs are compared question by question, because
most of what moves a mean moves both.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

LEVEL = 95
"""Percent of the means that an interval holds."""
_DRAWS = 4000
# The same draws for the same number of questions, so that a report does not change from run to run.
_SEED = 20261124

Interval = tuple[float, float]
"""The lower and the upper bound, percent, to one decimal."""


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the interval of the mean of values from 0 to 1, one per question; without any an interval of zeros."""
    if not values:
        return (0.0, 0.0)
    sample: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    return resampled(len(sample), lambda drawn: float(sample[drawn].mean()))


def resampled(questions: int, figure: Callable[[NDArray[np.int64]], float]) -> Interval:
    """Return the interval of any figure, 0 to 1, of a sample.

    The figure is given the questions drawn as ``(questions,) int64`` indices, some repeated.
    """
    drawn = np.random.default_rng(_SEED).integers(0, questions, (_DRAWS, questions))
    tail = (100 - LEVEL) / 2
    low, high = np.percentile([figure(each) for each in drawn], (tail, 100 - tail))
    return (round(100 * float(low), 1), round(100 * float(high), 1))


def difference_interval(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return the interval of the mean difference, second less first, of values (0 to 1) of the same questions in the same order."""
    return mean_interval([after - before for before, after in zip(first, second, strict=True)])
