"""One more document leaves nearly all communities, their ids and their summaries as they are."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from interlace.bootstrap import Platform
from interlace.cli.communities import refresh_patiently
from interlace.cli.waiting import wait_for
from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.ingestion.sources import find_sources
from interlace.parsing.limits import ParseLimits
from interlace.ports.graph import Query
from interlace.settings import Settings

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(600)]

TENANT = "stay"
MOST_REDONE = 0.1
_COMMUNITIES = Query(
    "test/communities",
    "Test",
    """
    MATCH (c:Community {tenant: $tenant})
    RETURN c.id AS id, [c.memberHash, c.factHash] AS hashes,
      COLLECT { MATCH (c)<-[:IN_COMMUNITY]-(e:Entity) RETURN e.id ORDER BY e.id } AS members
    """,
    {"tenant": "STRING"},
    "read",
    "id, hashes, members",
)
Communities = Mapping[str, tuple[list[str], list[str]]]


@pytest.fixture
def platform(full_stack: Settings) -> Iterator[Platform]:
    opened = Platform(full_stack.model_copy(update={"tenant": TENANT}))
    yield opened
    opened.close()


def communities_after(platform: Platform, documents: list[Source]) -> Communities:
    """Ingest documents and refresh; return each community's hashes and members by id."""
    receipt = platform.intake.receive(TENANT, documents)
    assert wait_for(platform.jobs, TENANT, receipt.job_id).failed == 0
    refresh_patiently(platform, TENANT)
    rows = platform.graph.read(_COMMUNITIES, tenant=TENANT)
    return {row["id"]: (row["hashes"], row["members"]) for row in rows}


def test_one_more_document_leaves_communities_as_they_are(platform: Platform, eval_root: Path) -> None:
    passages = [
        source
        for source in find_sources([eval_root / "hotpotqa" / "corpus.jsonl"], limits=ParseLimits())
        if not isinstance(source, ParseError)
    ]
    *rest, last = passages
    before = communities_after(platform, rest)
    after = communities_after(platform, [last])
    redone = [
        identity for identity, (hashes, _) in after.items() if identity not in before or before[identity][0] != hashes
    ]
    assert len(redone) <= MOST_REDONE * len(after), f"{len(redone)} of {len(after)}"
    by_members = {tuple(members): identity for identity, (_, members) in before.items()}
    moved = [
        identity for identity, (_, members) in after.items() if by_members.get(tuple(members), identity) != identity
    ]
    assert moved == []
