"""Restoration of points that the index has lost: the text of a chunk in the graph determines its vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from more_itertools import batched

from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.queries.chunks import chunk_texts
from interlace.vectors.projection import KIND, chunk_point, embed, ensure_collection, model_text

_BATCH = 64


@dataclass(frozen=True, slots=True)
class Restorer:
    """Writes the points of chunks that the graph holds.

    Args:
        graph: holds the texts.
        vectors: receives the points.
        embedders: called only when a point must be written, because models load slowly; returns none when embeddings are off.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    embedders: Callable[[], Sequence[Embedder]]

    def restore(self, tenant: str, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        """Write the points of these chunks (id to payload); chunks that were deleted meanwhile are left out."""
        embedders = self.embedders()
        ensure_collection(self.vectors, tenant, embedders)
        for ids in batched(sorted(payloads), _BATCH):
            rows = chunk_texts(self.graph, tenant=tenant, ids=list(ids))
            texts = [model_text(row.context, row.text) for row in rows]
            dense = embed(embedders, texts)
            points = [
                chunk_point(row.id, text, dense, place, payloads[row.id])
                for place, (row, text) in enumerate(zip(rows, texts, strict=True))
            ]
            self.vectors.upsert(tenant, KIND, points)
