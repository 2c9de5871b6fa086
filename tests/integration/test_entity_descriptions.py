"""Descriptions of entities on a graph that the real pipeline made: they go with the document that they stand in."""

from collections.abc import Iterator

import pytest
from tests.integration.ingestion_world import World

from interlace.entities.descriptions import EntityDescription
from interlace.entities.repository import EntityRepository

TENANT = "descriptions-test"
DOCUMENTS = {
    "people/venning.md": "# Orla Venning\n\nOrla Venning was a Danish director of silent films. She was born in Aalborg.\n",
    "notes/ferry.md": "# The Grey Ferry\n\nThe Grey Ferry was shown in Lund. In the spring Orla Venning visited Aalborg again.\n",
}


@pytest.fixture
def world(world: World) -> Iterator[World]:
    world.ingest(TENANT, DOCUMENTS)
    yield world
    world.clear(TENANT)


def description(world: World) -> EntityDescription | None:
    repository = EntityRepository(world.platform.graph)
    (match,) = repository.search(TENANT, "Orla Venning", limit=1).matches
    return repository.get(TENANT, match.entity.id).description


def test_a_description_is_a_sentence_of_a_document_and_goes_with_it(world: World) -> None:
    found = description(world)
    assert found is not None
    assert found.text == "Orla Venning was a Danish director of silent films."
    assert found.source_uri == "people/venning.md"
    world.delete(TENANT, "people/venning.md")
    left = description(world)
    assert left is None or (left.source_uri == "notes/ferry.md" and left.text in DOCUMENTS["notes/ferry.md"])
