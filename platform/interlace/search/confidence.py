"""Confidence in the graph for a query: which of its names are linked, and how specific they are."""

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
        trust: 0 to 1, how much the order follows the graph rather than the text, by the specificity of the seed entities.
    """

    graph: float
    fused: float
    trust: float = 1.0


def assess(question: str, seeds: Seeds, profile: RerankProfile) -> Confidence:
    """Return the confidence for a question.

    Where every seed entity is in much of the corpus, as people are in their own chats, PageRank from them reaches everything and says
    little; where there is none, it only repeats the first-stage chunks. Trust rises linearly between two specificities.

    Args:
        question: as asked.
        seeds: its entities.
        profile: constants.
    """
    coverage = name_coverage(question, seeds)
    fused = profile.fused_most - (profile.fused_most - profile.fused_least) * coverage
    rise = (seeds.specificity - profile.specificity_none) / (profile.specificity_full - profile.specificity_none)
    return Confidence((1 + coverage) / 2, fused, trust=min(max(rise, 0.0), 1.0))


def name_coverage(question: str, seeds: Seeds) -> float:
    """Return the share (0 to 1) of capitalised words, less the question's first, that linked entities cover.

    Without such words it is 1 where an entity was linked all the same, and 0.5 where none was: nothing is known to be missing.
    """
    words = [token for place, token in enumerate(tokens(question)) if place and token.capital]
    if not words:
        return 1.0 if seeds.matches else _UNKNOWN
    covered = sum(any(match.start <= word.start < match.end for match in seeds.matches) for word in words)
    return covered / len(words)
