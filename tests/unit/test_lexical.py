"""Words, their terms and their BM25 weights."""

import math
import subprocess
import sys

import pytest

from interlace.text.lexical import AVERAGE_TERMS, K1, B, chunk_terms, fold, query_terms, term_id, terms, words


def test_words_carry_the_offsets_of_the_text_as_written() -> None:
    text = "Zürich's O'Brien, e\u0301tudes (1984)"
    assert [(text[word.start : word.end], word.term) for word in words(text)] == [
        ("Zürich", "zurich"),
        ("O", "o"),
        ("Brien", "brien"),
        ("e\u0301tudes", "etud"),
        ("1984", "1984"),
    ]


def test_stop_words_are_marked_and_left_out_of_the_terms() -> None:
    assert [word.term for word in words("The capital of France") if word.stop] == ["the", "of"]
    assert terms("The capital of France") == ["capit", "franc"]


def test_inflected_forms_share_a_term() -> None:
    assert terms("directs directed directing") == ["direct"] * 3


def test_ideographs_are_words_one_by_one() -> None:
    assert [word.term for word in words("東京タワーTower")] == ["東", "京", "タ", "ワ", "ー", "tower"]


@pytest.mark.parametrize(
    ("written", "folded"), [("Straße", "strasse"), ("ﬁne", "fine"), ("Đỗ", "đo"), ("हिन्दी", "हिन्दी")]
)
def test_folding_removes_case_and_latin_accents_only(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_endless_words_count_by_their_beginning() -> None:
    assert terms("A" * 1_000_000) == terms("a" * 64)


def test_term_ids_are_the_same_in_every_process() -> None:
    program = "from interlace.text.lexical import term_id; print(term_id('capit'))"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(other.stdout) == term_id("capit") < 2**32


def test_weights_follow_the_formula() -> None:
    weights = dict(zip(*chunk_terms("Ulm cathedral. Ulm river."), strict=True))
    norm = K1 * (1 - B + B * 4 / AVERAGE_TERMS)
    assert math.isclose(weights[term_id("ulm")], 2 * (K1 + 1) / (2 + norm))
    assert math.isclose(weights[term_id("river")], (K1 + 1) / (1 + norm))


def test_a_question_weighs_each_distinct_term_once() -> None:
    indices, values = query_terms("Who directed the film that was directed by Lang?")
    assert set(indices) == {term_id("direct"), term_id("film"), term_id("lang")}
    assert values == (1.0, 1.0, 1.0)


def test_stop_words_alone_ask_for_nothing() -> None:
    assert query_terms("Who is it?") == ((), ())
