"""Results of the engine as JSON values in Qdrant's words."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import qdrant_edge as engine

from interlace_edge.engine.schema import hnsw_values, optimizer_values
from interlace_edge.wire.collections import CreateCollection

TYPE_NAMES = {
    engine.PayloadSchemaType.Keyword: "keyword",
    engine.PayloadSchemaType.Integer: "integer",
    engine.PayloadSchemaType.Float: "float",
    engine.PayloadSchemaType.Geo: "geo",
    engine.PayloadSchemaType.Text: "text",
    engine.PayloadSchemaType.Bool: "bool",
    engine.PayloadSchemaType.Datetime: "datetime",
    engine.PayloadSchemaType.Uuid: "uuid",
}
INDEX_OPTIONS = ("is_tenant", "is_principal", "on_disk", "enable_hnsw", "prefix", "lookup", "range")


def point_id(point: Any) -> Any:
    """Return an id as JSON has it."""
    return str(point) if isinstance(point, UUID) else point


def _vector(vector: Any) -> Any:
    if isinstance(vector, engine.SparseVector):
        return {"indices": vector.indices, "values": vector.values}
    if isinstance(vector, Mapping):
        return {name: _vector(value) for name, value in vector.items()}
    return vector


def record(found: Any) -> dict[str, Any]:
    """Return a stored point: id, payload and vector as far as asked for."""
    shown = {"id": point_id(found.id), "payload": found.payload}
    if found.vector is not None:
        shown["vector"] = _vector(found.vector)
    if found.order_value is not None:
        shown["order_value"] = found.order_value
    return shown


def scored(found: Any) -> dict[str, Any]:
    """Return a search result."""
    return record(found) | {"version": found.version, "score": found.score}


def collection_info(config: CreateCollection, info: Any, *, optimizing: bool) -> dict[str, Any]:
    """Return the state and the configuration of a collection; ``yellow`` while an index is being built."""
    return {
        "status": "yellow" if optimizing else "green",
        "optimizer_status": "ok",
        "indexed_vectors_count": info.indexed_vectors_count,
        "points_count": info.points_count,
        "segments_count": info.segments_count,
        "config": {
            "params": {
                "vectors": _dump(config.vectors),
                "sparse_vectors": _dump(config.sparse_vectors),
                "shard_number": 1,
                "replication_factor": 1,
                "write_consistency_factor": 1,
                "on_disk_payload": config.on_disk_payload is not False,
            },
            "hnsw_config": hnsw_values(config.hnsw_config),
            "optimizer_config": optimizer_values(config.optimizers_config) | {"flush_interval_sec": 5},
        },
        "payload_schema": {field: _index(index) for field, index in info.payload_schema.items()},
    }


def _dump(params: Any) -> Any:
    if isinstance(params, dict):
        return {name: _dump(value) for name, value in params.items()}
    return None if params is None else params.model_dump(exclude_none=True)


def _index(index: Any) -> dict[str, Any]:
    name = TYPE_NAMES[index.data_type]
    shown: dict[str, Any] = {"data_type": name, "points": index.points}
    options = {option: getattr(index.params, option, None) for option in INDEX_OPTIONS}
    given = {option: value for option, value in options.items() if value is not None}
    return shown | {"params": {"type": name, **given}} if given else shown
