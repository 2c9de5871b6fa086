"""Numbers in texts."""

import pytest

from interlace.text.quantities import numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a growth of -4 percent", {"-4"}),
        ("takes 9 -12 months", {"9", "12"}),
        ("3-5 in 2021-03-04", {"3", "5", "2021", "4"}),
        ("nine of 1,911", {"9", "1911"}),
    ],
)
def test_a_minus_is_a_sign_where_no_number_stands_before_it(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers
