"""The knowledge-graph rerank: where the walk leads, weighed with what the chunk says of the remainder of the question.

score(c) = g · ln(P(c) + a · R(c)) + s · 0.6 · z(c) + ln(1 + l · n(c))

P is the walk's probability among chunks, R the fused list's share, a its say (``Confidence.lists``), g and s the query's scales, z the standardised cosine of
the chunk and the *remainder*: the question without its names. The names have done their work when the walk starts on them; left in,
they draw in namesakes and keep out the second chunk of a chain, which never repeats them. l and n are the scale and the nearness of links (``retrieval.proximity``).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

SIMILARITY = 0.6
_LEAST_SPREAD = 0.02


@dataclass(frozen=True, slots=True)
class Rerank:
    """What the rerank made of a chunk: the terms of its score, already scaled."""

    prior: float
    similarity: float
    proximity: float = 0.0

    @property
    def score(self) -> float:
        """The sum that orders chunks."""
        return self.prior + self.similarity + self.proximity


def rerank(
    fused: Mapping[str, float],
    walk: Mapping[str, float],
    similarity: Mapping[str, float],
    *,
    lists: float,
    graph_scale: float = 1.0,
    similarity_scale: float = 1.0,
) -> dict[str, Rerank]:
    """Score every chunk of the fused list, before links have their say.

    Args:
        fused: chunk to fused score, above 0.
        walk: chunk to probability; missing ones were not reached.
        similarity: chunk to cosine with the remainder of the question; a missing one counts as the lowest. Empty: no such term.
        lists: how much the fused list says beside the walk, above 0.
        graph_scale: ``FusionWeights.graph_rerank``.
        similarity_scale: ``FusionWeights.vector``.
    """
    reached = sum(walk.get(chunk, 0.0) for chunk in fused) or 1.0
    listed = sum(fused.values()) or 1.0
    standard = _standardised({chunk: similarity[chunk] for chunk in fused if chunk in similarity})
    lowest = min(standard.values(), default=0.0)
    return {
        chunk: Rerank(
            graph_scale * math.log(walk.get(chunk, 0.0) / reached + lists * score / listed),
            similarity_scale * SIMILARITY * standard.get(chunk, lowest),
        )
        for chunk, score in fused.items()
    }


def _standardised(values: Mapping[str, float]) -> dict[str, float]:
    if not values:
        return {}
    mean = sum(values.values()) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values.values()) / len(values))
    return {chunk: (value - mean) / max(spread, _LEAST_SPREAD) for chunk, value in values.items()}
