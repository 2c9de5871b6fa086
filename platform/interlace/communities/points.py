"""Brings the collection ``communities`` of the vector index in step with the graph."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from interlace.cypher_files import query
from interlace.domain.ids import checksum
from interlace.ports.graph import GraphDatabase, Row
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex
from interlace.text.bm25 import chunk_terms

KIND: Final = "communities"
_COMMUNITIES = query("communities/read_communities")
_BATCH = 64
_THREADS = min(4, os.cpu_count() or 1)
"""A refresh runs in one process, mostly when nothing else is to be done: the models then have the other cores, too."""


def synchronise(
    graph: GraphDatabase,
    vectors: VectorIndex,
    embedders: Sequence[Embedder],
    tenant: str,
    renew: Callable[[], None],
    *,
    everything: bool = False,
) -> None:
    """Write the points of communities whose text is new, and delete those of communities that are gone.

    What the index holds is compared with the graph, so that a run that died halfway needs no other repair.

    Args:
        graph: the truth.
        vectors: its projection.
        embedders: make dense vectors; none for keywords alone.
        tenant: whose.
        renew: called before each batch.
        everything: write every point, whatever the index holds.
    """
    rows = graph.run(_COMMUNITIES, tenant=tenant)
    held = {point.id: point.payload for point in vectors.scroll(tenant, KIND)}
    gone = sorted(held.keys() - {row["id"] for row in rows})
    if gone:
        vectors.delete(tenant, KIND, gone)
    payloads = {row["id"]: _payload(tenant, row, embedders) for row in rows}
    due = [row for row in rows if everything or held.get(row["id"]) != payloads[row["id"]]]
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
    """Return the vectors of some texts, which the embedder makes side by side."""
    share = -(-len(texts) // _THREADS)
    parts = [texts[start : start + share] for start in range(0, len(texts), share)]
    return np.concatenate(list(threads.map(embedder.embed_texts, parts)))


def _points(
    rows: Sequence[Row],
    texts: Sequence[str],
    payloads: dict[str, dict[str, object]],
    dense: dict[str, NDArray[np.float32]],
) -> list[Point]:
    return [
        Point(
            row["id"],
            dense={model: vectors[place] for model, vectors in dense.items()},
            sparse={"bm25": SparseVector(*chunk_terms(text))},
            payload=payloads[row["id"]],
        )
        for place, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]


def _text(row: Row) -> str:
    return f"{row['title']}\n{row['summary']}" if row["summary"] else str(row["title"])


def _payload(tenant: str, row: Row, embedders: Sequence[Embedder]) -> dict[str, object]:
    """Return what filters may name, and a digest by which a point that is out of date is known."""
    fingerprint = checksum("\n".join((_text(row), *(embedder.model for embedder in embedders))))
    return {"tenant": tenant, "level": row["level"], "size": row["size"], "rating": row["rating"], "text": fingerprint}
