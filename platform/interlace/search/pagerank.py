"""Personalised PageRank over the bounded neighbourhood of a question, and the best path to each chunk.

The walk starts on the names of the question (and a little on the restart_chunks of the first stage), goes from a name to the restart_chunks that
mention it and from a chunk to the names it mentions. A chunk's own title counts several times a plain mention; a mention whose
surrounding words echo what the question asks counts more (Haveliwala 2002; HippoRAG, arXiv 2405.14831, for retrieval).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from interlace.search.paths import Index, Step, Transitions, Vector, best_paths
from interlace.text.rarity import inverse_frequency
from interlace.text.similarity import StemOverlap


class Edge(NamedTuple):
    """A mention that the expansion brought.

    Args:
        chunk: id of the chunk.
        entity: id of the entity it mentions.
        via: ``ner``, ``short``, ``acronym``, ``linker``, ``link``, ``declared``, ``llm`` or ``title`` (the chunk's document is about the entity).
        mentions: how many the chunk has.
        degree: chunks that mention the entity, in the whole graph.
        near: folded words around the mentions in the chunk; may be empty.
        key: the form of the name that the linker found; a chunk may hold several forms, and each makes a mention.
    """

    chunk: str
    entity: str
    via: str
    mentions: int
    degree: int
    near: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """Constants of the walk.

    Args:
        onward: probability of walking on rather than starting again.
        restart_chunks: share of the starts that fall on first-stage restart_chunks where names are known.
        title: how many times a title counts.
        focus: how much a mention gains whose surroundings hold all that is asked, as the exponent of e.
        steps: rounds of the power iteration.
    """

    onward: float = 0.85
    restart_chunks: float = 0.07
    title: float = 7.0
    focus: float = 2.0
    steps: int = 20


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk of the walk.

    Args:
        chunk: its id.
        score: stationary probability, over all chunks and names together.
        path: from a start to this chunk, names and chunks in turn: the likeliest way over at most two names.
    """

    chunk: str
    score: float
    path: tuple[Step, ...]


DEFAULT = Walk()


def rank_chunks(
    edges: Iterable[Edge],
    seeds: Mapping[str, float],
    restart_chunks: Mapping[str, float],
    *,
    total_chunks: int,
    asked: Sequence[str] = (),
    walk: Walk = DEFAULT,
    limit: int | None = None,
) -> list[RankedChunk]:
    """Rank the restart_chunks that the walk visits, best first, ties by id.

    The result depends on the set of edges alone, not on the order of rows.

    Args:
        edges: rows of the expansion; a name and a title that the same chunk mentions make one mention.
        seeds: entity to weight above 0 (``find_seeds``).
        restart_chunks: first-stage chunk to weight above 0 (``first_stage``).
        total_chunks: number of chunks of the tenant.
        asked: words of the question that are not names.
        walk: constants.
        limit: restart_chunks wanted; all without it.
    """
    graph = _build(edges, seeds, restart_chunks, total_chunks, asked, walk)
    if not graph.chunks:
        return []
    visited = _iterate(graph, walk)
    order = [at for at in np.lexsort((np.arange(len(visited)), -visited)) if visited[at] > 0][:limit]
    paths = best_paths(graph, walk.onward, order)
    return [RankedChunk(graph.chunks[at], float(visited[at]), path) for at, path in zip(order, paths, strict=True)]


def _build(
    edges: Iterable[Edge],
    seeds: Mapping[str, float],
    restart_chunks: Mapping[str, float],
    total: int,
    asked: Sequence[str],
    walk: Walk,
) -> Transitions:
    merged: dict[tuple[str, str], list[Edge]] = {}
    for edge in set(edges):
        merged.setdefault((edge.chunk, edge.entity), []).append(edge)
    pairs = sorted(merged)
    chunks = sorted({chunk for chunk, _ in pairs} | set(restart_chunks))
    entities = sorted({entity for _, entity in pairs} | set(seeds))
    chunk_at = {chunk: index for index, chunk in enumerate(chunks)}
    entity_at = {entity: index for index, entity in enumerate(entities)}
    row = np.array([chunk_at[chunk] for chunk, _ in pairs], dtype=np.intp)
    column = np.array([entity_at[entity] for _, entity in pairs], dtype=np.intp)
    weight = np.array([_weight(merged[pair], total, walk) for pair in pairs])
    words = StemOverlap(asked)
    focus = np.array([_focus(merged[pair], words, walk) for pair in pairs])
    share = walk.restart_chunks if seeds else 1.0
    return Transitions(
        chunks,
        entities,
        row,
        column,
        to_chunk=_normalised(weight, column, len(entities)),
        to_entity=_normalised(weight * focus, row, len(chunks)),
        chunk_start=_start(chunks, restart_chunks, share),
        entity_start=_start(entities, seeds, 1 - share if restart_chunks else 1.0),
    )


def _weight(rows: Sequence[Edge], total: int, walk: Walk) -> float:
    count = sum(edge.mentions for edge in rows if edge.via != "title")
    title = walk.title if any(edge.via == "title" for edge in rows) else 1.0
    return (1 + math.log1p(count)) * inverse_frequency(max(edge.degree for edge in rows), total) * title


def _focus(rows: Sequence[Edge], asked: StemOverlap, walk: Walk) -> float:
    return math.exp(walk.focus * max(asked.recall(edge.near) for edge in rows))


def _normalised(weight: Vector, group: Index, groups: int) -> Vector:
    total = np.bincount(group, weights=weight, minlength=groups)
    total[total == 0] = 1
    return np.asarray(weight / total[group], dtype=np.float64)


def _start(ids: Sequence[str], weights: Mapping[str, float], share: float) -> Vector:
    start = np.array([weights.get(name, 0.0) for name in ids])
    total = start.sum()
    return np.asarray(start * (share / total) if total else start, dtype=np.float64)


def _iterate(graph: Transitions, walk: Walk) -> Vector:
    chunk, entity = graph.chunk_start, graph.entity_start
    for _ in range(walk.steps):
        moved = np.bincount(graph.row, weights=graph.to_chunk * entity[graph.column], minlength=len(graph.chunks))
        named = np.bincount(graph.column, weights=graph.to_entity * chunk[graph.row], minlength=len(graph.entities))
        chunk = walk.onward * moved + (1 - walk.onward) * graph.chunk_start
        entity = walk.onward * named + (1 - walk.onward) * graph.entity_start
    return chunk
