"""Quotations and numbers: what counts as standing in a text."""

import pytest

from interlace.text.quantities import numbers_in
from interlace.text.quotes import find_quote

TEXT = "The Grey Ferry is a film of 1911. It was directed by “Orla\nVenning”, a Dane."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("It was directed by Orla Venning", "It was directed by “Orla\nVenning”"),
        ("it was DIRECTED by 'orla venning'", "It was directed by “Orla\nVenning”"),
        ("a film of 1911.", "a film of 1911."),
        ("a film of 1912", None),
        ("directed by Venning", None),
        ("Dane. The", None),
        ("", None),
        ("...", None),
    ],
)
def test_a_quote_stands_where_its_words_do(quote: str, found: str | None) -> None:
    span = find_quote(TEXT, quote)
    assert (TEXT[slice(*span)] if span else None) == found


def test_a_word_alone_may_be_no_quote() -> None:
    assert find_quote(TEXT, "the", min_words=3) is None
    assert find_quote(TEXT, "film of 1911", min_words=3)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("In 1911 it had 1,911 seats.", {"1911"}),
        ("Twelve of the 3.5 m", {"12", "3.5"}),
        ("no one of them", set()),
        ("ninety, a hundred and 007", {"90", "100", "7"}),
        ("the 1980s", {"1980"}),
        ("-4 percent, (-1,911), \u22120.50 and -0", {"-4", "-1911", "-.50", "0"}),
        ("pages 3-5, 5%-10%, on 2021-03-04, a 7-day B-52, 8 - 9", {"3", "5", "10", "2021", "4", "7", "52", "8", "9"}),
    ],
)
def test_numbers_are_compared_in_one_spelling(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers
