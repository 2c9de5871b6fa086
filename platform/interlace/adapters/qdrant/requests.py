"""Bodies of searches in Qdrant's REST format."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qdrant_client import models

from interlace.adapters.qdrant import values
from interlace.adapters.qdrant.filters import only, visible
from interlace.ports.vectors import SparseVector

# The beam of an HNSW search: at least this, and four times the limit.
MIN_BEAM = 256
BEAM_FACTOR = 4
SearchBody = Mapping[str, Any]
"""The body of a query, as JSON values and NumPy arrays."""


def nearest(
    tenant: str,
    vector: NDArray[np.float32] | SparseVector,
    using: str,
    limit: int,
    where: models.Filter | None,
    *,
    exact: bool,
) -> SearchBody:
    """Return the search for the nearest points that match a filter."""
    if isinstance(vector, SparseVector):
        return _search(vector, using, limit, _as_json(where), _idf(tenant))
    params = {"exact": True} if exact else {"hnsw_ef": max(MIN_BEAM, limit * BEAM_FACTOR)}
    return _search(vector, using, limit, _as_json(where), params)


def of_terms(tenant: str, vector: SparseVector, ids: Sequence[str], using: str) -> list[SearchBody]:
    """Return a search among some points for each term of a sparse vector."""
    chosen, idf = _as_json(only(ids)), _idf(tenant)
    return [
        _search(SparseVector((term,), (weight,)), using, len(ids), chosen, idf)
        for term, weight in zip(vector.indices, vector.values, strict=True)
    ]


def of_cosines(vectors: Sequence[NDArray[np.float32]], ids: Sequence[str], using: str) -> list[SearchBody]:
    """Return an exact search among some points for each of several dense vectors."""
    chosen, limit = _as_json(visible(only(ids))), max(len(ids), 1)
    return [_search(vector, using, limit, chosen, {"exact": True}) for vector in vectors]


def _search(
    vector: NDArray[np.float32] | SparseVector,
    using: str,
    limit: int,
    where: Mapping[str, Any] | None,
    params: Mapping[str, Any],
) -> SearchBody:
    value: object
    if isinstance(vector, SparseVector):
        value = {"indices": vector.indices, "values": vector.values}
    else:
        value = np.ascontiguousarray(vector)
    return {"query": {"nearest": value}, "using": using, "limit": limit, "filter": where, "params": params}


def _idf(tenant: str) -> dict[str, Any]:
    # Without a corpus Qdrant counts deleted points until it vacuums them, and scores would depend on history.
    mine = models.FieldCondition(key=values.TENANT, match=models.MatchValue(value=tenant))
    return {"idf": {"corpus": _as_json(visible(models.Filter(must=[mine])))}}


def _as_json(where: models.Filter | None) -> dict[str, Any] | None:
    return where.model_dump(mode="json", exclude_none=True) if where else None
