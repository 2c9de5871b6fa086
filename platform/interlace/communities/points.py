"""Project communities to the collection ``communities`` of the vector index."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from interlace.domain.ids import checksum
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex
from interlace.queries.communities import ReadCommunitiesRow, read_communities
from interlace.text.bm25 import chunk_terms

KIND: Final = "communities"
_BATCH = 64
_THREADS = min(4, os.cpu_count() or 1)
"""A refresh runs in one process, mostly when workers are idle: so the model may use the other cores too."""


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

    The index is compared with the graph, so that a run that ended halfway needs no other repair.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedders: make dense vectors; none for keywords alone.
        tenant: the tenant.
        renew: called before each batch.
        everything: write every point, whatever the index holds.
    """
    rows = read_communities(graph, tenant=tenant)
    held = {point.id: point.payload for point in vectors.scroll(tenant, KIND)}
    gone = sorted(held.keys() - {row.id for row in rows})
    if gone:
        vectors.delete(tenant, KIND, gone)
    payloads = {row.id: _payload(tenant, row, embedders) for row in rows}
    due = [row for row in rows if everything or held.get(row.id) != payloads[row.id]]
    if due:
        vectors.ensure(tenant, KIND, {embedder.model: embedder.dimensions for embedder in embedders})
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="communities") as threads:
        for start in range(0, len(due), _BATCH):
            renew()
            batch = due[start : start + _BATCH]
            texts = [_text(row) for row in batch]
            dense = {embedder.model: _embedded(embedder, texts, threads) for embedder in embedders}
            vectors.upsert(tenant, KIND, _points(batch, texts, payloads, dense))


def _embedded(embedder: Embedder, texts: Sequence[str], threads: Executor) -> NDArray[np.float32]:
    """Return the vectors of some texts, ``(n, dimensions) float32``, embedded in parallel."""
    share = -(-len(texts) // _THREADS)
    parts = [texts[start : start + share] for start in range(0, len(texts), share)]
    return np.concatenate(list(threads.map(embedder.embed_texts, parts)))


def _points(
    rows: Sequence[ReadCommunitiesRow],
    texts: Sequence[str],
    payloads: dict[str, dict[str, object]],
    dense: dict[str, NDArray[np.float32]],
) -> list[Point]:
    return [
        Point(
            row.id,
            dense={model: vectors[place] for model, vectors in dense.items()},
            sparse={"bm25": SparseVector(*chunk_terms(text))},
            payload=payloads[row.id],
        )
        for place, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]


def _text(row: ReadCommunitiesRow) -> str:
    return f"{row.title}\n{row.summary}" if row.summary else row.title


def _payload(tenant: str, row: ReadCommunitiesRow, embedders: Sequence[Embedder]) -> dict[str, object]:
    """Return the fields for filters, and a digest that shows whether a point is stale."""
    fingerprint = checksum("\n".join((_text(row), *(embedder.model for embedder in embedders))))
    return {"tenant": tenant, "level": row.level, "size": row.size, "rating": row.rating, "text": fingerprint}
