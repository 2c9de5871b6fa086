"""Confidence in the graph and in the text for a query: from its entities before the search, and from the results after it."""

from collections.abc import Mapping
from dataclasses import dataclass

from interlace.search.profile import RerankProfile
from interlace.search.seeds import Seeds
from interlace.text.tokenizer import content_words, tokens

_UNKNOWN = 0.5


@dataclass(frozen=True, slots=True)
class Confidence:
    """How much the graph and the fused list count for a query.

    Args:
        graph: 0.5 to 1, by the share of the question's names that are linked: neighbours of first-stage chunks help even where none is.
        fused: weight of the fused list beside PageRank in the rerank: small where every name is linked.
        trust: 0 to 1, how much the order follows the graph rather than the text, by the specificity of the seed entities and by the share of
            the question's names that they are.
        meaning: 0 to 1, how far the text is ranked by the meaning of the whole query, by its best cosine.
        language: above 0 to 1, how far the embedding model knows the question's language (``search.model_language``).
    """

    graph: float
    fused: float
    trust: float = 1.0
    meaning: float = 0.0
    language: float = 1.0


def assess(question: str, seeds: Seeds, profile: RerankProfile, *, compared: bool = True) -> Confidence:
    """Return the confidence for a question.

    Where every seed entity occurs in much of the corpus, as people do in their own chats, PageRank from them reaches everything and says
    little; without seed entities, it only repeats the first-stage chunks. Trust rises linearly between two specificities, which are lower in a
    small corpus, where a few mentions are a large share of the chunks. What no document is about counts as less specific: nothing leads from it
    to the rest of an answer, as a page about it would (ADR 175). Trust falls to a half where the question names much besides the seed entities,
    because PageRank starts from only a part of what is asked about (ADR 153). Where nothing is compared with the question, that part says all
    that PageRank knows of it, and trust also rises with its share (ADR 160).

    Args:
        question: as asked.
        seeds: its entities.
        profile: constants.
        compared: whether embeddings of candidates are compared with the question.
    """
    coverage = name_coverage(question, seeds)
    fused = profile.fused_most - (profile.fused_most - profile.fused_least) * coverage
    specificity = max(seeds.titled_specificity, profile.untitled * seeds.specificity)
    size = min(max(seeds.total_chunks, 1) / profile.small_corpus, 1.0)
    trust = _rise(specificity, size * profile.specificity_none, size * profile.specificity_full)
    known = _rise(coverage, 0.0, profile.coverage_full)
    if not compared:
        trust *= _rise(overlap(question, seeds), profile.overlap_none, profile.overlap_full)
    return Confidence((1 + coverage) / 2, fused, trust * (1 + known) / 2)


def meaning(cosines: Mapping[str, float], model: str, profile: RerankProfile) -> float:
    """Return how far text is ranked by the meaning of the whole query, 0 to 1.

    A low best cosine says that no chunk means what the query means, as in chats, where a chunk is about many things; only words then count.

    Args:
        cosines: candidate to cosine with the whole query; empty without embeddings.
        model: the embedding model.
        profile: constants.
    """
    if not cosines or model not in profile.meaning:
        return 0.0
    return _rise(max(cosines.values()), *profile.meaning[model])


def _rise(value: float, none: float, full: float) -> float:
    """Return 0 up to ``none``, 1 from ``full`` on, and linearly between."""
    return min(max((value - none) / (full - none), 0.0), 1.0)


def overlap(question: str, seeds: Seeds) -> float:
    """Return the share (0 to 1) of the question's content words that are covered by linked entities."""
    words = content_words(question)
    return 1 - len(seeds.residual_terms) / len(words) if words else 0.0


def name_coverage(question: str, seeds: Seeds) -> float:
    """Return the share (0 to 1) of capitalised words, without the question's first, that linked entities cover.

    Without such words it is 1 where an entity was linked nevertheless, and 0.5 where none was: nothing is known to be missing.
    """
    words = [token for place, token in enumerate(tokens(question)) if place and token.capital]
    if not words:
        return 1.0 if seeds.matches else _UNKNOWN
    covered = sum(any(match.start <= word.start < match.end for match in seeds.matches) for word in words)
    return covered / len(words)
