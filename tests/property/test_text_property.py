"""Sparse vectors hold for any text what an index expects of them."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from interlace.text.bm25 import K1, chunk_terms, query_terms, term_id
from interlace.text.compounds import words_within
from interlace.text.languages import detect_language
from interlace.text.tokenizer import fold_case, stems, terms


@given(st.text())
@settings(deadline=None)  # the first text loads the stemmers
def test_sparse_vectors_are_ascending_and_bounded(text: str) -> None:
    for indices, values in (chunk_terms(text), query_terms(text)):
        assert list(indices) == sorted(set(indices))
        assert len(indices) == len(values)
        assert all(0 <= index < 2**32 for index in indices)
        assert all(0 < value <= K1 + 1 for value in values)


@given(st.text(), st.text())
def test_the_order_of_paragraphs_does_not_matter(first: str, second: str) -> None:
    assert chunk_terms(f"{first}\n{second}") == chunk_terms(f"{second}\n{first}")


@given(st.text())
@example("maxRetryCount")
@settings(deadline=None)
def test_a_chunk_answers_a_question_in_its_own_words(text: str) -> None:
    # Who types an identifier wants that word, and not its parts.
    within = set(map(term_id, words_within(text)))
    assert set(chunk_terms(text, detect_language(text))[0]) - within <= set(query_terms(text)[0])


@given(st.text())
def test_words_lie_in_order_within_the_text(text: str) -> None:
    end = 0
    for word in stems(text):
        assert end <= word.start < word.end <= len(text)
        assert word.term
        end = word.end


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold_case(fold_case(text)) == fold_case(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_case_does_not_matter(text: str) -> None:
    assert terms(text.upper()) == terms(text.lower())
