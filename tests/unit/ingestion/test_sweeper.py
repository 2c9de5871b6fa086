"""What a sweep enqueues: everything that no worker has while no task waits, and otherwise what was taken before."""

from types import SimpleNamespace
from typing import Any, cast

from tests.support.collecting_graph import CollectingGraph
from tests.support.memory_queue import MemoryQueue

from interlace.adapters.redis.celery_app import INGEST
from interlace.ingestion.sweeper import Sweeper

BATCH = 2


def record(identity: str, tenant: str = "blue", attempt: int = 0) -> dict[str, Any]:
    return {"id": identity, "tenant": tenant, "attempt": attempt, "size": 1}


def sweeper(queue: MemoryQueue, *taken: dict[str, Any]) -> Sweeper:
    """Return a sweeper of a ledger that has ``a``, which no worker has had, and records that one has had."""
    nothing = [{"removed": 0}]
    graph = CollectingGraph(
        {
            "ingestion_records/abandoned_records": [record("a"), *taken],
            "ingestion_records/interrupted_records": taken,
            "jobs/remove_old_jobs": nothing,
            "access/remove_old_audit": nothing,
        }
    )
    idle = cast("Any", SimpleNamespace(tenants=list, dispatch=list))
    return Sweeper(graph, queue, idle, idle, idle, idle, batch_documents=BATCH, models=(), job_days=1, audit_days=1)


def test_with_an_empty_queue_all_that_no_worker_has_is_enqueued() -> None:
    queue = MemoryQueue()
    assert sweeper(queue, record("b"), record("c"), record("d", attempt=1)).sweep() == 4
    assert (queue.batches, queue.retries()) == ([["a", "b"], ["c"], ["d"]], 0)


def test_during_an_import_what_was_taken_before_is_enqueued_whosever_it_is() -> None:
    """A worker that died, and a failure that passes, must not cost the hours that an import takes."""
    queue = MemoryQueue()
    queue.ingest("blue", [["a"]])
    killed = [record(name, "red", attempt=1) for name in "bc"]
    released = [record(name, "red") for name in "de"]
    assert sweeper(queue, *killed, *released).sweep() == 4
    assert queue.tasks[1:] == [(INGEST, {"tenant": "red", "ids": ids}) for ids in (["b"], ["c"], ["d", "e"])]
    assert (queue.depth(), queue.retries()) == (4, 3)


def test_retries_that_no_worker_takes_hold_up_nothing_else() -> None:
    queue = MemoryQueue()
    queue.retry("blue", [["b"]])
    assert sweeper(queue).sweep() == 1
    assert queue.tasks[-1] == (INGEST, {"tenant": "blue", "ids": ["a"]})


def test_sweeps_do_not_pile_up_tasks_while_no_worker_takes_them() -> None:
    queue = MemoryQueue()
    queue.ingest("blue", [["a"]])
    sweeps = sweeper(queue, record("b", attempt=1))
    assert [sweeps.sweep() for _ in range(3)] == [1, 0, 0]
    del queue.tasks[1]
    assert sweeps.sweep() == 1
