"""The legs that ask the vector index: dense, keyword, community."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.cypher_files import query
from interlace.domain.filters import Filter
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import SparseVector, VectorIndex
from interlace.search.fusion import LegHit
from interlace.settings import QuerySettings
from interlace.text.bm25 import query_terms

_COMMUNITY_CHUNKS = query("communities/community_chunks")


@dataclass(frozen=True, slots=True)
class Scope:
    """What every leg of a query works on.

    Args:
        tenant: whose documents.
        text: the question.
        where: the metadata filter, for the vector index.
        allowed: ids of the documents, or of the chunks, that satisfy it, for the graph; none when there is no filter.
        limit: hits a leg may bring.
        timeout: seconds it may take.
    """

    tenant: str
    text: str
    where: Filter | None
    allowed: Sequence[str] | None
    limit: int
    timeout: float


def dense(vectors: VectorIndex, scope: Scope, question: NDArray[np.float32], model: str) -> list[LegHit]:
    """Return chunks whose embedding is near the question's."""
    found = vectors.search(
        scope.tenant,
        "chunks",
        question,
        using=model,
        limit=scope.limit,
        where=scope.where,
        timeout=scope.timeout,
    )
    return [LegHit(point.id, point.score) for point in found]


def keyword(vectors: VectorIndex, scope: Scope) -> list[LegHit]:
    """Return chunks that share words with the question, by BM25."""
    terms = _sparse(scope.text)
    if not terms.indices:
        return []
    found = vectors.search(
        scope.tenant, "chunks", terms, using="bm25", limit=scope.limit, where=scope.where, timeout=scope.timeout
    )
    return [LegHit(point.id, point.score) for point in found]


def community(
    vectors: VectorIndex,
    graph: GraphDatabase,
    scope: Scope,
    question: NDArray[np.float32] | None,
    model: str,
    *,
    settings: QuerySettings,
) -> list[LegHit]:
    """Return chunks of the communities whose summaries are near the question: similarity times share of central members."""
    wanted: NDArray[np.float32] | SparseVector = question if question is not None else _sparse(scope.text)
    found = vectors.search(
        scope.tenant,
        "communities",
        wanted,
        using=model if question is not None else "bm25",
        limit=settings.communities,
        timeout=scope.timeout,
    )
    if not found:
        return []
    scores = {point.id: point.score for point in found}
    rows = graph.run(
        _COMMUNITY_CHUNKS,
        timeout=scope.timeout,
        tenant=scope.tenant,
        ids=sorted(scores),
        members=settings.community_members,
        chunksPerEntity=settings.chunks_per_entity,
        hubCap=settings.hub_cap,
        limit=scope.limit,
        allowed=scope.allowed,
    )
    best: dict[str, float] = {}
    for row in rows:
        best[row["chunk"]] = max(best.get(row["chunk"], 0.0), row["score"] * scores[row["community"]])
    ranked = sorted(best, key=lambda chunk: (-best[chunk], chunk))
    return [LegHit(chunk, best[chunk]) for chunk in ranked[: scope.limit]]


def _sparse(text: str) -> SparseVector:
    indices, values = query_terms(text)
    return SparseVector(indices, values)
