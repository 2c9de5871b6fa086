"""Confidence in the graph for a query, from the share of its names that the gazetteer knows."""

from dataclasses import dataclass

from interlace.search.profile import RerankProfile
from interlace.search.seeds import Seeds
from interlace.text.tokenizer import tokens

_UNKNOWN = 0.5


@dataclass(frozen=True, slots=True)
class Confidence:
    """How much the graph and the fused list count for a query.

    Args:
        graph: 0.5 to 1, by the share of the question's names that are linked: neighbours of first-stage chunks are of use even where
            none is.
        fused: weight of the fused list beside PageRank in the rerank: small where every name is linked.
    """

    graph: float
    fused: float


def assess(question: str, seeds: Seeds, profile: RerankProfile) -> Confidence:
    """Return the confidence for a question by the share of its names that are linked."""
    coverage = name_coverage(question, seeds)
    fused = profile.fused_most - (profile.fused_most - profile.fused_least) * coverage
    return Confidence((1 + coverage) / 2, fused)


def name_coverage(question: str, seeds: Seeds) -> float:
    """Return the share (0 to 1) of capitalised words, less the question's first, that linked entities cover.

    Without such words it is 1 where an entity was linked all the same, and 0.5 where none was: nothing is known to be missing.
    """
    words = [token for place, token in enumerate(tokens(question)) if place and token.capital]
    if not words:
        return 1.0 if seeds.matches else _UNKNOWN
    covered = sum(any(match.start <= word.start < match.end for match in seeds.matches) for word in words)
    return covered / len(words)
