"""Extractive answers: the sentences that most likely hold the answer, one from each hop of the path first, without a model and a token.

Sentences are taken one by one, as in maximal marginal relevance (Carbonell and Goldstein 1998): each next one is worth its score, plus what
it adds to the coverage of the question, less what repeats a sentence that was taken.
"""

from collections.abc import Mapping, Sequence

from interlace.answers.asked_words import AskedWords
from interlace.answers.evidence import cite
from interlace.answers.scoring import ScoredSentence
from interlace.domain.answers import AnswerSentence, Citation
from interlace.domain.hits import Hit

_NEW_COVERAGE = 1.0
_SAME_HIT = 0.75
_SAME_WORDS = 0.8
_HOP = 1.0
_AGAIN = 3.0


def choose_sentences(scored: Sequence[ScoredSentence], asked: AskedWords, count: int) -> list[ScoredSentence]:
    """Return the sentences of an extractive answer, best first.

    Args:
        scored: the sentences of the evidence.
        asked: the words of the question.
        count: sentences wanted at most.
    """
    hops = _hops([each.sentence.hit for each in scored])
    left, chosen = list(scored), list[ScoredSentence]()
    while left and len(chosen) < count:
        worths = [_worth(each, chosen, asked, hops) for each in left]
        best = left.pop(worths.index(max(worths)))
        if not any(_repeats(best, other) for other in chosen):
            chosen.append(best)
    return chosen


def present_sentences(chosen: Sequence[ScoredSentence]) -> tuple[tuple[AnswerSentence, ...], tuple[Citation, ...]]:
    """Return the sentences as they are shown, each with its citation."""
    sentences, citations = list[AnswerSentence](), list[Citation]()
    for number, each in enumerate(chosen, start=1):
        sentence = each.sentence
        citations.append(cite(sentence.hit, sentence.start, sentence.end, number))
        sentences.append(AnswerSentence(sentence.text, (number,)))
    return tuple(sentences), tuple(citations)


def _worth(
    each: ScoredSentence, chosen: Sequence[ScoredSentence], asked: AskedWords, hops: Mapping[str, frozenset[str]]
) -> float:
    if not chosen:
        return each.score
    held = asked.held(frozenset[str]().union(*(other.context for other in chosen)))
    own = asked.held(each.context)
    gain, again = asked.coverage(own - held), asked.coverage(own & held)
    chunk = each.sentence.hit.chunk_id
    taken = [other.sentence.hit.chunk_id for other in chosen]
    # The other end of a path that a taken sentence stands on: the second hop rarely repeats the question's words.
    hop = chunk not in taken and any(chunk in hops.get(other, ()) for other in taken)
    return each.score + _NEW_COVERAGE * gain - _AGAIN * again + _HOP * hop - _SAME_HIT * taken.count(chunk)


def _repeats(one: ScoredSentence, other: ScoredSentence) -> bool:
    """Return whether a sentence says nothing new: nearly all its words stand in the other."""
    return len(one.terms & other.terms) >= _SAME_WORDS * max(len(one.terms), 1)


def _hops(hits: Sequence[Hit]) -> dict[str, frozenset[str]]:
    """Return for each chunk the others on a path through it."""
    hops: dict[str, set[str]] = {}
    for hit in {hit.chunk_id: hit for hit in hits}.values():
        stations = {hit.chunk_id, *(step.chunk_id for step in hit.path)}
        for chunk in stations:
            hops.setdefault(chunk, set()).update(stations - {chunk})
    return {chunk: frozenset(others) for chunk, others in hops.items()}
