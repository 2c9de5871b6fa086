"""Words that share a stem."""

import pytest

from interlace.text.similarity import StemOverlap, share_stem


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("director", "directed", True),
        ("composer", "composed", True),
        ("performer", "performance", True),
        ("die", "die", True),
        ("die", "diet", False),
        ("country", "county", False),
        ("father", "fathom", False),
        ("station", "states", False),
    ],
)
def test_words_that_differ_in_a_short_ending_share_their_stem(one: str, other: str, same: bool) -> None:
    assert share_stem(one, other) is same
    assert share_stem(other, one) is same


def test_recall_counts_each_word_of_the_question_once() -> None:
    overlap = StemOverlap(["director", "born"])
    assert overlap.recall(["directed", "direction"]) == 0.5
    assert overlap.recall([]) == 0
    assert StemOverlap([]).recall(["directed"]) == 0
