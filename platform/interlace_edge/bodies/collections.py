"""Bodies that create collections, their vectors and their payload indexes."""

from typing import Literal, Self

from pydantic import Field, model_validator

from interlace_edge.bodies.base import Name, StrictBody


class MultiParams(StrictBody):
    """A point has several vectors of one name; the one nearest to a query counts."""

    comparator: Literal["max_sim"]


class DenseParams(StrictBody):
    """A dense vector, or several: their dimensions, compared by cosine similarity."""

    size: int = Field(ge=1, le=65_536)
    distance: Literal["Cosine"]
    multivector_config: MultiParams | None = None


class SparseParams(StrictBody):
    """A sparse vector; Qdrant weights query terms by their inverse document frequency."""

    modifier: Literal["idf"]


class HnswParams(StrictBody):
    """Parameters of the HNSW graph (Malkov and Yashunin 2018): links per node, and the beam while building."""

    m: int = Field(16, ge=0)
    ef_construct: int = Field(100, ge=4)


class CreateVector(StrictBody):
    """A dense vector that is added to an existing collection."""

    dense: DenseParams


class CreateCollection(StrictBody):
    """A new collection of one shard without replicas; its vectors are named."""

    vectors: dict[Name, DenseParams] = Field(default_factory=dict)
    sparse_vectors: dict[Name, SparseParams] = Field(default_factory=dict)
    hnsw_config: HnswParams = Field(default_factory=HnswParams)

    @model_validator(mode="after")
    def _distinct_vectors(self) -> Self:
        if not self.vectors and not self.sparse_vectors:
            raise ValueError("a collection needs a dense or a sparse vector")
        if set(self.vectors) & set(self.sparse_vectors):
            raise ValueError("a dense and a sparse vector share a name")
        return self

    def has_vector(self, name: str) -> bool:
        """Return whether there is a dense or sparse vector of that name."""
        return name in self.vectors or name in self.sparse_vectors

    def with_vector(self, name: str, params: DenseParams) -> "CreateCollection":
        """Return the configuration with one more dense vector."""
        return self.model_copy(update={"vectors": {**self.vectors, name: params}})


class IndexParams(StrictBody):
    """A keyword index with its options."""

    type: Literal["keyword"]
    is_tenant: bool | None = None
    prefix: bool | None = None


class CreateIndex(StrictBody):
    """A payload index: the path of the field, and what its values are."""

    field_name: Name
    field_schema: Literal["datetime"] | IndexParams
