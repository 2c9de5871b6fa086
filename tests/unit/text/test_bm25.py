"""BM25 weights of chunks and questions."""

import math
import subprocess
import sys

import pytest

from interlace.text.bm25 import AVERAGE_TERMS, K1, B, chunk_terms, query_terms, term_id


def test_term_ids_are_the_same_in_every_process() -> None:
    program = "from interlace.text.bm25 import term_id; print(term_id('capit'))"
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


@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("May newcomers work remotely?", "newcomers work remotely"),
        ("What should newcomers read?", "What newcomers read"),
    ],
)
def test_modal_verbs_are_no_terms_of_a_question_unless_written_as_a_name_or_alone(question: str, same: str) -> None:
    assert query_terms(question) == query_terms(same)
    for dated in ("What did newcomers read in May?", "May 2024 invoices"):
        assert term_id("may") in query_terms(dated)[0]
    assert query_terms("Can you?")[0]
