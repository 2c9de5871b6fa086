"""Where names end, on tokens alone."""

from typing import Any, cast

import pytest

from interlace.extraction.span_boundaries import without_amounts


class Word:
    """A token with a space behind it."""

    whitespace_ = " "

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_digit = text.isdigit()


@pytest.mark.parametrize(
    ("text", "span", "kept"),
    [
        ("iPhone 15 EUR 999", (0, 2), "iPhone 15"),  # the code has a number of its own
        ("iPhone 15 EUR 999", (0, 4), "iPhone 15"),
        ("Bosch 500 EUR", (0, 3), "Bosch"),
        ("EUR 500 Bosch", (0, 3), "Bosch"),
        ("GBP 40", (0, 2), ""),
    ],
)
def test_sums_are_trimmed_from_names(text: str, span: tuple[int, int], kept: str) -> None:
    words = text.split()
    first, last = without_amounts(cast("Any", [Word(each) for each in words]), *span)
    assert " ".join(words[first:last]) == kept
