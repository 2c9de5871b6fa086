"""Searches among the points of chunks: those of the dense and the keyword leg, and among atoms."""

from interlace.domain.errors import NotFoundError, UnavailableError
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import ScoredPoint, SparseVector, Vector, VectorIndex
from interlace.queries.gazetteer import gazetteer_version
from interlace.search.legs.protocol import Scope


def chunk_points(
    graph: GraphDatabase,
    vectors: VectorIndex,
    scope: Scope,
    vector: Vector | SparseVector,
    using: str,
    *,
    payload: bool = False,
) -> list[ScoredPoint]:
    """Return the nearest chunks, with their payloads if asked for; none where the tenant has none.

    Raises:
        UnavailableError: the index does not answer, or lost the points of a tenant that has chunks.
    """
    try:
        return vectors.search(
            scope.tenant,
            "chunks",
            vector,
            using=using,
            limit=scope.limit,
            where=scope.where,
            payload=payload,
            timeout=scope.timeout,
        )
    except NotFoundError as error:
        known = gazetteer_version(graph, tenant=scope.tenant)
        if known and known.chunks:
            raise UnavailableError(
                f"The vector index lost the chunks of tenant {scope.tenant!r}; `interlace vectors rebuild` writes them again."
            ) from error
        return []
