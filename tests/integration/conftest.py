"""The ingestion world that integration tests share: models are loaded once for all."""

from collections.abc import Iterator

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World

from interlace.settings import Settings


@pytest.fixture(scope="session")
def world(stack: Settings) -> Iterator[World]:
    """A platform on the real servers whose tasks wait for the test to run them, and whose questions wait for every leg."""
    opened = World(waiting_for_legs(stack))
    yield opened
    opened.close()


@pytest.fixture
def tenant(world: World) -> Iterator[str]:
    """A tenant of this test's own."""
    with world.tenant() as name:
        yield name
