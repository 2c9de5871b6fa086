"""Project communities into the collection ``communities`` of the vector index."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from more_itertools import chunked
from numpy.typing import NDArray

from interlace.domain.ids import checksum
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex
from interlace.queries.communities import ReadCommunitiesRow, read_communities
from interlace.text.bm25 import chunk_terms

KIND: Final = "communities"
_BATCH = 64

Vectors = Mapping[str, NDArray[np.float32]]
"""Vectors of one point by embedding model, ``(dimensions,) float32``."""


def synchronise(
    graph: GraphDatabase,
    vectors: VectorIndex,
    embedders: Sequence[Embedder],
    tenant: str,
    renew: Callable[[], None],
    *,
    everything: bool = False,
) -> None:
    """Write the points of communities whose text changed, and delete those of communities that no longer exist.

    The index is compared with the graph, so that an interrupted run needs no other repair. No model runs: the vector of a
    community is the mean of those of the chunks that its summary quotes.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedders: the models whose vectors are wanted; none for keywords alone.
        tenant: the tenant.
        renew: called before each batch.
        everything: write every point, whatever the index holds.
    """
    rows = read_communities(graph, tenant=tenant)
    stored = {point.id: point.payload for point in vectors.scroll(tenant, KIND)}
    gone = sorted(stored.keys() - {row.id for row in rows})
    if gone:
        vectors.delete(tenant, KIND, gone)
    models = {embedder.model: embedder.dimensions for embedder in embedders}
    payloads = {row.id: _payload(tenant, row, list(models)) for row in rows}
    due = [row for row in rows if everything or stored.get(row.id) != payloads[row.id]]
    if due:
        vectors.ensure(tenant, KIND, models)
    for batch in chunked(due, _BATCH):
        renew()
        wanted = sorted({chunk for row in batch for chunk in row.chunks}) if models else []
        quoted = {point.id: point.dense for point in vectors.retrieve(tenant, "chunks", wanted, list(models))}
        vectors.upsert(tenant, KIND, [_point(row, payloads[row.id], quoted, list(models)) for row in batch])


def _point(
    row: ReadCommunitiesRow, payload: dict[str, object], quoted: Mapping[str, Vectors], models: Sequence[str]
) -> Point:
    """Return a community's point; one that lacks vectors of its chunks is marked as stale, so that the next run writes it again."""
    dense = {model: mean for model in models if (mean := _mean(row.chunks, quoted, model)) is not None}
    whole = len(dense) == len(models) or not row.chunks
    return Point(
        row.id,
        dense=dense,
        sparse={"bm25": SparseVector(*chunk_terms(_text(row)))},
        payload=payload if whole else {**payload, "text": ""},
    )


def _mean(chunks: Sequence[str], quoted: Mapping[str, Vectors], model: str) -> NDArray[np.float32] | None:
    """Return the mean of the chunks' vectors of one model, ``(dimensions,) float32``; None unless each of them has one."""
    found = [quoted[chunk][model] for chunk in chunks if model in quoted.get(chunk, {})]
    # The chunks come in order of id, so that the sum is the same each time.
    return np.mean(found, axis=0, dtype=np.float32) if found and len(found) == len(chunks) else None


def _text(row: ReadCommunitiesRow) -> str:
    return f"{row.title}\n{row.summary}" if row.summary else row.title


def _payload(tenant: str, row: ReadCommunitiesRow, models: Sequence[str]) -> dict[str, object]:
    """Return the fields for filters, and a digest that shows whether a point is stale."""
    fingerprint = checksum("\n".join((_text(row), *models, *row.chunks)))
    return {"tenant": tenant, "level": row.level, "size": row.size, "rating": row.rating, "text": fingerprint}
