"""The rerank score of a candidate.

score(c) = g · ln(P(c) + a · R(c)) + s · 0.6 · z(c) + ln(1 + l · n(c))

P is the PageRank probability among candidates, R the share of the fused score, a the weight of the fused list (``Confidence.fused``),
g and s the query's scales, z the standardised cosine of the chunk and the *residual query*. The entities have done their work as seeds
of PageRank; in the compared text they would draw in namesakes and keep out the second chunk of a chain, which never repeats them.
l and n are the scale and the nearness of links (``search.proximity``).

Fusion by rank alone loses the graph's gain: lists that do not know the second chunk of a chain outvote the one that does. So the fused
list fills the pool and orders what PageRank did not reach.
"""

import math
from collections.abc import Mapping

from interlace.search.candidates import Features
from interlace.search.profile import PROFILE, RerankProfile


def rerank_features(
    fused: Mapping[str, float],
    graph: Mapping[str, float],
    similarity: Mapping[str, float],
    *,
    fused_weight: float,
    graph_scale: float = 1.0,
    similarity_scale: float = 1.0,
    profile: RerankProfile = PROFILE.rerank,
) -> dict[str, Features]:
    """Return the features of every fused candidate, before links.

    Args:
        fused: candidate to fused score, above 0.
        graph: candidate to PageRank probability; missing ones were not reached.
        similarity: candidate to cosine with the residual query; a missing one counts as the lowest. Empty: no such term.
        fused_weight: weight of the fused list beside PageRank, above 0.
        graph_scale: ``FusionWeights.graph_rerank``.
        similarity_scale: ``FusionWeights.vector``.
        profile: constants.
    """
    reached = sum(graph.get(each, 0.0) for each in fused) or 1.0
    total = sum(fused.values()) or 1.0
    standard = _standardised({each: similarity[each] for each in fused if each in similarity}, profile.least_spread)
    lowest = min(standard.values(), default=0.0)
    return {
        each: Features(
            graph_scale * math.log(graph.get(each, 0.0) / reached + fused_weight * score / total),
            similarity_scale * profile.similarity * standard.get(each, lowest),
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
