"""Brings the collection ``communities`` of the vector index in step with the graph."""

from collections.abc import Callable, Sequence
from typing import Final

from interlace.cypher_files import query
from interlace.domain.ids import checksum
from interlace.domain.lexical import passage_terms
from interlace.ports.graph import GraphDatabase, Row
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex

KIND: Final = "communities"
_COMMUNITIES = query("communities/read_communities")
_BATCH = 64


def synchronise(
    graph: GraphDatabase, vectors: VectorIndex, embedder: Embedder | None, tenant: str, renew: Callable[[], None]
) -> None:
    """Write the points of communities whose text is new, and delete those of communities that are gone.

    What the index holds is compared with the graph, so that a run that died halfway needs no other repair.

    Args:
        graph: the truth.
        vectors: its projection.
        embedder: makes dense vectors; None for keywords alone.
        tenant: whose.
        renew: called before each batch.
    """
    rows = graph.read(_COMMUNITIES, tenant=tenant)
    held = {point.id: point.payload for point in vectors.scroll(tenant, KIND)}
    gone = sorted(held.keys() - {row["id"] for row in rows})
    if gone:
        vectors.delete(tenant, KIND, gone)
    payloads = {row["id"]: _payload(tenant, row, embedder) for row in rows}
    due = [row for row in rows if held.get(row["id"]) != payloads[row["id"]]]
    if due:
        vectors.ensure(tenant, KIND, {embedder.model: embedder.dimensions} if embedder else {})
    for start in range(0, len(due), _BATCH):
        renew()
        batch = due[start : start + _BATCH]
        texts = [_text(row) for row in batch]
        vectors.upsert(tenant, KIND, _points(batch, texts, payloads, embedder))


def _points(
    rows: Sequence[Row], texts: Sequence[str], payloads: dict[str, dict[str, object]], embedder: Embedder | None
) -> list[Point]:
    dense = embedder.embed_passages(texts) if embedder else None
    return [
        Point(
            row["id"],
            dense={embedder.model: dense[place]} if embedder and dense is not None else {},
            sparse={"bm25": SparseVector(*passage_terms(text))},
            payload=payloads[row["id"]],
        )
        for place, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]


def _text(row: Row) -> str:
    return f"{row['title']}\n{row['summary']}" if row["summary"] else str(row["title"])


def _payload(tenant: str, row: Row, embedder: Embedder | None) -> dict[str, object]:
    """Return what filters may name, and a digest by which a point that is out of date is known."""
    fingerprint = checksum("\n".join((_text(row), embedder.model if embedder else "")))
    return {"tenant": tenant, "level": row["level"], "size": row["size"], "rating": row["rating"], "text": fingerprint}
