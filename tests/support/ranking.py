"""Fusion and rerank of prepared lists, as the stages of questions do them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interlace.search.candidates import Candidate, RankedCandidate
from interlace.search.confidence import Confidence
from interlace.search.fuse import fuse_legs, unique
from interlace.search.proximity import NO_LINKS, ChunkLinks
from interlace.search.rerank import RerankEvidence, rank
from interlace.search.weights import FusionWeights


@dataclass(frozen=True, slots=True)
class QueryFeatures:
    """What is known of a query beside its lists."""

    weights: FusionWeights
    confidence: Confidence
    similarity: Mapping[str, float] = field(default_factory=dict)
    whole: Mapping[str, float] = field(default_factory=dict)
    keyword: Mapping[str, float] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    linked: bool = True
    links: ChunkLinks = NO_LINKS
    link_scale: float = 0.0


def fuse(features: QueryFeatures, legs: Mapping[str, Sequence[Candidate]]) -> list[RankedCandidate]:
    """Fuse the lists and rerank them."""
    fused = fuse_legs(legs, features.weights, graph=features.confidence.graph, vector=features.confidence.language)
    evidence = RerankEvidence(
        features.weights,
        features.confidence,
        features.similarity if features.weights.uses("similarity") else {},
        features.whole,
        features.keyword,
        features.documents,
        features.linked,
        features.links,
        features.link_scale,
        reached={each.id: each for each in unique(legs.get("graph", ()))},
    )
    return rank(fused, evidence)
