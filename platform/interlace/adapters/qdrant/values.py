"""Conversion of points to and from the types of Qdrant's client."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from more_itertools import constrained_batches
from qdrant_client import models

from interlace.adapters.qdrant.filters import escaped_payload, only
from interlace.ports.vectors import Point, SparseVector

BATCH_BYTES = 4_000_000
DENSE_BYTES = 22  # a float32 as JSON writes it
SPARSE_BYTES = 34
TENANT = "tenant"


def struct(tenant: str, point: Point) -> models.PointStruct:
    """Return the point for an upsert; its payload carries the tenant."""
    return models.PointStruct(
        id=point.id, vector=_named(point), payload={**escaped_payload(point.payload), TENANT: tenant}
    )


def payload_change(tenant: str, point: Point) -> models.OverwritePayloadOperation:
    """Return the replacement of a point's payload; selected by a filter, because Qdrant refuses an update by id if the point is missing."""
    payload = {**escaped_payload(point.payload), TENANT: tenant}
    return models.OverwritePayloadOperation(
        overwrite_payload=models.SetPayload(payload=payload, filter=only([point.id]))
    )


def vectors(point: Point) -> models.PointVectors:
    """Return the point's vectors for an update of just these."""
    return models.PointVectors(id=point.id, vector=_named(point))


def _named(point: Point) -> dict[str, Any]:
    named: dict[str, Any] = {name: vector.tolist() for name, vector in point.dense.items()}
    return named | {name: _sparse(vector) for name, vector in point.sparse.items()}


def _sparse(vector: SparseVector) -> models.SparseVector:
    """Return a sparse vector for Qdrant."""
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))


def batches(points: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """Split points into requests of at most ``BATCH_BYTES``, far below the 32 MB that a server accepts."""
    return constrained_batches(points, BATCH_BYTES, get_len=_bytes, strict=False)


def _bytes(point: Point) -> int:
    dense = sum(vector.size for vector in point.dense.values())
    terms = sum(len(vector.indices) for vector in point.sparse.values())
    return dense * DENSE_BYTES + terms * SPARSE_BYTES + len(orjson.dumps(point.payload))


def point(record: models.Record) -> Point:
    """Return a stored point; dense vectors as stored, that is, of length one."""
    named: Mapping[str, Any] = record.vector if isinstance(record.vector, dict) else {}
    return Point(
        id=str(record.id),
        dense={n: np.asarray(v, dtype=np.float32) for n, v in named.items() if isinstance(v, list)},
        sparse={
            name: SparseVector(tuple(vector.indices), tuple(vector.values))
            for name, vector in named.items()
            if isinstance(vector, models.SparseVector)
        },
        payload=record.payload or {},
    )
