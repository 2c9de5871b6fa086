"""Windows of hits, compared with the question."""

import numpy as np
from tests.support.answers import hit

from interlace.search.window_similarity import with_windows


def test_each_window_has_its_own_cosine_and_a_hit_that_was_not_compared_none() -> None:
    first, second = hit(1, "Long", "One. Two."), hit(2, "Other", "Three.")
    found = with_windows([first, second], {first.chunk_id: np.array([0.25, 1 / 3], np.float32)})
    assert [each.window_similarities for each in found] == [(0.25, 0.333333), ()]
    assert found[1] is second
