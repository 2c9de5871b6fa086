"""From the legs' lists to one: weighted reciprocal rank fusion, knowledge-graph rerank, links; every share kept to explain.

Fusion by rank alone gives the graph's gain away: lists that do not know the second chunk of a chain outvote the one that does. So
the fused list fills the pool and orders what the walk did not reach, and the rerank decides.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from interlace.search.confidence import Confidence
from interlace.search.proximity import NO_LINKS, ChunkLinks, Linked, linked_hits
from interlace.search.rerank import Rerank, rerank
from interlace.search.weights import FusionWeights

RRF_K = 60
GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class LegHit:
    """A chunk in one leg's list: its id and the leg's own score (higher is better; scales differ between legs)."""

    chunk: str
    score: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one leg says of a chunk.

    Args:
        rank: from 1.
        score: the leg's own score.
        weight: weight of the leg for this query.
        share: ``weight / (k + rank)``.
    """

    rank: int
    score: float
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class ListedHit:
    """A chunk after reciprocal rank fusion: the sum of the legs' shares, and each of them by leg."""

    chunk: str
    score: float
    legs: Mapping[str, Contribution]


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk after fusion and rerank.

    Args:
        chunk: its id.
        score: its share of belief, 0 to 1; all hits of the query sum to 1.
        rrf: its score by reciprocal rank fusion.
        legs: leg to contribution.
        rerank: the terms that decided its place.
        linked: the hit that it is linked with; none where there is no link, or links have no say.
    """

    chunk: str
    score: float
    rrf: float
    legs: Mapping[str, Contribution]
    rerank: Rerank
    linked: Linked | None = None


@dataclass(frozen=True, slots=True)
class QueryFeatures:
    """What fusion has to know of the query.

    Args:
        weights: the query's weights.
        confidence: how sure the graph is.
        similarity: chunk to cosine with the remainder of the question (``Seeds.remainder``) for the pool; empty without embeddings.
        k: the constant of reciprocal rank fusion.
        links: links among the documents of the pool's chunks.
        link_scale: precision times proximity (``link_scale``).
    """

    weights: FusionWeights
    confidence: Confidence
    similarity: Mapping[str, float] = field(default_factory=dict)
    k: int = RRF_K
    links: ChunkLinks = NO_LINKS
    link_scale: float = 0.0


def fuse(features: QueryFeatures, legs: Mapping[str, Sequence[LegHit]]) -> list[FusedHit]:
    """Fuse the legs' lists and rerank them; best first, ties by id.

    Args:
        features: weights, confidence and similarities of this query.
        legs: leg to its hits, best first; the scores of ``graph`` are the walk's probabilities (``RankedChunk.score``). Legs that
            failed or were not asked are left out.
    """
    weights = {leg: features.weights.of_leg(leg) for leg in legs}
    if GRAPH in weights:
        weights[GRAPH] *= features.confidence.graph
    listed = reciprocal_ranks(legs, weights, k=features.k)
    walked = _unique(legs[GRAPH]) if weights.get(GRAPH) and features.weights.uses("graph_rerank") else []
    scores = rerank(
        {hit.chunk: hit.score for hit in listed},
        {hit.chunk: hit.score for hit in walked},
        features.similarity if features.weights.uses("similarity") else {},
        lists=features.confidence.lists,
        graph_scale=features.weights.graph_rerank,
        similarity_scale=features.weights.vector,
    )
    linked: dict[str, Linked] = {}
    if features.links.pairs:
        linked = linked_hits(sorted(scores, key=lambda chunk: (-scores[chunk].score, chunk)), features.links)
    for chunk, each in linked.items():
        scores[chunk] = replace(scores[chunk], proximity=math.log1p(features.link_scale * each.nearness))
    highest = max((part.score for part in scores.values()), default=0.0)
    belief = {chunk: math.exp(part.score - highest) for chunk, part in scores.items()}
    total = math.fsum(belief.values())
    hits = [
        FusedHit(hit.chunk, belief[hit.chunk] / total, hit.score, hit.legs, scores[hit.chunk], linked.get(hit.chunk))
        for hit in listed
    ]
    return sorted(hits, key=lambda hit: (-hit.rerank.score, hit.chunk))


def reciprocal_ranks(
    legs: Mapping[str, Sequence[LegHit]], weights: Mapping[str, float], *, k: int = RRF_K
) -> list[ListedHit]:
    """Fuse ranked lists: score(d) = Σ weight / (k + rank(d)) (Cormack et al. 2009); best first, ties by id.

    The order of legs does not matter, a leg that is absent, empty or of weight 0 changes nothing, and a chunk that a leg names
    twice counts once, at its better rank.

    Args:
        legs: leg to its hits, best first.
        weights: leg to weight; legs without one count nothing.
        k: the constant; higher flattens the lists.
    """
    found: dict[str, dict[str, Contribution]] = {}
    for leg in sorted(legs):
        weight = weights.get(leg, 0.0)
        if weight > 0:
            for rank, hit in enumerate(_unique(legs[leg]), 1):
                found.setdefault(hit.chunk, {})[leg] = Contribution(rank, hit.score, weight, weight / (k + rank))
    listed = [
        ListedHit(chunk, math.fsum(part.share for part in parts.values()), parts) for chunk, parts in found.items()
    ]
    return sorted(listed, key=lambda hit: (-hit.score, hit.chunk))


def pool(legs: Mapping[str, Sequence[LegHit]], limit: int) -> list[str]:
    """Return the chunks worth comparing with the question: those best placed in any leg, at most ``limit``, ties by id.

    Args:
        legs: leg to its hits, best first.
        limit: number of chunks.
    """
    best: dict[str, int] = {}
    for hits in legs.values():
        for rank, hit in enumerate(_unique(hits), 1):
            best[hit.chunk] = min(rank, best.get(hit.chunk, rank))
    return sorted(best, key=lambda chunk: (best[chunk], chunk))[:limit]


def _unique(hits: Sequence[LegHit]) -> list[LegHit]:
    first: dict[str, LegHit] = {}
    for hit in hits:
        first.setdefault(hit.chunk, hit)
    return list(first.values())
