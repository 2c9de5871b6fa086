"""The vectors of a collection: the engine's configuration, and the check that what is written fits it.

The engine stops in the middle of a batch at the first point that does not fit, so everything is checked before it is called.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import qdrant_edge as engine

from interlace_edge.errors import wrong_input
from interlace_edge.wire import collections as wire
from interlace_edge.wire.points import Sparse, Vector, Vectors

HNSW_DEFAULTS = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000, "max_indexing_threads": 0}
OPTIMIZER_DEFAULTS = {
    "deleted_threshold": 0.2,
    "vacuum_min_vector_number": 1000,
    "default_segment_number": 0,
    "indexing_threshold": 10_000,
}


def hnsw_values(*overrides: wire.HnswDiff | None) -> dict[str, Any]:
    """Return full HNSW parameters: Qdrant's defaults, then each override."""
    values: dict[str, Any] = dict(HNSW_DEFAULTS)
    for override in overrides:
        values |= override.model_dump(exclude_none=True) if override else {}
    return values


def optimizer_values(override: wire.OptimizersDiff | None) -> dict[str, Any]:
    """Return full optimiser parameters: Qdrant's defaults, then the override."""
    return OPTIMIZER_DEFAULTS | (override.model_dump(exclude_none=True) if override else {})


def engine_config(config: wire.CreateCollection) -> Any:
    """Return the engine's configuration of a new shard."""
    dense = {name: _dense(params, config.hnsw_config) for name, params in config.dense().items()}
    return engine.EdgeConfig(
        vectors=dense.get("", dense) or None,
        sparse_vectors={name: _sparse(params) for name, params in (config.sparse_vectors or {}).items()} or None,
        on_disk_payload=config.on_disk_payload,
        hnsw_config=engine.HnswIndexConfig(**hnsw_values(config.hnsw_config)),
        optimizers=engine.EdgeOptimizersConfig(**optimizer_values(config.optimizers_config)),
    )


def _dense(params: wire.DenseParams, common: wire.HnswDiff | None) -> Any:
    hnsw = engine.HnswIndexConfig(**hnsw_values(common, params.hnsw_config)) if params.hnsw_config else None
    distance = getattr(engine.Distance, params.distance)
    return engine.EdgeVectorParams(params.size, distance, on_disk=params.on_disk, hnsw_config=hnsw)


def _sparse(params: wire.SparseParams) -> Any:
    index = params.index or wire.SparseIndex.model_validate({})
    return engine.EdgeSparseVectorParams(
        full_scan_threshold=index.full_scan_threshold, on_disk=index.on_disk, modifier=modifier(params.modifier)
    )


def modifier(name: str | None) -> Any:
    """Return the engine's modifier of sparse query weights."""
    return engine.Modifier.Idf if name == "idf" else None


def named(vectors: Vectors) -> Mapping[str, Vector]:
    """Return vectors by name; the unnamed one is called ``""``."""
    return vectors if isinstance(vectors, dict) else {"": vectors}


def check_vectors(config: wire.CreateCollection, many: Iterable[Vectors]) -> None:
    """Check names, kinds and sizes.

    Raises:
        EdgeError: 400, a vector is unknown to the collection or has another size.
    """
    sizes = {name: params.size for name, params in config.dense().items()}
    for vectors in many:
        for name, vector in named(vectors).items():
            check_vector(sizes, config.sparse_vectors or {}, name, vector)


def check_vector(sizes: Mapping[str, int], sparse: Mapping[str, Any], name: str, vector: Vector) -> None:
    """Check one vector against the dense ``sizes`` and the ``sparse`` names of a collection.

    Raises:
        EdgeError: 400, see ``check_vectors``.
    """
    if isinstance(vector, Sparse):
        if name not in sparse:
            raise wrong_input(f"Not existing vector name error: {name} (as a sparse vector)")
    elif name not in sizes:
        raise wrong_input(f"Not existing vector name error: {name}")
    elif len(vector) != sizes[name]:
        raise wrong_input(f"Vector dimension error: expected dim: {sizes[name]}, got {len(vector)}")
