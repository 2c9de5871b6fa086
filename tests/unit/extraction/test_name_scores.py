"""The weights by which names in technical text are scored, and the counts of words behind them."""

import numpy as np
from ops.benchmarks.junk import fitted, load

from interlace.extraction.name_scores import BIAS, THRESHOLD, WEIGHTS
from interlace.text.truecasing import count_cases, typical_cases


def test_the_weights_are_those_that_the_labelled_names_give() -> None:
    weights = fitted(load())
    assert list(weights) == ["bias", *WEIGHTS]
    assert np.allclose(list(weights.values()), [BIAS, *WEIGHTS.values()], atol=0.006)


def test_what_goes_is_mostly_junk_also_in_collections_that_nothing_was_fitted_to() -> None:
    names = load()
    held_out = names.held_out
    scores = 1 / (1 + np.exp(-(BIAS + names.features @ list(WEIGHTS.values()))))
    gone = scores[held_out] >= THRESHOLD
    junk = names.junk[held_out]
    assert junk[gone].mean() > 0.6
    assert junk[~gone].mean() < 0.7 * junk.mean()
    assert (gone & (junk == 0)).sum() / (junk == 0).sum() < 0.06


def test_technical_prose_has_common_words_in_lower_case_and_names_with_a_capital() -> None:
    for word in ("handler", "Gateway", "requests"):
        small, capital = typical_cases(word)
        assert small > 5 * capital
    for word in ("Python", "Docker"):
        small, capital = typical_cases(word)
        assert capital > small
    assert typical_cases("Saltmarshian") == (0, 0)


def test_capitals_within_a_word_count_and_those_that_begin_sentences_do_not() -> None:
    small, capital = count_cases("Pools are closed. A pool uses GraphQL, and a Pool is an API.")
    assert small["pool"] == 1
    assert capital == {"graphql": 1, "pool": 1}
