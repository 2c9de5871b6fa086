"""Windows of hits, each compared with the question: which of a hit's sentences are near it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from interlace.domain.hits import Hit
from interlace.ports.vectors import Vector, VectorIndex, windows_of
from interlace.search.execution import Run, Task
from interlace.search.understand import UnderstoodQuery, embedded

Similarities = Mapping[str, NDArray[np.float32]]
"""Chunk id to the cosine of each of its windows with the question, ``(windows,) float32``."""


def start_comparison(
    run: Run, vectors: VectorIndex, query: UnderstoodQuery, embedding: Task[Vector] | None, chunks: Sequence[str]
) -> Task[Similarities] | None:
    """Start to compare the windows of some chunks with the question; None without embeddings or chunks."""
    question = embedded(run, "embedding", embedding) if chunks else None
    if question is None or query.embedder is None:
        return None
    scope, using = query.scope, windows_of(query.embedder.model)

    def compare() -> Similarities:
        found = vectors.dense_vectors(scope.tenant, "chunks", chunks, using=using, timeout=scope.timeout)
        return {chunk: rows @ question / np.linalg.norm(rows, axis=1) for chunk, rows in found.items()}

    return run.start("windows", compare)


def with_windows(hits: Sequence[Hit], similarities: Similarities) -> tuple[Hit, ...]:
    """Return the hits with the cosines of their windows, to six digits."""
    return tuple(
        replace(hit, window_similarities=tuple(round(float(each), 6) for each in similarities[hit.chunk_id]))
        if hit.chunk_id in similarities
        else hit
        for hit in hits
    )
