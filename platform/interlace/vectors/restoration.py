"""Points of chunks written anew from the graph, where the index has lost them: a chunk's text decides its vectors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interlace.cypher_files import query
from interlace.ingestion.reader import model_text
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.vectors.projection import KIND, chunk_point, embed, ensure_collection

_TEXTS = query("chunks/chunk_texts")
_RESTORED_AT_ONCE = 64


class Restorer:
    """Writes points of chunks that the graph holds.

    Args:
        graph: has the texts.
        vectors: gets the points.
        embedders: asked for only when a point must be made, because models are slow to load; none when embeddings are off.
    """

    def __init__(self, graph: GraphDatabase, vectors: VectorIndex, embedders: Callable[[], Sequence[Embedder]]) -> None:
        self._graph = graph
        self._vectors = vectors
        self._embedders = embedders

    def restore(self, tenant: str, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        """Write the points of these chunks (id to payload); those that are gone meanwhile are left out."""
        embedders = self._embedders()
        ensure_collection(self._vectors, tenant, embedders)
        ids = sorted(payloads)
        for at in range(0, len(ids), _RESTORED_AT_ONCE):
            rows = self._graph.run(_TEXTS, tenant=tenant, ids=ids[at : at + _RESTORED_AT_ONCE])
            texts = [model_text(row["context"], row["text"]) for row in rows]
            dense = embed(embedders, texts)
            points = [
                chunk_point(row["id"], text, dense, place, payloads[row["id"]])
                for place, (row, text) in enumerate(zip(rows, texts, strict=True))
            ]
            self._vectors.upsert(tenant, KIND, points)
