"""Texts on one line, cut to a length."""

import pytest

from interlace.text.excerpts import shortened


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        (" one \n line ", 8, "one line"),
        ("abcde fghij klm", 15, "abcde fghij klm"),
        ("abcde fghij klm", 14, "abcde fghij …"),
        ("abcde fghij klm", 13, "abcde fghij …"),
        ("abcde fghij klm", 12, "abcde fghi …"),
        ("a " + "x" * 99, 20, "a " + "x" * 16 + " …"),
        ("日本語の文" * 99, 12, "日本語の文日本語の文 …"),
    ],
)
def test_a_text_is_cut_between_words_where_it_has_any(text: str, length: int, expected: str) -> None:
    assert shortened(text, length) == expected
    assert len(expected) <= length
