"""Windows of a chunk."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlace.vectors.windows import WORDS, windows

TEN = "One two three four five six seven eight nine ten."


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("", []),
        (TEN, []),
        (" ".join([TEN] * 3), []),  # no longer than a window
        (" ".join([TEN] * 4), [30, 10]),
        (f"{TEN}\n{'word ' * 40}\n{TEN}", [10, 40, 10]),  # a long line is one window
        ("word " * 100, []),  # nothing ends a sentence
    ],
)
def test_windows_hold_sentences_up_to_thirty_words(text: str, lengths: list[int]) -> None:
    assert [len(window.split()) for window in windows(text)] == lengths


@given(st.lists(st.sampled_from(["One. ", "two\n", TEN + " ", "Is it? ", "word " * 35]), max_size=12))
def test_windows_hold_every_word_once_in_order(parts: list[str]) -> None:
    text = "".join(parts)
    found = windows(text)
    assert not found or " ".join(found).split() == text.split()
    assert all(len(" ".join(pair).split()) > WORDS for pair in pairwise(found))
