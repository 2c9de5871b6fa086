"""Requests to Qdrant: the parameters of a search, and searches that are sent together."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from qdrant_client import models

from interlace.adapters.qdrant import values
from interlace.adapters.qdrant.filters import only, visible
from interlace.ports.vectors import SparseVector

# The beam of an HNSW search: at least this, and four times the limit.
MIN_BEAM = 256
BEAM_FACTOR = 4


def params(tenant: str, vector: NDArray[np.float32] | SparseVector, fetch: int, *, exact: bool) -> models.SearchParams:
    """Return the parameters of a search for ``fetch`` points."""
    if isinstance(vector, SparseVector):
        # Without a corpus Qdrant counts deleted points until it vacuums them, and scores would depend on history.
        mine = models.FieldCondition(key=values.TENANT, match=models.MatchValue(value=tenant))
        return models.SearchParams(idf=models.IdfCorpusParams(corpus=visible(models.Filter(must=[mine]))))
    if exact:
        return models.SearchParams(exact=True)
    return models.SearchParams(hnsw_ef=max(MIN_BEAM, fetch * BEAM_FACTOR))


def of_terms(tenant: str, vector: SparseVector, ids: Sequence[str], using: str) -> list[models.QueryRequest]:
    """Return a search among some points for each term of a sparse vector."""
    chosen, idf = only(ids), params(tenant, vector, len(ids), exact=True)
    return [
        models.QueryRequest(
            query=models.SparseVector(indices=[term], values=[weight]),
            using=using,
            limit=len(ids),
            filter=chosen,
            params=idf,
        )
        for term, weight in zip(vector.indices, vector.values, strict=True)
    ]


def of_cosines(vectors: Sequence[NDArray[np.float32]], ids: Sequence[str], using: str) -> list[models.QueryRequest]:
    """Return an exact search among some points for each of several dense vectors."""
    exact, chosen = models.SearchParams(exact=True), visible(only(ids))
    return [
        models.QueryRequest(
            query=values.query_value(vector), using=using, limit=max(len(ids), 1), filter=chosen, params=exact
        )
        for vector in vectors
    ]


def whole_seconds(timeout: float | None) -> int | None:
    """Return a timeout as Qdrant takes it, at least one second."""
    return max(1, math.ceil(timeout)) if timeout else None
