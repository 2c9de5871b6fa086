"""Uploads, deletions, cancellations and removals that arrive while a worker writes, or while the documents of a job arrive."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError
from interlace.domain.ids import document_id
from interlace.export.removal import TenantRemoval
from interlace.ingestion import receiver, writer
from interlace.queries.tenants import begin_removal

OLD, PENDING, NEW = "# A\n\nolder Zorg", "# A\n\npending Bork", "# A\n\nnewer Gnat"


def once_before(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, act: Callable[[], object]) -> None:
    """Do something the first time that a module calls a function, before the call."""
    call, waiting = getattr(module, name), [act]

    def acting(*args: Any, **kwargs: Any) -> Any:
        if waiting:
            waiting.pop()()
        return call(*args, **kwargs)

    monkeypatch.setattr(module, name, acting)


def texts(world: World, tenant: str) -> list[str]:
    return [row["text"] for row in world.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.text AS text", tenant)]


def test_an_upload_after_the_fence_of_a_write_is_written_next(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, {"a.md": NEW})
    expected = world.state(tenant)
    world.ingest(tenant, {"a.md": OLD})
    world.receive(tenant, [source("a.md", PENDING)])
    jobs: list[str] = []
    once_before(
        monkeypatch,
        writer,
        "read_old_versions",
        lambda: jobs.append(world.receive(tenant, [source("a.md", NEW)]).job_id),
    )
    first, second = world.work()
    assert (first.written, first.lost, second.written) == ((), *[(document_id(tenant, "a.md"),)] * 2)
    assert world.state(tenant) == expected
    assert world.platform.jobs.status(tenant, jobs[0]).ready == 1


def test_a_deletion_after_the_fence_of_a_write_deletes(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.receive(tenant, [source("a.md", PENDING)])
    delete = world.platform.receiver.delete
    once_before(monkeypatch, writer, "read_old_versions", lambda: delete(tenant, ids=[document_id(tenant, "a.md")]))
    world.work()
    assert texts(world, tenant) == []
    assert world.left(tenant) == []


def test_an_upload_between_the_last_query_of_a_write_and_its_commit_is_written_next(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upload waits for the record that the write removes, and enters a new one."""
    world.ingest(tenant, {"a.md": OLD})
    world.receive(tenant, [source("a.md", PENDING)])
    upload = threading.Thread(target=world.receive, args=(tenant, [source("a.md", NEW)]))
    entering = threading.Event()
    once_before(monkeypatch, receiver, "receive_records", entering.set)

    def begin() -> None:
        upload.start()
        assert entering.wait(30)
        upload.join(1)  # long enough for it to wait for the record in nearly every run

    once_before(monkeypatch, writer, "count_job", begin)
    written = world.work()
    upload.join(30)
    written += world.work()
    assert [len(outcome.written) for outcome in written] == [1, 1]
    assert texts(world, tenant) == ["newer Gnat"]


@pytest.mark.parametrize("committed", [False, True])
def test_bytes_that_the_graph_holds_prevail_over_a_newer_version_that_is_being_written(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    """The graph still holds them when they are compared, and the newer version is or is not committed before its upload is dropped."""
    world.ingest(tenant, {"a.md": OLD})
    world.receive(tenant, [source("a.md", PENDING)])
    if committed:
        once_before(monkeypatch, receiver, "drop_superseded", world.work)
        world.receive(tenant, [source("a.md", OLD)])
    else:
        once_before(monkeypatch, writer, "read_old_versions", lambda: world.receive(tenant, [source("a.md", OLD)]))
    world.work()
    assert texts(world, tenant) == ["older Zorg"]


def arriving(at: int, act: Callable[[], None]) -> Iterator[Source]:
    """Yield 600 documents; do something before the one with this number."""
    for number in range(600):
        if number == at:
            act()
        yield source(f"{number}.md", f"# T{number}\n\nwords")


def test_an_upload_to_a_tenant_that_is_removed_meanwhile_ends_and_leaves_nothing(world: World, tenant: str) -> None:
    def remove() -> None:
        begin_removal(world.platform.graph, tenant=tenant)
        assert TenantRemoval(world.platform.graph, world.platform.vectors).run(tenant)

    with pytest.raises(ConflictError, match=f"Tenant {tenant} was removed while its documents arrived"):
        world.receive(tenant, arriving(300, remove))
    assert world.left(tenant) == []
    assert world.platform.jobs.list(tenant) == []


def test_an_upload_whose_job_is_cancelled_meanwhile_ends(world: World, tenant: str) -> None:
    def cancel() -> None:
        (job,) = world.platform.jobs.list(tenant)
        world.platform.jobs.cancel(tenant, job.id)

    with pytest.raises(ConflictError, match="was cancelled while its documents arrived"):
        world.receive(tenant, arriving(300, cancel))
    (job,) = world.platform.jobs.list(tenant)
    assert (job.state, dict(job.stages)) == ("cancelled", {})
    assert "was cancelled" in job.unreadable[0]
    assert world.left(tenant) == []


def test_what_is_in_quarantine_survives_that_its_job_is_cancelled(world: World, tenant: str) -> None:
    receipt = world.receive(tenant, [source("empty.md", b""), source("a.md", PENDING)])
    world.platform.processor.process(tenant, [document_id(tenant, "empty.md")])
    status = world.platform.jobs.cancel(tenant, receipt.job_id)
    assert (status.state, [failure.source_uri for failure in status.failures]) == ("cancelled", ["empty.md"])


def test_a_request_that_is_repeated_when_its_first_documents_are_written_counts_each_once(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, {"known.md": OLD})
    documents = [source("known.md", OLD), *(source(f"{number}.md", f"# T{number}\n\nwords") for number in range(258))]

    def breaks_off() -> Iterator[Source]:
        yield from documents[:256]
        raise TypeError("no text")

    job = f"{tenant}-job"
    with pytest.raises(TypeError):
        world.platform.receiver.receive(tenant, breaks_off(), job_id=job)
    world.tasks.batches = world.tasks.batches[:1]
    world.work()
    written = world.platform.jobs.status(tenant, job).ready
    assert 0 < written < 255
    world.platform.receiver.receive(tenant, documents, job_id=job)
    world.work()
    status = world.platform.jobs.status(tenant, job)
    assert (status.state, status.total, status.ready, status.unchanged) == ("done", 258, 258, 1)
