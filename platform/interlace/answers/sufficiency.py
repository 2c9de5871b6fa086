"""Sufficiency: the calibrated probability that the evidence holds the answer, before anything is answered or any token is spent.

p = 1 / (1 + exp(-(b + Σ weight · feature))), a logistic regression. ``ops/benchmarks/sufficiency.py`` fits it on questions whose relevant
documents are there, and on the same questions after those were deleted. Every feature lies between 0 and 1, and a higher one never
lowers the probability:

- ``named``: share of the question's names that the first hits hold. A word that these always write with a capital is one however it was typed.
- ``path``: share of the question's weight that the chosen sentences hold together with their titles.
- ``hit``: the same for the best single hit.
- ``cosine``: the highest cosine of a hit and the question.
- ``margin``: how far that cosine is above the mean of the others. What holds the answer stands out; where it is missing, all hits are about as near.

Where the dense leg has not answered, the last two are typical ones. Whether the question's names are linked, and whether a sentence names the kind
of thing that is asked for, says nothing (ADR 182).

Where *how much … cost* (*how expensive*, *was kostet* …) is asked and neither a chosen sentence nor one of the first hits names an amount of money, p is 0.
"""

import math
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from statistics import fmean

from interlace.answers.answer_types import names_type
from interlace.answers.question_words import QuestionWords
from interlace.answers.scoring import ScoredSentence
from interlace.domain.answers import Sufficiency
from interlace.domain.hits import QueryResponse
from interlace.text.stop_words import ENTITY_STOP_WORDS
from interlace.text.tokenizer import tokens

BIAS = -4.6
WEIGHTS: Mapping[str, float] = {"named": 0.5, "path": 0.4, "hit": 1.8, "cosine": 3.4, "margin": 7.7}
THRESHOLD = 0.4
_TYPICAL_COSINE = 0.7
_TYPICAL_MARGIN = 0.07
_FIRST = 5
_BEGINNING = re.compile(r"[.!?:|\n]")


def assess_sufficiency(
    response: QueryResponse, chosen: Sequence[ScoredSentence], question_words: QuestionWords
) -> Sufficiency:
    """Return how likely the evidence holds the answer."""
    features = sufficiency_features(response, chosen, question_words)
    total = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
    if not chosen or _lacks_price(response, chosen, question_words):
        total = -math.inf
    probability = 1 / (1 + math.exp(-total)) if math.isfinite(total) else 0.0
    return Sufficiency(round(probability, 4), THRESHOLD, features, _uncovered(response, chosen, question_words))


def sufficiency_features(
    response: QueryResponse, chosen: Sequence[ScoredSentence], question_words: QuestionWords
) -> dict[str, float]:
    """Return the features, as the module describes them."""
    first = response.hits[:_FIRST]
    held = _written([f"{hit.title}\n{hit.text}" for hit in first])
    names = _names(response.query, held, question_words)
    chosen_terms = frozenset[str]().union(*(each.context for each in chosen))
    in_hits = [question_words.terms(hit.text) | question_words.terms_above(hit) for hit in first]
    nearest, *others = sorted(
        (leg.score for hit in response.hits for leg in hit.legs if leg.leg == "vector"), reverse=True
    ) or [_TYPICAL_COSINE]
    return {
        "named": len(names & frozenset(held).union(*in_hits)) / len(names) if names else 0.5,
        "path": question_words.coverage(chosen_terms),
        "hit": max(map(question_words.coverage, in_hits), default=0.0),
        "cosine": min(max(nearest, 0.0), 1.0),
        "margin": min(nearest - fmean(others), 1.0) if len(others) > 1 else _TYPICAL_MARGIN,
    }


def _lacks_price(response: QueryResponse, chosen: Sequence[ScoredSentence], question_words: QuestionWords) -> bool:
    if question_words.kind != "money" or not question_words.cue:
        return False
    texts = (*(each.sentence.text for each in chosen), *(hit.text for hit in response.hits[:_FIRST]))
    return not any(names_type("money", text, question_words.casefolded) for text in texts)


def missing_sentence(sufficiency: Sufficiency, *, found: bool) -> str:
    """Return what the documents lack, in a sentence, where an answer abstains."""
    if not found:
        return "No document was found that has anything to do with the question."
    if sufficiency.uncovered:
        return f"The documents that were found say nothing about {_listed(sufficiency.uncovered)}."
    return "The documents that were found name everything that the question does, but hardly together in a place that would answer it."


def _uncovered(
    response: QueryResponse, chosen: Sequence[ScoredSentence], question_words: QuestionWords
) -> tuple[str, ...]:
    terms = frozenset[str]().union(*(each.context for each in chosen))
    terms |= question_words.terms(*(hit.text for hit in response.hits[:_FIRST]))
    known = question_words.covered(terms)
    return tuple(word for term, word in question_words.words.items() if term not in known)


def _written(texts: Sequence[str]) -> dict[str, set[bool]]:
    """Return the words of some texts, each with whether it has a capital, or both; a capital at the beginning of a sentence, cell or line says nothing."""
    held: dict[str, set[bool]] = {}
    for text in texts:
        end = 0
        for token in tokens(text):
            begins = not end or _BEGINNING.search(text, end, token.start)
            held.setdefault(token.form, set()).update(() if begins and token.capital else {token.capital})
            end = token.end
    return held


def _names(question: str, held: Mapping[str, AbstractSet[bool]], question_words: QuestionWords) -> frozenset[str]:
    """Return the dates of a question, and its other words with a capital in it, but the first, whose place gives it one, or always in the first hits."""
    dated = {token.form for date in question_words.dates for token in tokens(date)}
    words = {
        token.form
        for at, token in enumerate(tokens(question))
        if (at and token.capital) or held.get(token.form) == {True}
    }
    return frozenset(words - dated - ENTITY_STOP_WORDS) | question_words.dates.keys()


def _listed(words: Sequence[str]) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
