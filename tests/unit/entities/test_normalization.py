"""Keys of names: which spellings are one name, and that a name is found where its key stands in a text."""

import pytest

from interlace.domain.hits import MAX_NAME_CHARACTERS
from interlace.entities.normalization import (
    clean_name,
    may_match,
    normalize_name,
    title_forms,
    without_disambiguator,
)


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("Fritz Lang", "fritz lang"),
        ("  fritz\tLANG ", "fritz lang"),
        ("“Fritz Lang”", "fritz lang"),
        ("The Beatles", "beatles"),
        ("The", "the"),
        ("A Tale of Two Cities", "tale of two cities"),
        ("Château d'Yquem", "chateau d yquem"),
        ("Straße", "strasse"),
        ("Jean-Luc Godard's", "jean luc godard"),
        ("\uff26\uff52\uff49\uff54\uff5a Lang", "fritz lang"),
        ("Fritz\u202e Lang\x00", "fritz lang"),
        ("8½", "81 2"),
        ("Frobnix™", "frobnixtm"),
        ("\U0001d400\U0001d41d\U0001d41a", "ada"),
        ("snake_case", "snake case"),
        ("C", "c"),
        ("C++", "c++"),
        ("C# in Depth", "c# in depth"),
        ("Vitamin\uff0b", "vitamin"),
        ("東京", "東 京"),
        ("?!", ""),
        ("", ""),
    ],
)
def test_spellings_of_one_name_have_one_key(spelling: str, key: str) -> None:
    assert normalize_name(spelling) == key
    assert normalize_name(clean_name(spelling)) == key


def test_names_and_keys_are_bounded() -> None:
    assert len(clean_name("x" * 10_000)) == MAX_NAME_CHARACTERS
    assert len(normalize_name("x " * 10_000)) < MAX_NAME_CHARACTERS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Minutes of the regular meeting of the board of directors of Saltmarsh Ltd, 4 March 2021",
            "Minutes of the regular meeting of the board of directors of Saltmarsh Ltd, 5 May 2022",
        ),
        ("会議の議事録" * 10 + "三月", "会議の議事録" * 10 + "四月"),
    ],
)
def test_long_titles_that_differ_in_their_last_words_are_two_names(one: str, other: str) -> None:
    assert normalize_name(one) != normalize_name(other)


@pytest.mark.parametrize(
    ("title", "plain", "keys"),
    [
        ("Lilu (mythology)", "Lilu", ("lilu mythology", "lilu")),
        ("Lilu", "Lilu", ("lilu",)),
        ("(500) Days of Summer", "(500) Days of Summer", ("500 days of summer",)),
        ("(untitled)", "(untitled)", ("untitled",)),
        ("The Who (band)", "The Who", ("who band", "who")),
    ],
)
def test_a_title_answers_with_and_without_its_disambiguator(title: str, plain: str, keys: tuple[str, ...]) -> None:
    assert without_disambiguator(title) == plain
    assert title_forms(title) == keys


@pytest.mark.parametrize(
    ("key", "may"),
    [
        ("lang", True),
        ("the", False),
        ("two", False),
        ("x", False),
        ("1927", False),
        ("the who", True),
        ("1927 lang", True),
    ],
)
def test_function_words_numbers_and_letters_are_not_matched_alone(key: str, may: bool) -> None:
    assert may_match(key) is may
