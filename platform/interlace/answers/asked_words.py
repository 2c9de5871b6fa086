"""The words of a question, each weighed by its inverse frequency among the sentences of the evidence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from interlace.answers.answer_types import AnswerType, expected_type, names_type, type_cue
from interlace.text.languages import question_languages
from interlace.text.rarity import inverse_frequency
from interlace.text.similarity import share_stem
from interlace.text.stop_words import ANSWER_STOP_WORDS
from interlace.text.tokenizer import stem_in, stems, tokens


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question.

    Args:
        weights: term to its weight; without stop words.
        words: term to the word as it was asked.
        casefolded: all its words, case-folded.
        kind: the type of answer that it asks for.
        cue: the term that only says which type that is; empty without one.
    """

    weights: Mapping[str, float]
    words: Mapping[str, str]
    casefolded: frozenset[str]
    kind: AnswerType
    cue: str
    _sharing: dict[str, frozenset[str]] = field(default_factory=dict)

    def terms(self, *texts: str) -> frozenset[str]:
        """Return the terms of some texts, with the cue where one of them names the type of answer."""
        found = term_set(*texts)
        if self.cue and any(names_type(self.kind, text, self.casefolded) for text in texts):
            return found | {self.cue}
        return found

    def covered(self, terms: AbstractSet[str]) -> frozenset[str]:
        """Return which terms of the question some terms cover: as they are, or with another ending (``director``, ``directed``)."""
        return frozenset().union(*(self._sharing_stem(term) for term in terms))

    def coverage(self, terms: AbstractSet[str]) -> float:
        """Return the share (0 to 1) of the question's weight that some terms cover; 0 for a question of stop words."""
        return self.share(self.covered(terms))

    def share(self, words: AbstractSet[str]) -> float:
        """Return the share (0 to 1) of the question's weight that some of its own terms have."""
        total = sum(self.weights.values())
        return sum(self.weights[term] for term in words) / total if total else 0.0

    def _sharing_stem(self, term: str) -> frozenset[str]:
        known = self._sharing.get(term)
        if known is None:
            known = self._sharing[term] = frozenset(own for own in self.words if share_stem(own, term))
        return known


def weigh_words(question: str, texts: Sequence[str]) -> tuple[AskedWords, list[frozenset[str]]]:
    """Weigh the words of a question by the terms of each sentence; one that no sentence holds counts as the rarest possible.

    Args:
        question: the question, in any language.
        texts: the sentences of the evidence.

    Returns:
        The words, and the terms of each sentence.
    """
    words = _plain_words(question)
    cue, weights = type_cue(question), dict[str, float]()
    asked = AskedWords(
        weights,
        words,
        frozenset(token.form for token in tokens(question)),
        expected_type(question),
        next((term for term, word in words.items() if word == cue), ""),
    )
    evidence = [asked.terms(text) for text in texts]
    counts = Counter(term for sentence in evidence for term in asked.covered(sentence))
    total = max(len(evidence), 1)
    weights.update({term: inverse_frequency(max(counts[term], 1), total) for term in words})
    return asked, evidence


def _plain_words(question: str) -> dict[str, str]:
    """Return term to word for the words of a question that are no function words of its language."""
    words: dict[str, str] = {}
    languages = question_languages(question)
    for each in stems(question):
        word = question[each.start : each.end]
        if each.stop or word.lower() in ANSWER_STOP_WORDS:
            continue
        if all(stem_in(word, language) is not None for language in languages):
            words.setdefault(each.term, word)
    return words


def term_set(*texts: str) -> frozenset[str]:
    """Return the stems of some texts, stop words left out."""
    return frozenset(each.term for text in texts for each in stems(text) if not each.stop)
