"""Requests for a tool and explained answers: which tools of which skills fit, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from interlace.domain.hits import LegRank
from interlace.domain.policy import RetrievalPolicy

RouteSignal = Literal["vector", "keyword", "associative", "links", "graph"]
"""Signals that rank a tool: the two legs of the hybrid list, and three features of the graph.

``vector`` is the dense leg, and with it the cosine in the rerank. ``associative``: tools that share keywords or the skill with tools found. ``links``: the skill's document links to theirs, or they to it.
``graph``: keywords of the request lead to the tool in at most two steps over ``CONTAINS``, ``RELATED_TO``, ``USES`` and ``DOCUMENTED_IN``.
"""
ROUTE_SIGNALS: tuple[RouteSignal, ...] = get_args(RouteSignal)


@dataclass(frozen=True, slots=True)
class RouteRequest:
    """A request for tools.

    Args:
        text: what is to be done, at most 2,000 characters.
        limit: maximum number of tools.
        without: signals that are left out.
        model: the embedding model to ask with; none for the one that the tenant's questions use.
        policy: changes to the retrieval policy of the settings.
    """

    text: str
    limit: int = 5
    without: frozenset[RouteSignal] = frozenset()
    model: str | None = None
    policy: RetrievalPolicy | None = None


@dataclass(frozen=True, slots=True)
class SupportingTool:
    """A tool found that supports another.

    Args:
        tool: its name.
        skill: its skill's name.
        weight: its probability among the supporting tools, 0 to 1.
        similarity: shared keywords and skill, 0 to 1.
        keywords: names of the concepts that both are related to.
        same_skill: whether one skill contains both.
        linked: whether their skills' documents link to each other.
    """

    tool: str
    skill: str
    weight: float
    similarity: float
    keywords: tuple[str, ...]
    same_skill: bool
    linked: bool


@dataclass(frozen=True, slots=True)
class KeywordPath:
    """A path of at most two steps from a keyword of the request to a tool.

    Args:
        keyword: name of the concept, skill or tool that the request holds.
        via: name of the skill, tool or concept in between; empty if there is none.
        hops: 0 where the request names the tool itself, else 1 or 2.
        weight: what the path adds to the ``graph`` feature before its scale, 0 to 1.
    """

    keyword: str
    via: str
    hops: int
    weight: float


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
        parts: what the score is made of, scaled by the query's weights: ``hybrid`` (logarithm of its share of the fused score: 0 for the first,
            below 0 for all others), ``similarity`` (standardised cosine; 0 without embeddings), ``associative``, ``links`` and ``graph``.
        legs: its place in each leg of the hybrid list.
        supporters: tools found that support it, strongest first.
        paths: from keywords of the request to it, strongest first.
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
    supporters: tuple[SupportingTool, ...]
    paths: tuple[KeywordPath, ...]
    cypher: str


@dataclass(frozen=True, slots=True)
class RouteResponse:
    """The tools that fit a request.

    Args:
        query: the request.
        tools: best first.
        intent: action, target, context and keywords as they were understood.
        weights: the fusion weights that every step used.
        keywords: concepts, skills and tools that the request names, with their weights.
        retrieval_mode: ``graph_only`` where the graph was enough, else ``hybrid``.
        retrieval_path: signals that found something.
        retrieval_reason: why these answered, in a sentence.
        degraded: legs that failed or were late.
        timings: milliseconds by step, ``total`` among them.
        effort: how much work the answer took: legs, hops, candidates and tokens, Λ under ``lambda``; and tools, keywords and paths.
    """

    query: str
    tools: tuple[ToolHit, ...]
    intent: Mapping[str, Any]
    weights: Mapping[str, float]
    keywords: Mapping[str, float]
    retrieval_mode: Literal["graph_only", "hybrid"]
    retrieval_path: tuple[str, ...]
    retrieval_reason: str
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
