"""Servers that contract tests share: one Qdrant Edge server a run, or the Qdrant that INTERLACE_TEST_QDRANT_URL names."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.support.edge_process import KEY, EdgeProcess


@dataclass(frozen=True)
class QdrantAddress:
    url: str
    key: str
    is_edge: bool = False


@pytest.fixture(scope="session")
def qdrant_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantAddress]:
    """Where to find the Qdrant under test."""
    url = os.environ.get("INTERLACE_TEST_QDRANT_URL")
    if url:
        yield QdrantAddress(url, os.environ.get("INTERLACE_TEST_QDRANT_API_KEY", ""))
        return
    server = EdgeProcess(tmp_path_factory.mktemp("edge")).start()
    yield QdrantAddress(server.url, KEY, is_edge=True)
    assert server.stop() == 0
