"""Points, payload and vectors of requests as update operations of the engine."""

from collections.abc import Callable, Sequence
from typing import Any

import qdrant_edge as engine

from interlace_edge.engine.filters import compile_filter
from interlace_edge.errors import wrong_input
from interlace_edge.wire import points as wire
from interlace_edge.wire.collections import CreateIndex, CreateVector, IndexParams

INDEXES = {
    "keyword": (engine.PayloadSchemaType.Keyword, engine.KeywordIndexParams),
    "integer": (engine.PayloadSchemaType.Integer, engine.IntegerIndexParams),
    "float": (engine.PayloadSchemaType.Float, engine.FloatIndexParams),
    "bool": (engine.PayloadSchemaType.Bool, engine.BoolIndexParams),
    "datetime": (engine.PayloadSchemaType.Datetime, engine.DatetimeIndexParams),
    "uuid": (engine.PayloadSchemaType.Uuid, engine.UuidIndexParams),
    "text": (engine.PayloadSchemaType.Text, engine.TextIndexParams),
}
Update = engine.UpdateOperation


def vector_value(vector: wire.Vector) -> Any:
    """Return one vector as the engine takes it."""
    return engine.SparseVector(vector.indices, vector.values) if isinstance(vector, wire.Sparse) else vector


def _vectors(vectors: wire.Vectors) -> Any:
    if isinstance(vectors, dict):
        return {name: vector_value(vector) for name, vector in vectors.items()}
    return vectors


def upsert(points: Sequence[wire.PointStruct]) -> Any:
    """Write whole points.

    Raises:
        EdgeError: 400, a payload holds what the engine cannot store.
    """
    try:
        return Update.upsert_points(
            [engine.Point(point.id, _vectors(point.vector), point.payload or {}) for point in points]
        )
    except (TypeError, ValueError) as error:
        raise wrong_input(f"a point cannot be stored: {error}") from None


def _selected(body: wire.Selector, by_ids: Callable[..., Any], by_filter: Callable[..., Any], *arguments: Any) -> Any:
    if body.filter is not None:
        return by_filter(compile_filter(body.filter), *arguments)
    return by_ids(body.points, *arguments)


def update_vectors(points: Sequence[wire.PointVectors]) -> Any:
    """Replace the named vectors of existing points."""
    return Update.update_vectors([engine.PointVectors(point.id, _vectors(point.vector)) for point in points])


def delete_vectors(body: wire.DeleteVectors) -> Any:
    """Take vectors away from points."""
    return _selected(body, Update.delete_vectors, Update.delete_vectors_by_filter, body.vector)


def delete_points(body: wire.Selector) -> Any:
    """Remove points."""
    return _selected(body, Update.delete_points, Update.delete_points_by_filter)


def set_payload(body: wire.SetPayload) -> Any:
    """Merge keys into the payload of points."""
    return _selected(body, Update.set_payload, Update.set_payload_by_filter, body.payload, body.key)


def overwrite_payload(body: wire.SetPayload) -> Any:
    """Put another payload in place of the old one."""
    return _selected(body, Update.overwrite_payload, Update.overwrite_payload_by_filter, body.payload, body.key)


def clear_payload(body: wire.Selector) -> Any:
    """Remove the whole payload of points."""
    return _selected(body, Update.clear_payload, Update.clear_payload_by_filter)


def delete_payload(body: wire.DeletePayload) -> Any:
    """Remove payload keys of points."""
    return _selected(body, Update.delete_payload, Update.delete_payload_by_filter, body.keys)


def create_index(body: CreateIndex) -> Any:
    """Build a payload index.

    Raises:
        EdgeError: 400, the type does not know one of the options or the path is malformed.
    """
    schema = body.field_schema
    try:
        if not isinstance(schema, IndexParams):
            return Update.create_field_index(body.field_name, INDEXES[schema][0])
        options = schema.model_dump(exclude_none=True, exclude={"type"})
        return Update.create_field_index(body.field_name, INDEXES[schema.type][1](**options))
    except (TypeError, ValueError) as error:
        raise wrong_input(f"payload index on `{body.field_name}`: {error}") from None


def delete_index(field: str) -> Any:
    """Drop a payload index; a missing one is no error.

    Raises:
        EdgeError: 400, the path is malformed.
    """
    try:
        return Update.delete_field_index(field)
    except ValueError as error:
        raise wrong_input(f"payload index on `{field}`: {error}") from None


def create_vector(name: str, body: CreateVector) -> Any:
    """Add a named vector to all points, empty at first."""
    if body.dense is not None:
        return Update.create_dense_vector(name, body.dense.size, getattr(engine.Distance, body.dense.distance))
    idf = body.sparse is not None and body.sparse.modifier == "idf"
    return Update.create_sparse_vector(name, engine.Modifier.Idf if idf else None)


def delete_vector(name: str) -> Any:
    """Remove a named vector from the collection."""
    return Update.delete_vector_name(name)
