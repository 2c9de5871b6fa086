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
    graph: GraphDatabase,
    vectors: VectorIndex,
    embedders: Sequence[Embedder],
    tenant: str,
    renew: Callable[[], None],
    *,
    anew: bool = False,
) -> None:
    """Write the points of communities whose text is new, and delete those of communities that are gone.

    What the index holds is compared with the graph, so that a run that died halfway needs no other repair.

    Args:
        graph: the truth.
        vectors: its projection.
        embedders: make dense vectors; none for keywords alone.
        tenant: whose.
        renew: called before each batch.
        anew: write every point, whatever the index holds.
    """
    rows = graph.read(_COMMUNITIES, tenant=tenant)
    held = {point.id: point.payload for point in vectors.scroll(tenant, KIND)}
    gone = sorted(held.keys() - {row["id"] for row in rows})
    if gone:
        vectors.delete(tenant, KIND, gone)
    payloads = {row["id"]: _payload(tenant, row, embedders) for row in rows}
    due = [row for row in rows if anew or held.get(row["id"]) != payloads[row["id"]]]
    if due:
        vectors.ensure(tenant, KIND, {embedder.model: embedder.dimensions for embedder in embedders})
    for start in range(0, len(due), _BATCH):
        renew()
        batch = due[start : start + _BATCH]
        texts = [_text(row) for row in batch]
        vectors.upsert(tenant, KIND, _points(batch, texts, payloads, embedders))


def _points(
    rows: Sequence[Row], texts: Sequence[str], payloads: dict[str, dict[str, object]], embedders: Sequence[Embedder]
) -> list[Point]:
    dense = {embedder.model: embedder.embed_passages(texts) for embedder in embedders}
    return [
        Point(
            row["id"],
            dense={model: vectors[place] for model, vectors in dense.items()},
            sparse={"bm25": SparseVector(*passage_terms(text))},
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
