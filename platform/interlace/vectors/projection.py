"""Chunks as points of the vector index: a dense vector for each embedding model, the keyword vector, and the payload for filters."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interlace.ports.models import Embedder
from interlace.ports.vectors import KEPT, Point, SparseVector, VectorIndex
from interlace.text.bm25 import chunk_terms
from interlace.text.chats import without_turn_starts

KIND = "chunks"
Dense = Mapping[str, NDArray[np.float32]]
"""Model to its vectors of some texts, ``(len(texts), dimensions) float32``."""


TIMES = {"createdAt": "created_at", "modifiedAt": "modified_at"}
"""Properties of a document with the times of its metadata, and their names in filters."""


def model_text(context: str, text: str) -> str:
    """Return the text of a chunk for search: its title and headings as one line, then its own text."""
    return f"{context}\n{text}"


def chunk_payload(document: Mapping[str, Any], section_type: str, position: int) -> dict[str, Any]:
    """Return the payload of a chunk from the properties of its document, the type of its section and its place in the document."""
    fields: dict[str, Any] = {
        "tenant": document["tenant"],
        "document_id": document["id"],
        "source": document["sourceUri"],
        "source_type": document["mediaType"],
        "section_type": section_type,
        "chunk": {"position": position},
        "title": document["title"],
        "checksum": document["checksum"],
        "tags": list(document.get("tags") or ()),
        "metadata": _with_prefix("metadata.", document),
        "instants": _with_prefix("instant.", document),
    }
    times = {**TIMES, "indexedAt": "indexed_at"}
    if language := document.get("language"):
        fields["language"] = language
    if groups := document.get("access"):
        fields["access"] = [KEPT, *groups]
    fields.update((key, document[name]) for name, key in times.items() if name in document)
    return fields


def _with_prefix(prefix: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key.removeprefix(prefix): value for key, value in properties.items() if key.startswith(prefix)}


def embed(embedders: Sequence[Embedder], texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of chunks' texts by model, of chats without what begins each turn; none without models or texts."""
    read = [without_turn_starts(text) for text in texts] if embedders else []
    return {embedder.model: embedder.embed_texts(read) for embedder in embedders} if read else {}


def ensure_collection(vectors: VectorIndex, tenant: str, embedders: Sequence[Embedder]) -> None:
    """Create the collection of a tenant's chunks, or add the models that are missing.

    Raises:
        ConflictError: a model's vectors have different dimensions there.
    """
    vectors.ensure(tenant, KIND, {embedder.model: embedder.dimensions for embedder in embedders})


def chunk_point(identity: str, text: str, dense: Dense, place: int, payload: Mapping[str, Any]) -> Point:
    """Return the point of a chunk.

    Args:
        identity: the chunk's id.
        text: its title and headings, then its own text (``model_text``).
        dense: vectors of several texts.
        place: index of this chunk among them.
        payload: the values that filters name.
    """
    return Point(
        id=identity,
        dense={model: rows[place] for model, rows in dense.items()},
        sparse={"bm25": SparseVector(*chunk_terms(text, str(payload.get("language") or "")))},
        payload=payload,
    )
