"""Windows of hits, compared with the question."""

import math

import numpy as np
import pytest
from tests.support.answers import hit

from interlace.search.window_similarity import with_windows

_TEN = "One two three four five six seven eight nine ten."
_LONG = " ".join([_TEN] * 4)


def test_each_window_has_its_own_cosine() -> None:
    first = hit(1, "Long", _LONG)
    (found,) = with_windows([first], {first.chunk_id: np.array([0.25, 0.5], np.float32)})
    assert [(len(each.text.split()), each.similarity) for each in found.windows] == [(30, 0.25), (10, 0.5)]


def test_a_hit_that_was_not_compared_has_no_windows() -> None:
    assert with_windows([hit(1, "Long", _LONG)], {}) == (hit(1, "Long", _LONG),)


def test_a_text_that_is_divided_otherwise_today_is_one_window() -> None:
    first = hit(1, "Long", _LONG)
    (found,) = with_windows([first], {first.chunk_id: np.array([0.1, 0.7, math.sqrt(0.5)], np.float32)})
    (window,) = found.windows
    assert window.text == _LONG
    assert window.similarity == pytest.approx(math.sqrt(0.5), abs=1e-6)
