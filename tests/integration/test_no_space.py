"""A vector index without disk space: the documents are not at fault, however long it lasts."""

import httpx
import pytest
from qdrant_client.http.exceptions import UnexpectedResponse
from tests.integration.ingestion_world import World, source

from interlace.adapters.qdrant.failures import failures
from interlace.domain.errors import NoSpaceError


@pytest.mark.stack
def test_a_full_disk_costs_no_attempt(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NoSpaceError("Qdrant has no disk space left.")

    receipt = world.receive(tenant, [source("a.md", "# A\n\nwords")])
    with monkeypatch.context() as patched:
        patched.setattr(world.platform.vectors, "upsert", refuse)
        for _ in range(world.platform.settings.ingest.max_attempts + 1):
            with pytest.raises(NoSpaceError):
                again(world, tenant)
    (waiting,) = world.rows(
        "MATCH (i:IngestionRecord {tenant: $tenant}) RETURN i.attempt AS attempt, i.reason AS reason", tenant
    )
    assert (waiting["attempt"], waiting["reason"]) == (0, "outage")
    again(world, tenant)
    assert world.platform.jobs.status(tenant, receipt.job_id).ready == 1


def again(world: World, tenant: str) -> None:
    """Let the time of waiting be over, sweep and work."""
    world.run("MATCH (i:IngestionRecord {tenant: $tenant}) SET i.retryAt = 0", tenant)
    world.swept(tenant)
    world.work()


@pytest.mark.parametrize("status", [507, 500])
def test_a_full_disk_is_an_error_of_its_own(status: int) -> None:
    words = b'{"status":{"error":"Service internal error: No space left on device"}}'
    with pytest.raises(NoSpaceError, match="no disk space left"), failures("http://127.0.0.1:6333", 5):
        raise UnexpectedResponse(status, "", words, httpx.Headers())
