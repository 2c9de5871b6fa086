"""Bootstrap intervals: they hold the mean, narrow with more questions, and are the same every time."""

import numpy as np
import pytest

from interlace.evaluation.intervals import difference_interval, mean_interval


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = mean_interval([1.0] * 30 + [0.0] * 10), mean_interval([1.0] * 300 + [0.0] * 100)
    assert few[0] < many[0] < 75 < many[1] < few[1]
    assert mean_interval([1.0] * 40) == (100.0, 100.0)
    assert mean_interval([]) == (0.0, 0.0)


def test_an_interval_agrees_with_the_normal_one_where_that_holds() -> None:
    low, high = mean_interval([1.0] * 200 + [0.0] * 200)
    assert (low, high) == pytest.approx((50 - 4.9, 50 + 4.9), abs=0.6)


def test_questions_are_compared_in_pairs() -> None:
    """Hard and easy questions move both runs alike: the difference is known far better than either mean."""
    easy = np.random.default_rng(1).integers(0, 2, 100).astype(float).tolist()
    second = [*easy[:90], *(1.0,) * 10]
    low, high = difference_interval(easy, second)
    assert 0 <= low <= high < mean_interval(easy)[1] - mean_interval(easy)[0]
    assert difference_interval(easy, easy) == (0.0, 0.0)
    assert difference_interval(second, easy) == (-high, -low)


def test_an_interval_is_the_same_every_time() -> None:
    values = [0.0, 0.5, 1.0, 0.25]
    assert mean_interval(values) == mean_interval(values)
