"""The likeliest way from a start to each chunk, for the explanation of a hit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Step:
    """A station of a path: a name or a chunk."""

    kind: Literal["entity", "chunk"]
    id: str


@dataclass(frozen=True, slots=True)
class Transitions:
    """A neighbourhood as arrays: one row, column and two probabilities a mention.

    Args:
        chunks: sorted ids, ``(n,)``.
        entities: sorted ids, ``(m,)``.
        row: mention to index in ``chunks``, ``(e,)``.
        column: mention to index in ``entities``, ``(e,)``.
        to_chunk: probability of going from the name to this chunk; sums to 1 a name.
        to_entity: probability of going from the chunk to this name; sums to 1 a chunk.
        chunk_start: probability of starting at each chunk, ``(n,)``.
        entity_start: probability of starting at each name, ``(m,)``.
    """

    chunks: list[str]
    entities: list[str]
    row: Index
    column: Index
    to_chunk: Vector
    to_entity: Vector
    chunk_start: Vector
    entity_start: Vector


def best_paths(graph: Transitions, onward: float, chunks: Iterable[int]) -> list[tuple[Step, ...]]:
    """Return the likeliest path to each of some chunks over at most two names; empty where none leads there.

    Args:
        graph: the neighbourhood.
        onward: probability of each move.
        chunks: their indexes.
    """
    first, first_by = _best(onward * graph.to_chunk * graph.entity_start[graph.column], graph.row, len(graph.chunks))
    reached = np.maximum(first, graph.chunk_start)
    named, named_by = _best(onward * graph.to_entity * reached[graph.row], graph.column, len(graph.entities))
    second, second_by = _best(onward * graph.to_chunk * named[graph.column], graph.row, len(graph.chunks))

    def name(mention: int) -> Step:
        return Step("entity", graph.entities[graph.column[mention]])

    def near(chunk: int) -> tuple[Step, ...]:
        here = Step("chunk", graph.chunks[chunk])
        if first[chunk] > graph.chunk_start[chunk]:
            return (name(first_by[chunk]), here)
        return (here,) if graph.chunk_start[chunk] > 0 else ()

    def whole(chunk: int) -> tuple[Step, ...]:
        if second[chunk] <= reached[chunk]:
            return near(chunk)
        middle = second_by[chunk]
        bridge = graph.row[named_by[graph.column[middle]]]
        return (*near(bridge), name(middle), Step("chunk", graph.chunks[chunk]))

    return [whole(chunk) for chunk in chunks]


def _best(value: Vector, group: Index, groups: int) -> tuple[Vector, Index]:
    """Return the highest value of each group and where it stands; 0 and -1 for empty groups, ties by position."""
    order = np.lexsort((np.arange(len(value)), -value, group))
    held, at = np.unique(group[order], return_index=True)
    best = np.zeros(groups)
    by = np.full(groups, -1, dtype=np.intp)
    by[held] = order[at]
    best[held] = value[order[at]]
    return best, by
