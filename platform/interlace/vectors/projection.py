"""Chunks as points of the vector index: for each embedding model the vectors of the chunk and of its windows, the keyword vector, and the payload for filters."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interlace.ports.models import Embedder
from interlace.ports.vectors import KEPT, Point, SparseVector, VectorIndex, windows_of
from interlace.text.bm25 import chunk_terms
from interlace.text.chats import without_turn_starts
from interlace.vectors.windows import window_vectors, windows

KIND = "chunks"
Dense = Mapping[str, Sequence[NDArray[np.float32]]]
"""Name of a vector to those of some texts: ``(dimensions,) float32`` of the chunk, or ``(windows, dimensions) float32`` (``windows_of``)."""


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


def embed(embedders: Sequence[Embedder], texts: Sequence[str]) -> Dense:
    """Return the vectors of chunks' texts (``model_text``) by name, of chats without what begins each turn; none without models or texts."""
    read = [without_turn_starts(text) for text in texts] if embedders else []
    parts = [_windows(text) for text in read]
    flat = [part for some in parts for part in some]
    dense: dict[str, Sequence[NDArray[np.float32]]] = {}
    for embedder in embedders if read else ():
        chunks = embedder.embed_texts(read)
        found = iter(embedder.embed_texts(flat) if flat else ())
        dense[embedder.model] = list(chunks)
        dense[windows_of(embedder.model)] = [
            window_vectors(chunk, list(islice(found, len(some)))) for chunk, some in zip(chunks, parts, strict=True)
        ]
    return dense


def _windows(text: str) -> list[str]:
    """Return what models read of the windows of a chunk: title and headings, then the window's text."""
    context, _, own = text.partition("\n")
    return [model_text(context, window) for window in windows(own)]


def ensure_collection(vectors: VectorIndex, tenant: str, embedders: Sequence[Embedder]) -> None:
    """Create the collection of a tenant's chunks, or add the models that are missing.

    Raises:
        ConflictError: a model's vectors have different dimensions there.
    """
    models = {embedder.model: embedder.dimensions for embedder in embedders}
    vectors.ensure(tenant, KIND, models, {windows_of(model): size for model, size in models.items()})


def chunk_point(chunk_id: str, text: str, dense: Dense, place: int, payload: Mapping[str, Any]) -> Point:
    """Return the point of a chunk.

    Args:
        chunk_id: the chunk's id.
        text: its title and headings, then its own text (``model_text``).
        dense: vectors of several texts.
        place: index of this chunk among them.
        payload: the values that filters name.
    """
    return Point(
        id=chunk_id,
        dense={name: each[place] for name, each in dense.items()},
        sparse={"bm25": SparseVector(*chunk_terms(text, str(payload.get("language") or "")))},
        payload=payload,
    )
