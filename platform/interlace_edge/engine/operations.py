"""Points, payloads, vectors and indexes of requests as update operations of the engine."""

from collections.abc import Sequence
from typing import Any

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateIndex, DenseParams
from interlace_edge.bodies.points import (
    DeletePoints,
    NamedVectors,
    OverwritePayload,
    PointBody,
    PointVectors,
    SparseValues,
    Vector,
)
from interlace_edge.engine.filters import compile_filter
from interlace_edge.engine.schema import multi_config
from interlace_edge.errors import wrong_input

Update = engine.UpdateOperation


def vector_value(vector: Vector) -> Any:
    """Return one vector as the engine takes it."""
    return engine.SparseVector(vector.indices, vector.values) if isinstance(vector, SparseValues) else vector


def _vectors(vectors: NamedVectors) -> dict[str, Any]:
    return {name: vector_value(vector) for name, vector in vectors.items()}


def upsert(points: Sequence[PointBody]) -> Any:
    """Write whole points.

    Raises:
        EdgeError: 400, a payload holds what the engine cannot store.
    """
    try:
        return Update.upsert_points([engine.Point(each.id, _vectors(each.vector), each.payload) for each in points])
    except (TypeError, ValueError) as error:
        raise wrong_input(f"a point cannot be stored: {error}") from None


def update_vectors(points: Sequence[PointVectors]) -> Any:
    """Replace the named vectors of existing points."""
    return Update.update_vectors([engine.PointVectors(each.id, _vectors(each.vector)) for each in points])


def delete_points(body: DeletePoints) -> Any:
    """Remove points."""
    return Update.delete_points(list(body.points))


def overwrite_payload(body: OverwritePayload) -> Any:
    """Replace the payload of the points that match."""
    # None: the whole payload, not only what is below a key.
    return Update.overwrite_payload_by_filter(compile_filter(body.filter), body.payload, None)


def create_index(body: CreateIndex) -> Any:
    """Build a payload index.

    Raises:
        EdgeError: 400, the path is malformed.
    """
    schema = body.field_schema
    try:
        if schema == "datetime":
            return Update.create_field_index(body.field_name, engine.PayloadSchemaType.Datetime)
        options = schema.model_dump(exclude_none=True, exclude={"type"})
        return Update.create_field_index(body.field_name, engine.KeywordIndexParams(**options))
    except (TypeError, ValueError) as error:
        raise wrong_input(f"payload index on `{body.field_name}`: {error}") from None


def create_vector(name: str, params: DenseParams) -> Any:
    """Add a dense vector, which no point has at first."""
    return Update.create_dense_vector(
        name, params.size, getattr(engine.Distance, params.distance), multi_config(params)
    )
