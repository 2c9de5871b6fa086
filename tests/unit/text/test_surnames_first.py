"""Names with the surname first, and others that have a comma."""

import pytest

from interlace.text.surnames_first import surname_last


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        ("Keller, Maria", "Maria Keller"),
        ("van der Berg, Anna Lena", "Anna Lena van der Berg"),
        ("M\u00fcller-L\u00fcdenscheidt, \u00c9mile J.", "\u00c9mile J. M\u00fcller-L\u00fcdenscheidt"),
        ("KELLER, MARIA", "MARIA KELLER"),
    ],
)
def test_surnames_come_last(listed: str, name: str) -> None:
    assert surname_last(listed) == name


@pytest.mark.parametrize(
    "name",
    [
        "Acme, Inc.",
        "Keller, Weber & Partner",
        "Acme, LLC",
        "King, Jr.",
        "Ada Byron, Acme",
        "Byron, MD",
        "Ada",
        "a, b",
        "Keller, Partner",
    ],
)
def test_other_names_stay(name: str) -> None:
    assert surname_last(name) == name
