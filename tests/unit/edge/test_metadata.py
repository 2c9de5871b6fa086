"""A collection's metadata file."""

from pathlib import Path

import pytest

from interlace_edge.bodies.collections import CreateCollection
from interlace_edge.storage.metadata import CollectionMetadata, read_metadata, write_metadata


def test_what_is_written_is_read(tmp_path: Path) -> None:
    body = {"vectors": {"v": {"size": 3, "distance": "Cosine"}}, "sparse_vectors": {"s": {"modifier": "idf"}}}
    metadata = CollectionMetadata("c", CreateCollection.model_validate(body), generation=4, optimised_points=7)
    write_metadata(tmp_path, metadata)
    assert read_metadata(tmp_path) == metadata
    assert [path.name for path in tmp_path.iterdir()] == ["collection.json"]
    assert metadata.shard(tmp_path) == tmp_path / "shard-4"


def test_no_collection(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_metadata(tmp_path)
