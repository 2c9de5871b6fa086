"""One more document leaves nearly all communities, their ids and their summaries as they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.eval.shared_corpus import chunks_of, delete, ingest

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.evaluation.collection import Collection, load_collection
from interlace.ports.graph import Query
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow]

MAX_REDONE_SHARE = 0.1
_COMMUNITIES = Query(
    "test/communities",
    "Test",
    """
    MATCH (c:Community {tenant: $tenant})
    RETURN c.id AS id, c.level AS level, [c.memberHash, c.factHash] AS hashes,
      COLLECT { MATCH (c)<-[:PARENT*0..10]-(:Community)<-[:IN_COMMUNITY]-(e:Entity) RETURN e.id ORDER BY e.id } AS members
    """,
    {"tenant": "STRING"},
    "read",
    "id, level, hashes, members",
)


@dataclass(frozen=True)
class StoredCommunity:
    """A community as the graph holds it."""

    level: int
    members: tuple[str, ...]
    hashes: tuple[str, str]


@pytest.fixture
def collection(eval_root: Path) -> Collection:
    return load_collection(eval_root / "hotpotqa")


@pytest.fixture
def platform(full_stack: Settings, collection: Collection) -> Iterator[Platform]:
    opened = Platform(full_stack.model_copy(update={"tenant": collection.tenant}))
    yield opened
    opened.close()


def communities_after(platform: Platform, tenant: str, documents: list[Source]) -> dict[str, StoredCommunity]:
    """Ingest documents and refresh; return the communities by id."""
    ingest(platform, tenant, documents)
    rows = platform.graph.run(_COMMUNITIES, tenant=tenant)
    return {row["id"]: StoredCommunity(row["level"], tuple(row["members"]), tuple(row["hashes"])) for row in rows}


def test_one_more_document_leaves_communities_as_they_are(platform: Platform, collection: Collection) -> None:
    chunks = chunks_of(collection)
    ingest(platform, collection.tenant, chunks)
    delete(platform, collection.tenant, chunks[-1].uri)
    before = communities_after(platform, collection.tenant, chunks[:-1])
    after = communities_after(platform, collection.tenant, chunks[-1:])
    redone = {each for each in after if each not in before or before[each].hashes != after[each].hashes}
    assert 0 < len(redone) <= MAX_REDONE_SHARE * len(after), f"{len(redone)} of {len(after)}"
    names = {(community.level, community.members): each for each, community in before.items()}
    renamed = [
        each for each, community in after.items() if names.get((community.level, community.members), each) != each
    ]
    assert renamed == []
    # What was not summarised again is what it was, and nearly all of what there was is still there.
    assert len(before.keys() - after.keys()) <= MAX_REDONE_SHARE * len(before)
