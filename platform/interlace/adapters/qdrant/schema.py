"""The schema of a collection: vectors and payload indexes."""

from collections.abc import Mapping

from qdrant_client import models

from interlace.domain.errors import ConflictError

BM25 = "bm25"
# Twice Qdrant's default beam for building: recall of the ten nearest stays above 99 % on chunks.
HNSW = models.HnswConfigDiff(m=16, ef_construct=200)
TENANT_WORD = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
WORD = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
PREFIX_WORD = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, prefix=True)
PAYLOAD_INDEXES: Mapping[str, models.KeywordIndexParams | models.PayloadSchemaType] = {
    "tenant": TENANT_WORD, "document_id": WORD, "access": WORD, "checksum": WORD, "language": PREFIX_WORD,
    "title": PREFIX_WORD, "tags": PREFIX_WORD, "source": PREFIX_WORD, "source_type": PREFIX_WORD,
    "section_type": PREFIX_WORD, "created_at": models.PayloadSchemaType.DATETIME,
    "modified_at": models.PayloadSchemaType.DATETIME, "indexed_at": models.PayloadSchemaType.DATETIME,
}  # fmt: skip


def dense_params(sizes: Mapping[str, int], multivectors: Mapping[str, int]) -> dict[str, models.VectorParams]:
    """Return cosine vectors by name from names and dimensions; the nearest vector of a multivector counts."""
    nearest = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
    cosine = models.Distance.COSINE
    return {name: models.VectorParams(size=size, distance=cosine) for name, size in sizes.items()} | {
        name: models.VectorParams(size=size, distance=cosine, multivector_config=nearest)
        for name, size in multivectors.items()
    }


def missing_vectors(
    collection: str, params: models.CollectionParams, wanted: Mapping[str, models.VectorParams]
) -> dict[str, models.VectorParams]:
    """Return those of the ``wanted`` vectors (by name) that a collection lacks.

    Raises:
        ConflictError: it has a vector of that name with other dimensions.
    """
    present = params.vectors if isinstance(params.vectors, dict) else {}
    for name, vector in wanted.items():
        size = present[name].size if name in present else vector.size
        if size != vector.size:
            raise ConflictError(
                f"Collection {collection} holds `{name}` vectors of {size} dimensions, the model gives {vector.size}; "
                "name the new model differently (INTERLACE_EMBEDDING__MODEL)."
            )
    return {name: vector for name, vector in wanted.items() if name not in present}
