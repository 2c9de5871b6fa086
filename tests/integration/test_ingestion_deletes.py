"""Deleting a document by its id costs the same in a tenant of any size."""

from collections.abc import Iterator, Mapping
from typing import Any

import neo4j
import pytest
from tests.integration.ingestion_world import World, source

from interlace.adapters.neo4j.connection import open_driver
from interlace.domain.ids import document_id
from interlace.ingestion.receiver import DocumentReceiver
from interlace.ports.graph import Query, Row
from interlace.settings import Settings

MANY = 2_000
_OTHERS = """
UNWIND range(1, $count) AS n
CREATE (:Document {id: $tenant + ' d ' + n, tenant: $tenant, sourceUri: 'other/' + n + '.md'})
CREATE (:IngestionRecord {id: $tenant + ' i ' + n, tenant: $tenant, sourceUri: 'waiting/' + n + '.md', stage: 'quarantined'})
"""


class ProfiledGraph:
    """The database; of each read it counts the database hits."""

    def __init__(self, world: World, driver: neo4j.Driver) -> None:
        self._graph = world.platform.graph
        self._driver = driver
        self.hits = 0

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        if query.mode == "read":
            with self._driver.session() as session:
                profile = session.run(f"PROFILE {query.text}", params).consume().profile
            assert profile is not None
            self.hits += _hits(profile)
        return self._graph.run(query, timeout=timeout, **params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)


def _hits(plan: Mapping[str, Any]) -> int:
    return int(plan.get("dbHits", 0)) + sum(_hits(child) for child in plan.get("children", ()))


@pytest.fixture
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    with open_driver(stack.neo4j) as opened:
        yield opened


def test_deleting_by_id_does_not_read_the_other_documents(world: World, tenant: str, driver: neo4j.Driver) -> None:
    def hits() -> int:
        world.ingest(tenant, {"one.md": "# One\n\nAda Lovelace wrote to Charles Babbage."})
        profiled = ProfiledGraph(world, driver)
        receiver = DocumentReceiver(profiled, world.tasks, fingerprint="", batch_documents=1)
        receiver.delete(tenant, ids=[document_id(tenant, "one.md")])
        world.work()
        return profiled.hits

    alone = hits()
    world.run(_OTHERS, tenant, count=MANY)
    assert 0 < hits() <= alone


def test_a_path_finds_the_documents_of_its_own_files_and_those_on_their_way(world: World, tenant: str) -> None:
    def sent(uri: str, file: str) -> None:
        world.receive(tenant, [source(uri, "# One\n\nwords", local_file=file)])

    sent("docs/one.md", "/srv/a/docs/one.md")
    world.work()
    sent("docs/two.md", "/srv/a/docs/two.md")
    sent("docs/old.md", "/srv/a/docs-old/old.md")
    find = world.platform.receiver.find
    assert sorted(find(tenant, file="/srv/a/docs").values()) == ["docs/one.md", "docs/two.md"]
    assert list(find(tenant, file="/srv/a/docs/one.md").values()) == ["docs/one.md"]
    assert not find(tenant, file="/srv/b/docs")
    world.receive(tenant, [source("docs/sent.md", "# Sent\n\nby a client")])
    assert list(find(tenant, file="/srv/b/docs", source_prefix="docs/").values()) == ["docs/sent.md"]
    world.platform.receiver.delete(tenant, ids=list(find(tenant, source_prefix="docs/sent.md")))
    world.work()
    assert len(find(tenant, source_prefix="docs/")) == len(find(tenant)) == 3
    world.platform.receiver.delete(tenant, ids=list(find(tenant, file="/srv/a/docs")))
    world.work()
    assert list(find(tenant).values()) == ["docs/old.md"]
