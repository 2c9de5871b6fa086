"""The vector index as services see it: points with named dense and sparse vectors and a filterable payload."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from interlace.domain.filters import Filter

KEPT: Final = "*"
"""Stands in a payload's ``access`` next to the groups of readers that may see the point; the payload of any other point has no ``access``."""
Vector = NDArray[np.float32]
NO_VECTORS: Final[Mapping[str, int]] = MappingProxyType({})


def windows_of(model: str) -> str:
    """Return the name of the vectors of a chunk's windows by a model, of which the one nearest to a query counts."""
    return f"{model}@windows"


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term ids (unsigned 32 bit, ascending, unique) and their weights, of equal length."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A node's projection.

    Args:
        id: the node's UUID.
        dense: embedding model name to vector, ``(dimensions,) float32``; name of a multivector to ``(vectors, dimensions) float32``.
        sparse: sparse vector name (``bm25``) to vector.
        payload: JSON values that filters may name.
    """

    id: str
    dense: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    sparse: Mapping[str, SparseVector] = field(default_factory=dict)
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredPoint:
    """A search result: node id, similarity (higher is better) and, if asked for, payload."""

    id: str
    score: float
    payload: Mapping[str, Any] = field(default_factory=dict)


class VectorIndex(Protocol):
    """Collections of points; a collection is named by tenant and kind (``chunks``, ``entities``, ``facts``, ``communities``).

    Every method raises ``UnavailableError`` when the server does not answer. Writes are durable when the call returns. ``search``, ``cosines``,
    ``dense_vectors`` and ``sparse_vectors`` raise ``NotFoundError`` for a missing collection, because one that was lost is no empty answer.
    """

    def ensure(
        self, tenant: str, kind: str, models: Mapping[str, int], multivectors: Mapping[str, int] = NO_VECTORS
    ) -> None:
        """Create the collection if missing, with one dense vector per model (name to dimensions), multivectors, and the sparse ``bm25``.

        The similarity of a multivector with a query is that of its nearest vector (MaxSim: Khattab and Zaharia 2020).
        """
        ...

    def upsert(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        """Write points, replacing those with the same id; if it fails, some may be written already, and repeating it is safe."""
        ...

    def set_vectors(self, tenant: str, kind: str, points: Sequence[Point]) -> None:
        """Write the vectors that these points name; their other vectors and payload stay. Missing points are not created."""
        ...

    def existing_ids(self, tenant: str, kind: str, ids: Sequence[str], vector: str | None = None) -> set[str]:
        """Return which of these points are there, or, with a vector's name, which have that vector."""
        ...

    def retrieve(self, tenant: str, kind: str, ids: Sequence[str], vectors: Sequence[str] | None = None) -> list[Point]:
        """Return points with their payloads and vectors, or those of some names, in no order; missing points, or a missing collection, are left out."""
        ...

    def delete(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        """Delete points by id; missing ones are no error."""
        ...

    def set_payloads(self, tenant: str, kind: str, payloads: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the whole payloads of points, by id; vectors stay, and missing points are not created."""
        ...

    def search(
        self,
        tenant: str,
        kind: str,
        vector: NDArray[np.float32] | SparseVector,
        *,
        using: str,
        limit: int,
        where: Filter | None = None,
        exact: bool = False,
        payload: bool = False,
        timeout: float | None = None,
    ) -> list[ScoredPoint]:
        """Return the best points by similarity, ties by id.

        Payloads are left empty unless asked for: most callers know a node by its id, and reading them doubles the cost of a search.

        Scores are rounded, keyword scores to four significant digits and others to six, so that they depend on the points alone and
        not on the order in which these were written. A sparse query has weights above 0.
        """
        ...

    def cosines(
        self,
        tenant: str,
        kind: str,
        vectors: Sequence[NDArray[np.float32]],
        ids: Sequence[str],
        *,
        using: str,
        timeout: float | None = None,
    ) -> list[dict[str, float]]:
        """Return, for each dense vector, its exact cosine with each of these points, to six digits; missing points are left out."""
        ...

    def dense_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, NDArray[np.float32]]:
        """Return the dense vectors of these points by id, each of length 1: ``(dimensions,) float32``, or ``(vectors, dimensions)`` of a multivector.

        Missing points, and those without that vector, are left out.
        """
        ...

    def sparse_vectors(
        self, tenant: str, kind: str, ids: Sequence[str], *, using: str, timeout: float | None = None
    ) -> dict[str, SparseVector]:
        """Return the sparse vectors of these points by id; missing points, and those without terms, are left out."""
        ...

    def scroll(self, tenant: str, kind: str, *, where: Filter | None = None, vectors: bool = False) -> Iterator[Point]:
        """Yield every point in order of id; a missing collection gives none."""
        ...

    def count(self, tenant: str, kind: str) -> int:
        """Return the exact number of points; 0 for a missing collection."""
        ...

    def drop(self, tenant: str, kind: str) -> None:
        """Delete the collection with all its points; a missing one is no error."""
        ...

    def ping(self) -> float:
        """Return the seconds one round trip takes."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
