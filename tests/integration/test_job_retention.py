"""Retention: finished jobs are deleted after some days with their idempotency keys, and others stay."""

import logging

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.errors import ConflictError
from interlace.jobs import retention
from interlace.jobs.idempotency import bind_job

DAYS = 30
AGED = "MATCH (j:Job {tenant: $tenant}) SET j.updatedAt = j.updatedAt - 31 * 86400000"


def jobs(world: World, tenant: str) -> list[str]:
    return [status.id for status in world.platform.jobs.list(tenant)]


def test_the_sweeper_deletes_jobs_that_finished_long_ago_and_says_so(
    world: World, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    world.ingest(tenant, {"a.md": "# A\n\nwords"})
    world.platform.sweeper.sweep()
    assert len(jobs(world, tenant)) == 1
    world.run(AGED, tenant)
    world.ingest(tenant, {"b.md": "# B\n\nwords"})
    with caplog.at_level(logging.INFO):
        world.platform.sweeper.sweep()
    assert len(jobs(world, tenant)) == 1
    assert any(each.startswith("Removed 1 finished jobs") for each in caplog.messages)


def test_a_job_with_documents_on_their_way_or_in_quarantine_stays(world: World, tenant: str) -> None:
    world.receive(tenant, [source("waits.md", "# W\n\nwords")])
    world.run(AGED, tenant)
    retention.remove_old_jobs(world.platform.graph, DAYS)
    assert len(jobs(world, tenant)) == 1
    world.run("MATCH (i:IngestionRecord {tenant: $tenant}) SET i.stage = 'quarantined'", tenant)
    retention.remove_old_jobs(world.platform.graph, DAYS)
    assert len(jobs(world, tenant)) == 1


def test_a_job_that_still_receives_stays(world: World, tenant: str) -> None:
    bind_job(world.platform.graph, tenant, "key", [source("a.md", "a")])
    world.run(AGED, tenant)
    retention.remove_old_jobs(world.platform.graph, DAYS)
    assert len(jobs(world, tenant)) == 1


def test_an_idempotency_key_is_free_again_after_its_job_is_gone(world: World, tenant: str) -> None:
    graph = world.platform.graph
    job = bind_job(graph, tenant, "key", [source("a.md", "a")])
    world.platform.receiver.receive(tenant, [], job_id=job)
    with pytest.raises(ConflictError):
        bind_job(graph, tenant, "key", [source("b.md", "b")])
    world.run(AGED, tenant)
    retention.remove_old_jobs(graph, DAYS)
    assert bind_job(graph, tenant, "key", [source("b.md", "b")]) == job


def test_a_transaction_deletes_a_bounded_number(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for number in range(3):
        world.platform.receiver.receive(tenant, [], job_id=f"{tenant}-{number}")
    world.run(AGED, tenant)
    assert retention.remove_old_jobs(world.platform.graph, DAYS) == 2
    assert retention.remove_old_jobs(world.platform.graph, DAYS) == 1
    assert jobs(world, tenant) == []
