"""Questions and explained answers: what a query asks, and what each hit says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from interlace.domain.filters import Filter

Mode = Literal["auto", "graph_only", "hybrid", "vector_only", "keyword_only", "metadata_only"]
LegName = Literal["vector", "keyword", "graph", "community", "tags", "paths"]
LEGS: tuple[LegName, ...] = ("vector", "keyword", "graph", "community", "tags", "paths")


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A question.

    Args:
        text: the question, at most 2,000 characters.
        mode: which legs may answer; ``auto`` starts with the graph and escalates.
        limit: hits wanted.
        where: metadata filter, applied inside every leg.
        legs: only these legs, if given.
        explain: also return every leg's own ranking.
    """

    text: str
    mode: Mode = "auto"
    limit: int = 10
    where: Filter | None = None
    legs: tuple[LegName, ...] | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class LegRank:
    """A hit's place in one leg: rank from 1, the leg's own score, and what it added to the fused score."""

    leg: str
    rank: int
    score: float
    contribution: float


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path through the graph: a name, the passage that mentions it, and the sentence that shows it."""

    entity_id: str
    entity_name: str
    chunk_id: str
    document_title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers, and why.

    Args:
        rank: from 1.
        score: fused score.
        chunk_id: the passage.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
        section: headings above the passage, joined by ``>``; empty at the document's top.
        text: the passage.
        start: offset of its first character in the document's text.
        end: offset after its last character.
        tags: the document's tags.
        metadata: the document's other metadata.
        legs: its place in each leg that found it.
        path: how the graph reached it from a name in the question; empty if it did not.
        boosts: terms of the rerank that decided its place, by name.
        cypher: a query for Neo4j Browser that shows the path, or the passage with its document and names.
    """

    rank: int
    score: float
    chunk_id: str
    document_id: str
    title: str
    source_uri: str
    section: str
    text: str
    start: int
    end: int
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    legs: tuple[LegRank, ...]
    path: tuple[PathStep, ...]
    boosts: Mapping[str, float]
    cypher: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document's passage in one leg's own ranking."""

    chunk_id: str
    document_id: str
    source_uri: str
    score: float


@dataclass(frozen=True, slots=True)
class QueryResponse:
    """The answer to a question.

    Args:
        query: the question.
        hits: best first.
        intent: action, target, context and keywords as they were understood.
        weights: the fusion weights that every step used.
        names: names of the question that the graph knows, with their seed weights.
        retrieval_mode: the mode that answered.
        retrieval_path: the legs that were run, in order.
        retrieval_reason: why, in a sentence.
        degraded: legs that failed or were late.
        timings: milliseconds by leg and step, ``total`` among them.
        effort: how much work the answer took: legs, candidates, expanded names and passages.
        rankings: every leg's own ranking and the ``fused`` one, when ``explain`` was asked for.
    """

    query: str
    hits: tuple[Hit, ...]
    intent: Mapping[str, Any]
    weights: Mapping[str, float]
    names: Mapping[str, float]
    retrieval_mode: str
    retrieval_path: tuple[str, ...]
    retrieval_reason: str
    degraded: tuple[str, ...]
    timings: Mapping[str, float]
    effort: Mapping[str, float]
    rankings: Mapping[str, tuple[Ranked, ...]] = field(default_factory=dict)
