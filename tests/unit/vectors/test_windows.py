"""Windows of a chunk."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlace.vectors.windows import WORDS, windows, windows_read

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


def test_what_has_a_vector_of_its_own_is_the_windows_or_the_text() -> None:
    assert windows_read(TEN) == [TEN]
    assert windows_read(" ".join([TEN] * 4)) == windows(" ".join([TEN] * 4))


def test_windows_of_a_chat_are_read_without_what_begins_each_turn() -> None:
    said = " ".join([TEN] * 3)
    found = windows_read(f"[09:08] Ada: {said}\n[09:09] Ben: {said}")
    assert " ".join(found).split() == f"Ada, Ben {said} {said}".split()
    assert len(found) > 1
