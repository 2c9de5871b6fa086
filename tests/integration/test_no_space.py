"""A vector index without disk space: the documents are not at fault, however long it lasts."""

import shutil
from collections import namedtuple
from pathlib import Path

import httpx
import pytest
from qdrant_client.http.exceptions import UnexpectedResponse
from tests.integration.ingestion_world import World, source

from interlace.adapters.qdrant.failures import failures
from interlace.domain.errors import NoSpaceError
from interlace_edge.errors import EdgeError
from interlace_edge.storage import free_space

Usage = namedtuple("Usage", "total used free")  # noqa: PYI024 - what shutil.disk_usage returns


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


@pytest.fixture
def nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12, 200 * 2**20))


@pytest.mark.usefixtures("nearly_full")
def test_a_write_to_a_disk_nearly_full_is_refused_before_the_engine_sees_it(tmp_path: Path) -> None:
    with pytest.raises(
        EdgeError, match=r"200 MiB are free at .*, and writes need 256 MiB. Free some disk space"
    ) as refused:
        free_space.check_space(tmp_path)
    assert refused.value.status == httpx.codes.INSUFFICIENT_STORAGE
    assert not free_space.has_space(tmp_path, 0)


@pytest.mark.parametrize("status", [507, 500])
def test_a_full_disk_is_told_from_other_failures(status: int) -> None:
    words = b'{"status":{"error":"Service internal error: No space left on device"}}'
    with pytest.raises(NoSpaceError, match="no disk space left"), failures("http://127.0.0.1:6333", 5):
        raise UnexpectedResponse(status, "", words, httpx.Headers())
