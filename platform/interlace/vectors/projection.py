"""Chunks as points of the vector index: one dense vector an embedding model, the keyword vector, and what filters may name."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, SparseVector, VectorIndex
from interlace.text.bm25 import chunk_terms

KIND = "chunks"
Dense = Mapping[str, NDArray[np.float32]]
"""Model to its vectors of some texts, ``(len(texts), dimensions) float32``."""


def embed(embedders: Sequence[Embedder], texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Return what every model makes of the texts; nothing without models or texts."""
    return {embedder.model: embedder.embed_texts(texts) for embedder in embedders} if texts else {}


def ensure_collection(vectors: VectorIndex, tenant: str, embedders: Sequence[Embedder]) -> None:
    """Make the collection of a tenant's chunks, or add the models that it lacks.

    Raises:
        ConflictError: a model's vectors have other dimensions there.
    """
    vectors.ensure(tenant, KIND, {embedder.model: embedder.dimensions for embedder in embedders})


def chunk_point(identity: str, text: str, dense: Dense, place: int, payload: Mapping[str, Any]) -> Point:
    """Return a chunk's whole point.

    Args:
        identity: the chunk's id.
        text: what models read of it.
        dense: vectors of several texts.
        place: which of them is this one's.
        payload: what filters may name.
    """
    return Point(
        id=identity,
        dense={model: rows[place] for model, rows in dense.items()},
        sparse={"bm25": SparseVector(*chunk_terms(text))},
        payload=payload,
    )
