"""The fuse stage: weighted reciprocal rank fusion of the legs' lists (Cormack, Clarke and Büttcher 2009)."""

import math
from collections.abc import Mapping, Sequence

from interlace.search.candidates import Candidate, Contribution, FusedCandidate
from interlace.search.profile import PROFILE
from interlace.search.weights import FusionWeights


def fuse_legs(
    legs: Mapping[str, Sequence[Candidate]], weights: FusionWeights, *, graph: float = 1.0, vector: float = 1.0
) -> list[FusedCandidate]:
    """Fuse the legs of a question by its weights.

    Args:
        legs: leg to its candidates, best first.
        weights: the query's weights.
        graph: factor on the graph leg's weight: the confidence in it.
        vector: the same for the vector leg.
    """
    confidence = {"graph": graph, "vector": vector}
    return reciprocal_ranks(legs, {leg: weights.of_leg(leg) * confidence.get(leg, 1.0) for leg in legs})


def reciprocal_ranks(legs: Mapping[str, Sequence[Candidate]], weights: Mapping[str, float]) -> list[FusedCandidate]:
    """Fuse ranked lists: score(d) = Σ weight / (k + rank(d)); best first, ties by id.

    The order of legs does not matter, a leg that is absent, empty or of weight 0 changes nothing, and a candidate that a leg returns
    twice counts once, at its better rank.

    Args:
        legs: leg to its candidates, best first.
        weights: leg to weight; legs without one do not count.
    """
    found: dict[str, dict[str, Contribution]] = {}
    for leg in sorted(legs):
        weight = weights.get(leg, 0.0)
        if weight > 0:
            for rank, candidate in enumerate(unique(legs[leg]), 1):
                share = weight / (PROFILE.rrf_k + rank)
                found.setdefault(candidate.id, {})[leg] = Contribution(rank, candidate.score, weight, share)
    fused = [
        FusedCandidate(each, math.fsum(part.share for part in parts.values()), parts) for each, parts in found.items()
    ]
    return sorted(fused, key=lambda each: (-each.score, each.id))


def pool(legs: Mapping[str, Sequence[Candidate]], limit: int) -> list[str]:
    """Return the candidates worth comparing with the query: those best placed in any leg's list, at most ``limit``, ties by id."""
    best: dict[str, int] = {}
    for candidates in legs.values():
        for rank, candidate in enumerate(unique(candidates), 1):
            best[candidate.id] = min(rank, best.get(candidate.id, rank))
    return sorted(best, key=lambda each: (best[each], each))[:limit]


def unique(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return each candidate once, at its better rank."""
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.id, candidate)
    return list(first.values())
