"""Pseudo-relevance feedback: candidates gain that hold the characteristic terms of the first candidates.

The first candidates are taken for relevant, as in Rocchio 1971, each with its probability, as in the relevance models of Lavrenko and Croft 2001, of
which the strongest terms are kept. No second search is made: only the candidates are compared, and document frequencies are counted among
them, so that what all of them contain says nothing.
"""

import math
from collections import Counter
from collections.abc import Mapping

from interlace.ports.vectors import SparseVector
from interlace.search.profile import FeedbackProfile
from interlace.search.scoring import damped, softmax, standardised

_Terms = dict[int, float]
_BELOW = 1e-9
_EPSILON = 1e-9


def feedback(
    scores: Mapping[str, float], terms: Mapping[str, SparseVector], profile: FeedbackProfile
) -> dict[str, float]:
    """Return the standardised similarity of each candidate with the first ones: the product of their strongest terms and its own.

    A first candidate is compared with the others only. Candidates without terms are left out; without more than the first ones there is nothing.

    Args:
        scores: candidate to rerank score.
        terms: candidate to BM25 weights without inverse document frequencies.
        profile: constants.
    """
    known = {each: scores[each] for each in sorted(scores.keys() & terms.keys())}
    if len(known) <= profile.first:
        return {}
    vectors = _vectors({each: terms[each] for each in known})
    shares = softmax({each: known[each] for each in sorted(known, key=lambda each: -known[each])[: profile.first]})
    model: _Terms = {}
    for each, share in shares.items():
        for term, weight in vectors[each].items():
            model[term] = model.get(term, 0.0) + share * weight
    strongest = dict(sorted(model.items(), key=lambda entry: (-entry[1], entry[0]))[: profile.terms])
    found = {each: _similarity(strongest, vector, shares.get(each, 0.0)) for each, vector in vectors.items()}
    return standardised(found, found, profile.least_spread)


def gains(scores: Mapping[str, float], similarities: Mapping[str, float], profile: FeedbackProfile) -> dict[str, float]:
    """Return what each candidate gains or loses; one without a similarity counts as the least similar, and the first ones stay where they are.

    Feedback finds what else is relevant; what is most relevant the question itself says better.

    Args:
        scores: candidate to rerank score.
        similarities: candidate to similarity with the first ones; empty: none counts.
        profile: constants.
    """
    if not similarities or len(scores) <= profile.kept:
        return {}
    order = sorted(scores, key=lambda each: (-scores[each], each))
    least, highest = min(similarities.values()), scores[order[profile.kept - 1]]
    wanted = {
        each: scores[each] + profile.weight * damped(similarities.get(each, least)) for each in order[profile.kept :]
    }
    # Those that would pass the last one that stays follow it in their order.
    places = enumerate(sorted(wanted, key=lambda each: (-wanted[each], each)), 1)
    return {each: min(wanted[each], highest - place * _BELOW) - scores[each] for place, each in places}


def _vectors(terms: Mapping[str, SparseVector]) -> dict[str, _Terms]:
    """Return vectors of length 1: the weights of each candidate times the terms' inverse frequencies among the candidates."""
    frequency = Counter(term for vector in terms.values() for term in vector.indices)
    inverse = {term: math.log(1 + (len(terms) - count + 0.5) / (count + 0.5)) for term, count in frequency.items()}
    found: dict[str, _Terms] = {}
    for each, vector in terms.items():
        weights = {term: value * inverse[term] for term, value in zip(vector.indices, vector.values, strict=True)}
        length = math.hypot(*weights.values())
        found[each] = {term: weight / length for term, weight in weights.items()}
    return found


def _similarity(model: _Terms, vector: _Terms, share: float) -> float:
    """Return the product of a candidate with the model, without its own share of the model."""
    shared = [(weight, vector[term]) for term, weight in model.items() if term in vector]
    own = share * sum(weight * weight for _, weight in shared)
    return (sum(wanted * weight for wanted, weight in shared) - own) / max(1 - share, _EPSILON)
