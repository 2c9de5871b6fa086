"""The rerank score of a candidate.

score(c) = g · (½ + ½ t) · ln(P(c) + a · R(c)) + s · 0.6 · z(c) + k · (1 - t) · b(c) + ln(1 + l · n(c))

P is the PageRank probability among candidates, R the share of the fused score, a the weight of the fused list (``Confidence.fused``),
g, s and k the query's scales, t the trust in the graph (``Confidence.trust``), b the standardised BM25 score, z the standardised cosine of the chunk and the *residual query*. The entities have done their work as seeds
of PageRank; in the compared text they would draw in namesakes and keep out the second chunk of a chain, which never repeats them.
l and n are the scale and the nearness of links (``search.proximity``).

Fusion by rank alone loses the graph's gain: lists that do not know the second chunk of a chain outvote the one that does. So the fused
list fills the pool and orders what PageRank did not reach.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from interlace.search.candidates import Features
from interlace.search.profile import PROFILE, RerankProfile


def rerank_features(
    fused: Mapping[str, float],
    graph: Mapping[str, float],
    similarity: Mapping[str, float],
    keyword: Mapping[str, float] = MappingProxyType({}),
    *,
    fused_weight: float,
    trust: float = 1.0,
    similarity_weight: float | None = None,
    keyword_scale: float = 1.0,
    graph_scale: float = 1.0,
    similarity_scale: float = 1.0,
    profile: RerankProfile = PROFILE.rerank,
) -> dict[str, Features]:
    """Return the features of every fused candidate, before links.

    Args:
        fused: candidate to fused score, above 0.
        graph: candidate to PageRank probability; missing ones were not reached.
        similarity: candidate to cosine with the residual query; a missing one counts as the lowest. Empty: no such term.
        keyword: candidate to BM25 score; a missing one counts as the lowest. Empty: the graph has full trust.
        trust: 0 to 1, how much the order follows the graph rather than the text.
        similarity_weight: weight of the cosine; the profile's without it.
        keyword_scale: ``FusionWeights.keyword``.
        fused_weight: weight of the fused list beside PageRank, above 0.
        graph_scale: ``FusionWeights.graph_rerank``.
        similarity_scale: ``FusionWeights.vector``.
        profile: constants.
    """
    reached = sum(graph.get(each, 0.0) for each in fused) or 1.0
    total = sum(fused.values()) or 1.0
    cosines = _standardised({each: similarity[each] for each in fused if each in similarity}, profile.least_spread)
    words = _standardised({each: keyword[each] for each in fused if each in keyword}, profile.least_spread)
    least_cosine, least_words = min(cosines.values(), default=0.0), min(words.values(), default=0.0)
    # Without keyword scores nothing could take the graph's place.
    doubt = 1 - trust if words else 0.0
    prior_scale = graph_scale * (1 - (1 - profile.graph_untrusted) * doubt)
    cosine_scale = similarity_scale * (profile.similarity if similarity_weight is None else similarity_weight)
    return {
        each: Features(
            prior_scale * math.log(graph.get(each, 0.0) / reached + fused_weight * score / total),
            cosine_scale * cosines.get(each, least_cosine),
            keyword=keyword_scale * profile.keyword * doubt * words.get(each, least_words),
        )
        for each, score in fused.items()
    }


def softmax(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each candidate: exp(score) / Σ exp(score), shifted by the highest so that nothing overflows."""
    highest = max(scores.values(), default=0.0)
    powers = {each: math.exp(score - highest) for each, score in scores.items()}
    total = math.fsum(powers.values())
    return {each: power / total for each, power in powers.items()}


def _standardised(values: Mapping[str, float], least_spread: float) -> dict[str, float]:
    if not values:
        return {}
    mean = sum(values.values()) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values.values()) / len(values))
    return {each: (value - mean) / max(spread, least_spread) for each, value in values.items()}
