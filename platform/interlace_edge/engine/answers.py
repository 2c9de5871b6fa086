"""Results of the engine as JSON values in Qdrant's format."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.engine.schema import HNSW_FULL_SCAN, OPTIMIZER

TYPE_NAMES = {engine.PayloadSchemaType.Keyword: "keyword", engine.PayloadSchemaType.Datetime: "datetime"}
INDEX_OPTIONS = ("is_tenant", "prefix")


def point_id(point: Any) -> Any:
    """Return a point id as a JSON value."""
    return str(point) if isinstance(point, UUID) else point


def _vector(vector: Any) -> Any:
    if isinstance(vector, engine.SparseVector):
        return {"indices": vector.indices, "values": vector.values}
    if isinstance(vector, Mapping):
        return {name: _vector(value) for name, value in vector.items()}
    return vector


def record(found: Any) -> dict[str, Any]:
    """Return a stored point: its id, and payload and vectors if requested."""
    answer = {"id": point_id(found.id), "payload": found.payload}
    return answer if found.vector is None else answer | {"vector": _vector(found.vector)}


def scored(found: Any) -> dict[str, Any]:
    """Return a search result."""
    return record(found) | {"version": found.version, "score": found.score}


def collection_info(config: CreateCollection, info: Any, *, optimizing: bool) -> dict[str, Any]:
    """Return the state and the configuration of a collection; ``yellow`` while an index is being built."""
    # Fields that Interlace never reads are here because the client's model requires them.
    return {
        "status": "yellow" if optimizing else "green",
        "optimizer_status": "ok",
        "indexed_vectors_count": info.indexed_vectors_count,
        "points_count": info.points_count,
        "segments_count": info.segments_count,
        "config": {
            "params": {
                **config.model_dump(include={"vectors", "sparse_vectors"}),
                "shard_number": 1,
                "replication_factor": 1,
                "write_consistency_factor": 1,
                "on_disk_payload": True,
            },
            "hnsw_config": {**config.hnsw_config.model_dump(), "full_scan_threshold": HNSW_FULL_SCAN},
            "optimizer_config": {**OPTIMIZER, "flush_interval_sec": 5},
        },
        "payload_schema": {field: _index(index) for field, index in info.payload_schema.items()},
    }


def _index(index: Any) -> dict[str, Any]:
    name = TYPE_NAMES[index.data_type]
    answer: dict[str, Any] = {"data_type": name, "points": index.points}
    options = {option: getattr(index.params, option, None) for option in INDEX_OPTIONS}
    given = {option: value for option, value in options.items() if value is not None}
    return answer | {"params": {"type": name, **given}} if given else answer
