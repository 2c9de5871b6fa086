"""The rerank score of a candidate.

score(c) = g · (½ + ½ t) · ln(P(c) + a · R(c)) + s · (0.6 · z(c) + 1.5 · v(c)) + k · ((1 - t) · b(c) + (½ + 1 - t) · m(c)) + ln(1 + l · n(c))

P is the PageRank probability among candidates, R the share of the fused score, a the weight of the fused list (``Confidence.fused``),
g, s and k the query's scales, t the trust in the graph (``Confidence.trust``), b the standardised BM25 score, z the standardised cosine
of the chunk and the *residual query*. The entities already count as seeds of PageRank; in the compared text they would pull in namesakes
and push out the second chunk of a chain, which never repeats them. m is ln(1 + margin) for the keyword leg's first candidate, the margin
being how far its b is above the second's, and 0 for all others: a chunk that alone holds the question's words is the answer, or the
start of a chain. v is the same for the chunk nearest to the whole question. l and n are the scale and the nearness of links
(``search.proximity``).

Where no entity is linked (``unlinked_features``):

score(c) = g · ½ · ln(R(c)) + s · (z(c) + v(c)) + k · (0.8 · d(b(c)) + ½ · m(c)) + 0.4 · ln(1 + E(c)) + ln(1 + l · n(c))

There z and v compare the whole question, d(x) = sign(x) · ln(1 + |x|) keeps one chunk that repeats the question's words from dominating,
and E is the sum of the positive z of all candidates of the chunk's document: a page about the topic is near the question in several places.

Where entities are linked and some chunk means what the whole question means, the second sum replaces the first (``blended``) with the
share (1 - t · (1 - 0.3 · d²)) · d, d being how high the best cosine is (``Confidence.meaning``); 0.6 instead of 0.3 without a titled entity.

Fusion by rank alone loses the graph's gain: lists without the second chunk of a chain outvote the one that has it. So the fused
list fills the pool and orders what PageRank did not reach. Boosts, feedback and redundancy add terms of their own, each in a module of that name.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from interlace.search.candidates import Features
from interlace.search.profile import PROFILE, RerankProfile


@dataclass(frozen=True, slots=True)
class Scales:
    """How much each kind of evidence counts in a query.

    Args:
        graph: ``FusionWeights.graph_rerank``.
        similarity: ``FusionWeights.vector``.
        keyword: ``FusionWeights.keyword``.
        language: above 0 to 1, how far the embedding model knows the question's language.
    """

    graph: float = 1.0
    similarity: float = 1.0
    keyword: float = 1.0
    language: float = 1.0


_EVEN = Scales()


def rerank_features(
    fused: Mapping[str, float],
    graph: Mapping[str, float],
    similarity: Mapping[str, float],
    keyword: Mapping[str, float] = MappingProxyType({}),
    whole: Mapping[str, float] = MappingProxyType({}),
    *,
    fused_weight: float,
    trust: float = 1.0,
    scales: Scales = _EVEN,
    profile: RerankProfile = PROFILE.rerank,
) -> dict[str, Features]:
    """Return the features of every fused candidate, before links.

    Args:
        fused: candidate to fused score, above 0.
        graph: candidate to PageRank probability; missing ones were not reached.
        similarity: candidate to cosine with the residual query; a missing one counts as the lowest. Empty: no such term.
        keyword: candidate to BM25 score; a missing one counts as the lowest. Empty: nothing takes the place of the graph.
        whole: candidate to cosine with the whole query. Empty: none stands out.
        trust: 0 to 1, how much the order follows the graph rather than the text.
        fused_weight: weight of the fused list beside PageRank, above 0.
        scales: of the kinds of evidence.
        profile: constants.
    """
    reached = sum(graph.get(each, 0.0) for each in fused) or 1.0
    total = sum(fused.values()) or 1.0
    cosines = standardised(fused, similarity, profile.least_spread, scales.language)
    words = standardised(fused, keyword, profile.least_spread)
    least_cosine, least_words = min(cosines.values(), default=0.0), min(words.values(), default=0.0)
    margin = _margin(words)
    ahead = _margin(standardised(fused, whole, profile.least_spread, scales.language))
    # Without keyword scores nothing could take the graph's place.
    doubt = 1 - trust if words else 0.0
    prior_scale = scales.graph * (1 - (1 - profile.graph_untrusted) * doubt)
    return {
        each: Features(
            # A logarithm, so that the graph's probability multiplies what the text says; the fused share keeps it above 0.
            prior_scale * math.log(graph.get(each, 0.0) / reached + fused_weight * score / total),
            scales.similarity
            * (profile.similarity * cosines.get(each, least_cosine) + profile.margin_vector * ahead.get(each, 0.0)),
            # BM25 scores count as far as the graph is doubted, and the keyword leg's first candidate by its margin.
            keyword=scales.keyword
            * (
                profile.keyword * doubt * words.get(each, least_words)
                + (profile.margin + profile.margin_untrusted * doubt) * margin.get(each, 0.0)
            ),
        )
        for each, score in fused.items()
    }


def unlinked_features(
    fused: Mapping[str, float],
    similarity: Mapping[str, float],
    keyword: Mapping[str, float],
    documents: Mapping[str, str] = MappingProxyType({}),
    *,
    scales: Scales = _EVEN,
    profile: RerankProfile = PROFILE.rerank,
) -> dict[str, Features]:
    """Return the features of every fused candidate of a question in which no entity is linked, before links.

    Args:
        fused: candidate to fused score, above 0.
        similarity: candidate to cosine with the question; a missing one counts as the lowest. Empty: no such term.
        keyword: candidate to BM25 score; a missing one counts as the lowest. Empty: no such term.
        documents: candidate to its document; a missing one is alone. Empty: no such term.
        scales: of the kinds of evidence.
        profile: constants.
    """
    total = sum(fused.values()) or 1.0
    cosines = standardised(fused, similarity, profile.least_spread, scales.language)
    words = standardised(fused, keyword, profile.least_spread)
    least_cosine, least_words = min(cosines.values(), default=0.0), min(words.values(), default=0.0)
    margin = _margin(words)
    ahead = _margin(cosines)
    evidence: dict[str, float] = {}
    for each, document in documents.items():
        evidence[document] = evidence.get(document, 0.0) + max(cosines.get(each, 0.0), 0.0)
    return {
        each: Features(
            scales.graph * profile.graph_untrusted * math.log(score / total),
            scales.similarity
            * (
                profile.similarity_unlinked * cosines.get(each, least_cosine)
                + profile.margin_vector_unlinked * ahead.get(each, 0.0)
            ),
            keyword=scales.keyword
            * (
                profile.keyword_unlinked * damped(words.get(each, least_words)) + profile.margin * margin.get(each, 0.0)
            ),
            document=profile.document * math.log1p(evidence.get(documents.get(each, ""), 0.0)),
        )
        for each, score in fused.items()
    }


def blended(one: Mapping[str, Features], other: Mapping[str, Features], share: float) -> dict[str, Features]:
    """Return the weighted mean of two sums of the same candidates, term by term.

    Args:
        one: candidate to features, before links and boosts.
        other: likewise.
        share: 0 to 1, the weight of the other.
    """
    return {
        each: Features(
            (1 - share) * terms.graph + share * other[each].graph,
            (1 - share) * terms.similarity + share * other[each].similarity,
            keyword=(1 - share) * terms.keyword + share * other[each].keyword,
            document=(1 - share) * terms.document + share * other[each].document,
        )
        for each, terms in one.items()
    }


def softmax(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each candidate: exp(score) / Σ exp(score), shifted by the highest so that nothing overflows."""
    highest = max(scores.values(), default=0.0)
    powers = {each: math.exp(score - highest) for each, score in scores.items()}
    total = math.fsum(powers.values())
    return {each: power / total for each, power in powers.items()}


def _margin(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the candidate with the highest score with ln(1 + how far it is above the next); nothing without two scores."""
    order = sorted(scores, key=lambda each: (-scores[each], each))[:2]
    return {order[0]: math.log1p(scores[order[0]] - scores[order[1]])} if len(order) > 1 else {}


def damped(value: float) -> float:
    """Return sign(x) · ln(1 + abs(x))."""
    return math.copysign(math.log1p(abs(value)), value)


def standardised(
    candidates: Iterable[str], known: Mapping[str, float], least_spread: float, scale: float = 1.0
) -> dict[str, float]:
    """Return the known values of some candidates in standard deviations (at least ``least_spread``) above their mean, times a scale."""
    values = {each: known[each] for each in candidates if each in known}
    if not values:
        return {}
    mean = sum(values.values()) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values.values()) / len(values))
    return {each: scale * (value - mean) / max(spread, least_spread) for each, value in values.items()}
