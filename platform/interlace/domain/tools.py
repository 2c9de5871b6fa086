"""Requests for a tool and explained answers: which tools of which skills fit, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from interlace.domain.hits import LegRank

RouteSignal = Literal["vector", "keyword", "associative", "links", "walk"]
"""What moves a tool: the two legs of the hybrid list, and what the graph says.

``vector`` is the dense leg, and with it the cosine in the rerank. ``associative``: tools that share keywords or the skill with tools found. ``links``: the skill's document links to theirs, or they to it.
``walk``: keywords of the request lead to the tool in at most two steps over ``CONTAINS`` and ``RELATED_TO``.
"""
ROUTE_SIGNALS: tuple[RouteSignal, ...] = get_args(RouteSignal)


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """A request for tools.

    Args:
        text: what is to be done, at most 2,000 characters.
        limit: tools wanted.
        without: signals that are left out.
        model: the embedding model to ask with; none for the one that the tenant's questions use.
    """

    text: str
    limit: int = 5
    without: frozenset[RouteSignal] = frozenset()
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Associate:
    """A tool found that speaks for another.

    Args:
        tool: its name.
        skill: its skill's name.
        share: how much it has to say, 0 to 1; all that speak have 1 together.
        kinship: how near it is to the other by keywords and skill, 0 to 1.
        keywords: names of the concepts that both are related to.
        same_skill: whether one skill contains both.
        linked: whether their skills' documents link to each other.
    """

    tool: str
    skill: str
    share: float
    kinship: float
    keywords: tuple[str, ...]
    same_skill: bool
    linked: bool


@dataclass(frozen=True, slots=True)
class Way:
    """A way of at most two steps from a keyword of the request to a tool.

    Args:
        keyword: name of the concept, skill or tool that the request holds.
        via: name of the skill, tool or concept in between; empty if there is none.
        hops: 0 where the request names the tool itself, else 1 or 2.
        share: what the way adds to the walk's relevance, 0 to 1.
    """

    keyword: str
    via: str
    hops: int
    share: float


@dataclass(frozen=True, slots=True)
class ToolHit:
    """A tool of a skill that fits, and why.

    Args:
        rank: from 1.
        score: the sum of ``parts``.
        tool_id: the tool's entity.
        tool: its name.
        skill_id: the skill's entity.
        skill: its name.
        description: the chunk that declares the tool.
        keywords: concepts that tool and skill are related to.
        chunk_id: that chunk.
        document_id: the skill's document.
        source_uri: where it came from.
        parts: what the score is made of, scaled by the query's weights: ``hybrid`` (logarithm of the fused list's share: 0 for its first,
            below 0 for all others), ``similarity`` (standardised cosine; 0 without embeddings), ``associative``, ``links`` and ``walk``.
        legs: its place in each leg of the hybrid list.
        associates: tools found that speak for it, the strongest first.
        ways: from keywords of the request to it, the strongest first.
        cypher: a query for Neo4j Browser that shows it with its skill and keywords.
    """

    rank: int
    score: float
    tool_id: str
    tool: str
    skill_id: str
    skill: str
    description: str
    keywords: tuple[str, ...]
    chunk_id: str
    document_id: str
    source_uri: str
    parts: Mapping[str, float]
    legs: tuple[LegRank, ...]
    associates: tuple[Associate, ...]
    ways: tuple[Way, ...]
    cypher: str


@dataclass(frozen=True, slots=True)
class RouteResponse:
    """The tools that fit a request.

    Args:
        query: the request.
        tools: best first.
        intent: action, target, context and keywords as they were understood.
        weights: the fusion weights that every step used.
        keywords: names of concepts, skills and tools that the request holds, with their weights.
        retrieval_path: signals that had something to say.
        degraded: legs that failed or were late.
        timings: milliseconds by step, ``total`` among them.
        effort: how much work the answer took: legs, hops, candidates and tokens, Λ under ``lambda``; and tools, keywords and ways.
    """

    query: str
    tools: tuple[ToolHit, ...]
    intent: Mapping[str, Any]
    weights: Mapping[str, float]
    keywords: Mapping[str, float]
    retrieval_path: tuple[str, ...]
    degraded: tuple[str, ...]
    timings: Mapping[str, float]
    effort: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SkillSummary:
    """A registered skill: its entity, its document, the concepts it is related to, and the names of its tools."""

    id: str
    name: str
    source_uri: str
    document_id: str
    keywords: tuple[str, ...]
    tools: tuple[str, ...]
