"""Bodies that create collections, their vectors and their payload indexes."""

from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from interlace_edge.wire.base import Wire

Distance = Literal["Cosine", "Euclid", "Dot", "Manhattan"]


class HnswDiff(Wire):
    """HNSW parameters; ``full_scan_threshold`` in kilobytes of vectors."""

    m: int | None = Field(None, ge=0)
    ef_construct: int | None = Field(None, ge=4)
    full_scan_threshold: int | None = Field(None, ge=10)
    max_indexing_threads: int | None = Field(None, ge=0)


class OptimizersDiff(Wire):
    """When segments are vacuumed and indexed; ``indexing_threshold`` in kilobytes of vectors."""

    deleted_threshold: float | None = Field(None, ge=0, le=1)
    vacuum_min_vector_number: int | None = Field(None, ge=100)
    default_segment_number: int | None = Field(None, ge=0)
    max_segment_size: int | None = Field(None, ge=1)
    indexing_threshold: int | None = Field(None, ge=0)


class DenseParams(Wire):
    """A dense vector: dimensions and distance."""

    size: int = Field(ge=1, le=65_536)
    distance: Distance
    hnsw_config: HnswDiff | None = None
    on_disk: bool | None = None


class SparseIndex(Wire):
    """Where the sparse index lives and below which size it is scanned."""

    full_scan_threshold: int | None = Field(None, ge=0)
    on_disk: bool | None = None


class SparseParams(Wire):
    """A sparse vector; ``modifier`` ``idf`` weighs query terms by their rarity."""

    index: SparseIndex | None = None
    modifier: Literal["none", "idf"] | None = None


def _one_or_named(vectors: Any) -> str:
    return "one" if isinstance(vectors, dict) and "size" in vectors else "named"


class DenseName(Wire):
    """Dimensions and distance of a vector added later."""

    size: int = Field(ge=1, le=65_536)
    distance: Distance


class SparseName(Wire):
    """Modifier of a sparse vector added later."""

    modifier: Literal["none", "idf"] | None = None


class CreateVector(Wire):
    """A named vector for an existing collection, dense or sparse."""

    dense: DenseName | None = None
    sparse: SparseName | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.dense is None) == (self.sparse is None):
            raise ValueError("a vector is either dense or sparse")
        return self


class CreateCollection(Wire):
    """A new collection of one shard without replicas."""

    vectors: (
        Annotated[
            Annotated[DenseParams, Tag("one")] | Annotated[dict[str, DenseParams], Tag("named")],
            Discriminator(_one_or_named),
        ]
        | None
    ) = None
    sparse_vectors: dict[str, SparseParams] | None = None
    hnsw_config: HnswDiff | None = None
    optimizers_config: OptimizersDiff | None = None
    on_disk_payload: bool | None = None
    shard_number: Literal[1] | None = None
    replication_factor: Literal[1] | None = None
    write_consistency_factor: Literal[1] | None = None

    @model_validator(mode="after")
    def _some_vector(self) -> Self:
        if set(self.dense()) & set(self.sparse_vectors or {}):
            raise ValueError("a dense and a sparse vector share a name")
        return self

    def dense(self) -> dict[str, DenseParams]:
        """Return the dense vectors by name; the unnamed one is called ``""``."""
        if isinstance(self.vectors, DenseParams):
            return {"": self.vectors}
        return self.vectors or {}

    def named_vectors(self) -> dict[str, CreateVector]:
        """Return every named vector as a creation."""
        dense = {
            name: CreateVector(dense=DenseName(size=params.size, distance=params.distance))
            for name, params in self.dense().items()
            if name
        }
        sparse = self.sparse_vectors or {}
        return dense | {
            name: CreateVector(sparse=SparseName(modifier=params.modifier)) for name, params in sparse.items()
        }

    def with_vector(self, name: str, body: CreateVector) -> "CreateCollection":
        """Return the configuration with one more named vector."""
        added = body.dense or body.sparse
        kind = "vectors" if body.dense else "sparse_vectors"
        values = self.model_dump(exclude_none=True)
        vectors = {**values.get(kind, {}), name: added.model_dump(exclude_none=True) if added else {}}
        return CreateCollection.model_validate({**values, kind: vectors})

    def without_vector(self, name: str) -> "CreateCollection":
        """Return the configuration without a named vector."""
        values = self.model_dump(exclude_none=True)
        for kind in ("vectors", "sparse_vectors"):
            values[kind] = {known: params for known, params in values.get(kind, {}).items() if known != name}
        return CreateCollection.model_validate(values)


SchemaName = Literal["keyword", "integer", "float", "bool", "datetime", "uuid", "text"]


class IndexParams(Wire):
    """A payload index with options; which go together with which type is the engine's to say."""

    type: SchemaName
    is_tenant: bool | None = None
    is_principal: bool | None = None
    on_disk: bool | None = None
    enable_hnsw: bool | None = None
    prefix: bool | None = None
    lookup: bool | None = None
    range: bool | None = None


class CreateIndex(Wire):
    """A payload index: the field's path and its type."""

    field_name: str = Field(min_length=1)
    field_schema: SchemaName | IndexParams
