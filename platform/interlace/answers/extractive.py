"""Extractive answers: the sentences that most likely hold the answer, one from each hop of the path first, without a model or any tokens.

Sentences are taken one by one, as in maximal marginal relevance (Carbonell and Goldstein 1998): the next one maximises its score, plus
what it adds to the coverage of the question, less what it repeats of the sentences taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from interlace.answers.evidence import cite
from interlace.answers.question_words import QuestionWords
from interlace.answers.scoring import ScoredSentence
from interlace.answers.ties import Ties, ties_between
from interlace.domain.answers import AnswerSentence, Citation
from interlace.domain.hits import Hit

_NEW_COVERAGE = 1.0
_SAME_HIT = 0.75
_SAME_WORDS = 0.8
_HOP = 1.0
_AGAIN = 3.0
_OWN_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence with the words of the question that it covers together with its title and headings."""

    scored: ScoredSentence
    covered: frozenset[str]

    @property
    def hit(self) -> Hit:
        return self.scored.sentence.hit


def choose_sentences(
    scored: Sequence[ScoredSentence], question_words: QuestionWords, count: int
) -> list[ScoredSentence]:
    """Return the sentences of an extractive answer, best first."""
    ties = ties_between([each.sentence.hit for each in scored])
    left, chosen = [_Candidate(each, question_words.covered(each.context)) for each in scored], list[_Candidate]()
    while left and len(chosen) < count:
        left.sort(key=partial(_worth, chosen=chosen, question_words=question_words, ties=ties), reverse=True)
        fits = (
            at
            for at, each in enumerate(left)
            if _belongs(each, chosen, question_words, ties) and not any(_repeats(each, other) for other in chosen)
        )
        # The sentences skipped before the next one are dropped for good.
        at = next(fits, len(left))
        chosen += left[at : at + 1]
        left = left[at + 1 :]
    return [each.scored for each in chosen]


def present_sentences(chosen: Sequence[ScoredSentence]) -> tuple[tuple[AnswerSentence, ...], tuple[Citation, ...]]:
    """Return the sentences as they are shown, each with its citation."""
    sentences, citations = list[AnswerSentence](), list[Citation]()
    for number, each in enumerate(chosen, start=1):
        sentence = each.sentence
        citations.append(cite(sentence.hit, sentence.start, sentence.end, number))
        sentences.append(AnswerSentence(sentence.text, (number,)))
    return tuple(sentences), tuple(citations)


def _worth(each: _Candidate, chosen: Sequence[_Candidate], question_words: QuestionWords, ties: Ties) -> float:
    if not chosen:
        return each.scored.score
    covered = _covered(chosen)
    gain, again = question_words.share(each.covered - covered), question_words.share(each.covered & covered)
    if _is_further_answer(each, chosen, question_words):
        again = 0.0
    chunk = each.hit.chunk_id
    taken = [other.hit.chunk_id for other in chosen]
    # The other end of a path that a taken sentence is on: the second hop rarely repeats the question's words.
    hop = chunk not in taken and ties.share_path(chunk, taken)
    return each.scored.score + _NEW_COVERAGE * gain - _AGAIN * again + _HOP * hop - _SAME_HIT * taken.count(chunk)


def _belongs(each: _Candidate, chosen: Sequence[_Candidate], question_words: QuestionWords, ties: Ties) -> bool:
    """Return whether a sentence is tied to those taken: by its document, a path or its name, as a further answer, or by a further share of the question."""
    if not chosen or each.hit.document_id in {other.hit.document_id for other in chosen}:
        return True
    taken = {other.hit.chunk_id for other in chosen}
    return (
        _is_further_answer(each, chosen, question_words)
        or question_words.share(each.covered - _covered(chosen)) > _OWN_SHARE
        or ties.share_path(each.hit.chunk_id, taken)
        or ties.named(each.hit, taken)
    )


def _is_further_answer(each: _Candidate, chosen: Sequence[_Candidate], question_words: QuestionWords) -> bool:
    """Return whether a document that is not quoted yet answers a question for several things too: as much of it as the first sentence covers (ADR 185)."""
    return (
        question_words.several
        and each.hit.document_id not in {other.hit.document_id for other in chosen}
        and each.covered >= chosen[0].covered
        and bool(question_words.covered(each.scored.terms))
    )


def _covered(chosen: Sequence[_Candidate]) -> frozenset[str]:
    return frozenset[str]().union(*(other.covered for other in chosen))


def _repeats(one: _Candidate, other: _Candidate) -> bool:
    """Return whether a sentence says nothing new: nearly all its words are in the other."""
    terms = one.scored.terms
    return len(terms & other.scored.terms) >= _SAME_WORDS * max(len(terms), 1)
