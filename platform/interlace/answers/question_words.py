"""The words of a question, each weighed by its inverse frequency among the sentences of the evidence."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from interlace.answers.answer_types import AnswerType, asks_for_several, expected_type, names_type, type_cue
from interlace.domain.hits import Hit
from interlace.text.dates import CalendarDate, dates_in, is_within, placed_dates
from interlace.text.languages import IN_LATIN_LETTERS, question_languages
from interlace.text.rarity import inverse_frequency
from interlace.text.similarity import StemOverlap
from interlace.text.stop_words import ANSWER_STOP_WORDS, MODALS_IN
from interlace.text.tokenizer import plain_function_words, stem_in, stems, terms, tokens

# ``couldn`` and ``t`` of *couldn't*, ``ll`` of *we'll*.
_CONTRACTED = re.compile(r"\b\w+n(?=['\u2019]t\b)|(?<=\w['\u2019])(?:t|d|ll|ve|re|m)\b", re.IGNORECASE)
_MAX_DATES = 8  # of a question; each is compared with every date of the evidence


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of a question.

    Args:
        weights: term to its weight; without stop words.
        words: term to the word as it was asked; each of the first dates with a day, or a month and a year, is one word, and its own term.
        casefolded: all its words, case-folded.
        kind: the type of answer that it asks for.
        cue: the term that only says which type that is; empty without one.
        dates: term to the date.
        several: whether the answer may be in several places.
        overlap: which of the terms share a stem with a word.
    """

    weights: Mapping[str, float]
    words: Mapping[str, str]
    casefolded: frozenset[str]
    kind: AnswerType
    cue: str
    dates: Mapping[str, CalendarDate]
    several: bool
    overlap: StemOverlap

    def terms(self, *texts: str) -> frozenset[str]:
        """Return the terms of some texts, with the cue where one of them names the type of answer, and the dates that they name."""
        found = term_set(*texts) | self._named_dates(*texts)
        if self.cue and any(names_type(self.kind, text, self.casefolded) for text in texts):
            return found | {self.cue}
        return found

    def terms_above(self, hit: Hit) -> frozenset[str]:
        """Return the terms of a hit's title and headings, with the date on which its document was created."""
        return term_set(hit.title, hit.section) | self._named_dates(hit.title, hit.section, hit.created_at or "")

    def covered(self, terms: AbstractSet[str]) -> frozenset[str]:
        """Return which terms of the question some terms cover: as they are, or with another ending (``director``, ``directed``)."""
        return self.overlap.shared(terms)

    def coverage(self, terms: AbstractSet[str]) -> float:
        """Return the share (0 to 1) of the question's weight that some terms cover; 0 for a question of stop words."""
        return self.share(self.covered(terms))

    def share(self, words: AbstractSet[str]) -> float:
        """Return the share (0 to 1) of the question's weight that some of its own terms have."""
        total = sum(self.weights.values())
        return sum(self.weights[term] for term in words) / total if total else 0.0

    def _named_dates(self, *texts: str) -> frozenset[str]:
        known = [date for text in texts for date in dates_in(text)] if self.dates else []
        return frozenset(term for term, date in self.dates.items() if any(is_within(one, date) for one in known))


def weigh_words(question: str, texts: Sequence[str]) -> tuple[QuestionWords, list[frozenset[str]]]:
    """Weigh the words of a question by the terms of each sentence; one that no sentence holds counts as the rarest possible.

    Args:
        question: the question, in any language.
        texts: the sentences of the evidence.

    Returns:
        The words, and the terms of each sentence.
    """
    # A month of no year is a word as others are: which one a text means is open.
    dated = [each for each in placed_dates(question) if each.date.month and (each.date.year or each.date.day)]
    placed = dated[:_MAX_DATES]
    dates = {question[each.start : each.end]: each.date for each in placed}
    words = {term: term for term in dates} | _plain_words(question, [range(each.start, each.end) for each in placed])
    cue, weights = type_cue(question), dict[str, float]()
    question_words = QuestionWords(
        weights,
        words,
        frozenset(token.form for token in tokens(question)),
        expected_type(question),
        next((term for term, word in words.items() if word == cue), ""),
        dates,
        asks_for_several(question),
        StemOverlap(list(words)),
    )
    evidence = [question_words.terms(text) for text in texts]
    counts = Counter(term for sentence in evidence for term in question_words.covered(sentence))
    total = max(len(evidence), 1)
    # A date counts for as many words as it has.
    weights.update(
        {term: len(tokens(word)) * inverse_frequency(max(counts[term], 1), total) for term, word in words.items()}
    )
    return question_words, evidence


def _plain_words(question: str, left_out: Sequence[range]) -> dict[str, str]:
    """Return term to word for the words of a question that are no function words of its language."""
    left_out = [*left_out, *(range(*each.span()) for each in _CONTRACTED.finditer(question))]
    words: dict[str, str] = {}
    languages = _sure_languages(question)
    for each in stems(question):
        word = question[each.start : each.end]
        if each.stop or word.lower() in ANSWER_STOP_WORDS or any(each.start in one for one in left_out):
            continue
        if all(_is_asked_for(word, language) for language in languages):
            words.setdefault(each.term, word)
    return words


def _is_asked_for(word: str, language: str) -> bool:
    return stem_in(word, language) is not None and word.lower() not in MODALS_IN.get(language, ())


def _sure_languages(question: str) -> list[str]:
    """Return the languages of a question in another script, or with two function words: one is often a name, or English too (``Ole``, ``sin``)."""
    forms = {token.form for token in tokens(question)}
    return [
        each
        for each in question_languages(question)
        if each not in IN_LATIN_LETTERS or len(forms & plain_function_words(each)) > 1
    ]


def term_set(*texts: str) -> frozenset[str]:
    """Return the stems of some texts, stop words left out."""
    return frozenset(term for text in texts for term in terms(text))
