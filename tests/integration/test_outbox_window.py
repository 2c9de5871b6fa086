"""The moment between what the outbox reads of the graph and what it does to the index, with another writer in it."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from tests.integration.ingestion_world import World, source

from interlace.domain.errors import UnavailableError
from interlace.domain.ids import document_id
from interlace.ingestion.outbox import Outbox
from interlace.vectors.restoration import Restorer

DOCUMENT = {"a.md": "# A\n\nwords of Zorg"}
PATIENCE = 60


class Delayed:
    """The vector index as a slow process sees it: something happens just before its first deletion arrives."""

    def __init__(self, world: World, before: Any) -> None:
        self._vectors = world.platform.vectors
        self._before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vectors, name)

    def delete(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        before, self._before = self._before, lambda: None
        before()
        self._vectors.delete(tenant, kind, ids)


def slow_outbox(world: World, before: Any) -> Outbox:
    platform = world.platform
    restorer = Restorer(platform.graph, platform.vectors, lambda: tuple(platform.embedders.values()))
    return Outbox(platform.graph, Delayed(world, before), restorer)


def delete_undispatched(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete the document by a worker that dies right after its transaction."""
    with monkeypatch.context() as dead:
        dead.setattr(Outbox, "dispatch", lambda *_: 0)
        world.delete(tenant, "a.md")


def vectors_of(world: World, tenant: str) -> dict[str, Any]:
    return {name: point[:2] for name, point in world.points(tenant).items()}


def entries(world: World, tenant: str) -> list[Any]:
    return world.rows("MATCH (o:Outbox {tenant: $tenant}) RETURN o.id AS id", tenant)


def test_a_deletion_is_done_when_its_vectors_are_gone(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENT)
    delete_undispatched(world, tenant, monkeypatch)
    (deletion,) = (job for job in world.platform.jobs.list(tenant) if job.kind == "delete")
    assert (deletion.state, deletion.deleted, len(world.points(tenant))) == ("projecting", 1, 1)
    world.platform.outbox.dispatch(tenant)
    assert world.platform.jobs.status(tenant, deletion.id).state == "done"
    assert world.points(tenant) == {}


def test_a_point_that_came_back_before_its_deletion_arrived_is_put_back(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENT)
    expected = vectors_of(world, tenant)
    delete_undispatched(world, tenant, monkeypatch)
    slow_outbox(world, lambda: world.ingest(tenant, DOCUMENT)).dispatch(tenant)
    assert vectors_of(world, tenant) == expected
    assert entries(world, tenant) == []


def test_a_point_deleted_between_its_writing_and_its_transaction_is_put_back_after(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENT)
    expected = vectors_of(world, tenant)
    delete_undispatched(world, tenant, monkeypatch)
    looked, written = threading.Event(), threading.Event()

    def wait_for_the_writer() -> None:
        looked.set()
        assert written.wait(PATIENCE)

    slow = threading.Thread(target=slow_outbox(world, wait_for_the_writer).dispatch, args=(tenant,))
    slow.start()
    assert looked.wait(PATIENCE)
    upsert = world.platform.vectors.upsert
    seen = []

    def overtaken(*args: Any) -> None:
        upsert(*args)
        monkeypatch.undo()
        written.set()
        slow.join()
        seen.append((vectors_of(world, tenant), len(entries(world, tenant))))

    monkeypatch.setattr(world.platform.vectors, "upsert", overtaken)
    world.ingest(tenant, DOCUMENT)
    # The deletion did strike, and its entry outlived it beside the batch's own.
    assert seen == [({}, 2)]
    assert vectors_of(world, tenant) == expected
    assert entries(world, tenant) == []


def test_a_node_deleted_while_its_point_is_made_again_leaves_no_point(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENT)
    names = sorted(world.points(tenant))
    world.platform.vectors.delete(tenant, "chunks", names)
    upsert = world.platform.vectors.upsert

    def overtaken(*args: Any) -> None:
        monkeypatch.undo()
        world.delete(tenant, "a.md")
        upsert(*args)

    monkeypatch.setattr(world.platform.vectors, "upsert", overtaken)
    world.platform.outbox.reconcile(tenant, names)
    assert world.points(tenant) == {}


def test_a_batch_slower_than_its_outbox_entry_gets_its_points_back(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upsert, enter = world.platform.vectors.upsert, world.platform.outbox.enter

    def overtaken(*args: Any) -> None:
        upsert(*args)
        monkeypatch.undo()
        world.platform.outbox.dispatch(tenant)
        assert world.points(tenant) == {}

    monkeypatch.setattr(
        Outbox,
        "enter",
        lambda _, *args, due_in: enter(*args, due_in=-due_in),  # long over
    )
    monkeypatch.setattr(world.platform.vectors, "upsert", overtaken)
    world.ingest(tenant, DOCUMENT)
    assert len(world.points(tenant)) == 1
    assert entries(world, tenant) == []


def test_a_job_whose_sender_went_away_is_closed_with_a_sentence(world: World, tenant: str) -> None:
    def interrupted() -> Any:
        for number in range(256):
            yield source(f"{number}.md", f"# T{number}\n\nwords")
        raise UnavailableError("Neo4j is away.")

    job = f"{tenant}-job"
    with pytest.raises(UnavailableError):
        world.platform.receiver.receive(tenant, interrupted(), job_id=job)
    world.platform.sweeper.sweep()
    assert world.platform.jobs.status(tenant, job).state == "receiving"
    world.run("MATCH (j:Job {tenant: $tenant}) SET j.heartbeatAt = j.heartbeatAt - 3600000", tenant)
    world.platform.sweeper.sweep()
    status = world.platform.jobs.status(tenant, job)
    assert (status.state, status.total, status.stages) == ("running", 256, {"received": 256})
    assert "ended early" in status.unreadable[0]
    world.platform.receiver.delete(tenant, ids=[document_id(tenant, "0.md")])
    assert world.platform.receiver.receive(tenant, [source("0.md", "# T0\n\nwords")], job_id=job).received == 1
    assert world.platform.jobs.status(tenant, job).unreadable == ()
