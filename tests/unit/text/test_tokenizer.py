"""Tokens, stems and terms: both views of the words of a text."""

import unicodedata

import pytest

from interlace.text.tokenizer import content_words, fold_case, stems, terms, tokens


def test_words_carry_the_offsets_of_the_text_as_written() -> None:
    text = "Zürich's O'Brien, e\u0301tudes (1984)"
    assert [(text[word.start : word.end], word.term) for word in stems(text)] == [
        ("Zürich", "zurich"),
        ("O", "o"),
        ("Brien", "brien"),
        ("e\u0301tudes", "etud"),
        ("1984", "1984"),
    ]


def test_stop_words_are_marked_and_left_out_of_the_terms() -> None:
    assert [word.term for word in stems("The capital of France") if word.stop] == ["the", "of"]
    assert terms("The capital of France") == ["capit", "franc"]


def test_inflected_forms_share_a_term() -> None:
    assert terms("directs directed directing") == ["direct"] * 3


def test_neighbouring_ideographs_are_terms_in_pairs_with_their_places() -> None:
    text = "in 東京タワーTower"
    found = [word for word in stems(text) if not word.stop]
    assert [word.term for word in found] == ["東京", "京タ", "タワ", "ワー", "tower"]
    assert [text[word.start : word.end] for word in found] == ["東京", "京タ", "タワ", "ワー", "Tower"]


@pytest.mark.parametrize(
    ("written", "folded"), [("Straße", "strasse"), ("ﬁne", "fine"), ("Đỗ", "đo"), ("हिन्दी", "हिन्दी")]
)
def test_folding_removes_case_and_latin_accents_only(written: str, folded: str) -> None:
    assert fold_case(written) == folded


def test_endless_words_count_by_their_beginning() -> None:
    assert terms("A" * 1_000_000) == terms("a" * 64)


@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_the_s_of_a_possessive_is_no_word(apostrophe: str) -> None:
    text = f"Lang{apostrophe}s film, S{apostrophe}s and s."
    assert [token.form for token in tokens(text)] == ["lang", "film", "s", "and", "s"]


def test_offsets_are_those_of_the_text_as_given() -> None:
    text = "Ada\u2019s 8½ Straße ™Æon"
    assert [text[token.start : token.end] for token in tokens(text)] == ["Ada", "8½", "8½", "Straße", "™Æon"]
    assert [token.capital for token in tokens("iPhone 8½ Ada")] == [False, True, True, True]


@pytest.mark.parametrize(
    "text", ["8½ Women", "Frobnix™ Pro", "№ 5", "Ⓐdam", "ﷺ", "ﬁne Dining", "Ⅷ Henry", "x² plus", "㎏ Units"]
)
def test_a_text_has_the_words_of_its_normal_form(text: str) -> None:
    normal = unicodedata.normalize("NFKC", text)
    assert [token.form for token in tokens(text)] == [token.form for token in tokens(normal)]


def test_content_words_are_folded_and_unique() -> None:
    assert content_words("Who is the Mother of the mother's Élan?") == ("mother", "elan")


def test_markup_between_a_name_and_its_apostrophe_makes_no_word_of_the_s() -> None:
    text = "_Hamlet_'s father"
    assert [token.form for token in tokens(text)] == ["hamlet", "father"]
    assert terms(text) == ["hamlet", "father"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C, C++, C# and (F#)", ["c", "c++", "c#", "and", "f#"]),
        ("_C++_'s rules: \uff23\uff0b\uff0b\uff0fCLI, C++.", ["c++", "rules", "c++", "cli", "c++"]),
        ("Vitamin K\u207a graded A+", ["vitamin", "k+", "graded", "a+"]),
        ("a+b, a++b, 1+, 5# at#1, C+++ and #tag", ["a", "b", "a", "b", "1", "5", "at", "1", "c", "and", "tag"]),
        ("C++11, C+1", ["c++", "11", "c", "1"]),
    ],
)
def test_signs_belong_to_the_letter_that_they_end_a_word_with(text: str, words: list[str]) -> None:
    assert [token.form for token in tokens(text)] == words
    assert [word.term for word in stems(text) if not word.term.isalpha()] == [
        word for word in words if not word.isalpha()
    ]
