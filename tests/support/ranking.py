"""Fusion and rerank of prepared lists, as the stages of questions do them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from interlace.search.candidates import Candidate, RankedCandidate
from interlace.search.fuse import fuse_legs, unique
from interlace.search.rerank import RerankEvidence, rank


def fuse(evidence: RerankEvidence, legs: Mapping[str, Sequence[Candidate]]) -> list[RankedCandidate]:
    """Fuse the lists and rerank them by the evidence, to which the graph leg's candidates are added."""
    weights, confidence = evidence.weights, evidence.confidence
    fused = fuse_legs(legs, weights, graph=confidence.graph, vector=confidence.language)
    similarity = evidence.similarity if weights.uses("similarity") else {}
    reached = {each.id: each for each in unique(legs.get("graph", ()))}
    return rank(fused, replace(evidence, similarity=similarity, reached=reached))
