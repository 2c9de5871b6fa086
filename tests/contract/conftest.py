"""Servers that contract tests share: one Qdrant Edge server a run, or the Qdrant that INTERLACE_TEST_QDRANT_URL names; a provider of answers; a world."""

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.integration.ingestion_world import World
from tests.support.edge_process import KEY, EdgeProcess
from tests.support.generated_answers import Author
from tests.support.recorded_provider import RecordedProvider

from interlace.adapters.litellm.package import load_litellm


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


@pytest.fixture
def author() -> Author:
    """The model that writes answers."""
    return Author()


@pytest.fixture
def provider(author: Author) -> Iterator[RecordedProvider]:
    """The provider of that model."""
    # Before any answer is timed: on a busy machine loading takes longer than an answer may.
    load_litellm()
    with RecordedProvider(author) as started:
        yield started


@pytest.fixture(scope="session")
def worlds() -> Iterator[list[World]]:
    """The ingestion world, if a test asked for it."""
    opened: list[World] = []
    yield opened
    for world in opened:
        world.close()


@pytest.fixture
def tenant(worlds: list[World]) -> Iterator[str]:
    name = f"t{uuid.uuid4().hex[:12]}"
    yield name
    for world in worlds:
        world.clear(name)
