"""The likeliest path from the restart to each chunk, for the explanation of a hit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.search.candidates import Step

Probabilities = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Transitions:
    """A neighbourhood as arrays: one row, one column and two probabilities per edge (chunk mentions entity).

    Args:
        chunks: sorted ids, ``(n,)``.
        entities: sorted ids, ``(m,)``.
        row: edge to index in ``chunks``, ``(e,)``.
        column: edge to index in ``entities``, ``(e,)``.
        to_chunk: probability of following the edge from the entity to the chunk; sums to 1 for each entity.
        to_entity: probability of following the edge from the chunk to the entity; sums to 1 for each chunk.
        chunk_restart: probability of restarting at each chunk, ``(n,)``.
        entity_restart: probability of restarting at each entity, ``(m,)``.
    """

    chunks: list[str]
    entities: list[str]
    row: Index
    column: Index
    to_chunk: Probabilities
    to_entity: Probabilities
    chunk_restart: Probabilities
    entity_restart: Probabilities


def best_paths(
    graph: Transitions, damping: float, chunks: Iterable[int], names: Mapping[str, str]
) -> list[tuple[Step, ...]]:
    """Return the likeliest path to each chunk over at most two entities; empty where there is none.

    Args:
        graph: the neighbourhood.
        damping: probability of following an edge.
        chunks: their indexes.
        names: entity to its name; a missing one is shown as empty.
    """
    # Max-product over two steps: from a restart to chunks, on to their entities, and to chunks again.
    first, first_by = _best(damping * graph.to_chunk * graph.entity_restart[graph.column], graph.row, len(graph.chunks))
    reached = np.maximum(first, graph.chunk_restart)
    entity_best, reached_by = _best(damping * graph.to_entity * reached[graph.row], graph.column, len(graph.entities))
    second, second_by = _best(damping * graph.to_chunk * entity_best[graph.column], graph.row, len(graph.chunks))

    def entity(edge: int) -> Step:
        found = graph.entities[graph.column[edge]]
        return Step("entity", found, names.get(found, ""))

    def over_one(chunk: int) -> tuple[Step, ...]:
        here = Step("chunk", graph.chunks[chunk])
        if first[chunk] > graph.chunk_restart[chunk]:
            return (entity(first_by[chunk]), here)
        return (here,) if graph.chunk_restart[chunk] > 0 else ()

    def path_to(chunk: int) -> tuple[Step, ...]:
        if second[chunk] <= reached[chunk]:
            return over_one(chunk)
        middle = second_by[chunk]
        bridge = graph.row[reached_by[graph.column[middle]]]
        return (*over_one(bridge), entity(middle), Step("chunk", graph.chunks[chunk]))

    return [path_to(chunk) for chunk in chunks]


def _best(value: Probabilities, group: Index, groups: int) -> tuple[Probabilities, Index]:
    """Return the highest value of each group and its index; 0 and -1 for empty groups, the first of equals."""
    order = np.lexsort((np.arange(len(value)), -value, group))
    nonempty, at = np.unique(group[order], return_index=True)
    best = np.zeros(groups)
    by = np.full(groups, -1, dtype=np.intp)
    by[nonempty] = order[at]
    best[nonempty] = value[order[at]]
    return best, by
