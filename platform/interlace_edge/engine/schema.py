"""The vectors of a collection: the engine's configuration, and the check that what is written fits it.

The engine stops in the middle of a batch at the first point that does not fit, so everything is checked before it is called.
"""

from collections.abc import Iterable
from typing import Any

import qdrant_edge as engine

from interlace_edge.bodies.collections import CreateCollection, DenseParams
from interlace_edge.bodies.points import NamedVectors, SparseValues, Vector
from interlace_edge.errors import wrong_input

# Qdrant's defaults. Sizes are kilobytes of vectors: smaller collections are scanned, which is fast enough and exact.
HNSW_FULL_SCAN = 10_000
OPTIMIZER: dict[str, Any] = {
    "deleted_threshold": 0.2,
    "vacuum_min_vector_number": 1000,
    "default_segment_number": 0,
    "indexing_threshold": 10_000,
}


def engine_config(config: CreateCollection) -> Any:
    """Return the engine's configuration of a new shard."""
    dense = {
        name: engine.EdgeVectorParams(
            params.size, getattr(engine.Distance, params.distance), multivector_config=multi_config(params)
        )
        for name, params in config.vectors.items()
    }
    sparse = {name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf) for name in config.sparse_vectors}
    hnsw = config.hnsw_config
    return engine.EdgeConfig(
        vectors=dense or None,
        sparse_vectors=sparse or None,
        hnsw_config=engine.HnswIndexConfig(hnsw.m, hnsw.ef_construct, HNSW_FULL_SCAN),
        optimizers=engine.EdgeOptimizersConfig(**OPTIMIZER),
    )


def multi_config(params: DenseParams) -> Any:
    """Return how a query is compared with several vectors of one name; None for one vector."""
    return engine.MultiVectorConfig(engine.MultiVectorComparator.MaxSim) if params.multivector_config else None


def check_vectors(config: CreateCollection, many: Iterable[NamedVectors]) -> None:
    """Check names, kinds and sizes.

    Raises:
        EdgeError: 400, a vector is unknown to the collection or has another size.
    """
    for vectors in many:
        for name, vector in vectors.items():
            check_vector(config, name, vector)


def check_vector(config: CreateCollection, name: str, vector: Vector) -> None:
    """Check one vector, or several of one name, against those of a collection.

    Raises:
        EdgeError: 400, see ``check_vectors``.
    """
    if isinstance(vector, SparseValues):
        if name not in config.sparse_vectors:
            raise wrong_input(f"Not existing vector name error: {name} (as a sparse vector)")
        return
    if name not in config.vectors:
        raise wrong_input(f"Not existing vector name error: {name}")
    params = config.vectors[name]
    many = [row for row in vector if isinstance(row, list)]
    if many and params.multivector_config is None:
        raise wrong_input(f"Conversion between multi and regular vectors failed: {name} is one vector")
    for size in [len(row) for row in many] or [len(vector)]:
        if size != params.size:
            raise wrong_input(f"Vector dimension error: expected dim: {params.size}, got {size}")
