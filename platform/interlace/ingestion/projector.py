"""Projects new chunks to the vector index before the graph holds them, under an outbox entry that undoes this if they are never committed."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interlace.ingestion.document_rows import payloads
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.reader import ReadBatch, model_input
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.vectors.projection import KIND, chunk_point, ensure_collection


@dataclass(frozen=True, slots=True)
class ChunkProjector:
    """Writes points of new chunks.

    Args:
        vectors: the index.
        outbox: records the points first.
        embedders: models whose vectors the collection has.
        seconds: time after which an entry comes due; longer than any batch takes from here to the end of its transaction.
    """

    vectors: VectorIndex
    outbox: Outbox
    embedders: Sequence[Embedder]
    seconds: float

    def project(self, tenant: str, batch: ReadBatch) -> str | None:
        """Write the new chunks' points, which no reader sees until the graph holds the chunks; return their outbox entry."""
        if not batch.fresh:
            return None
        # Each time: the tenant may have been removed or restored by another process since the last batch.
        ensure_collection(self.vectors, tenant, self.embedders)
        entry = uuid.uuid4().hex
        self.outbox.enter(tenant, entry, sorted(chunk.id for chunk in batch.fresh), due_in=self.seconds)
        found: dict[str, dict[str, Any]] = {}
        for version in batch.versions:
            fresh = [chunk for chunk in version.chunks if chunk.id in version.extractions]
            found |= payloads(tenant, version, fresh)
        points = [
            chunk_point(chunk.id, model_input(chunk), batch.vectors, place, found[chunk.id])
            for place, chunk in enumerate(batch.fresh)
        ]
        self.vectors.upsert(tenant, KIND, points)
        return entry
