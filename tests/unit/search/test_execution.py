"""A running search: tasks are timed, late or failing ones are named, and waiting for a thread makes no task late."""

import threading
import time
from collections.abc import Iterator

import pytest

from interlace.domain.errors import InvalidInputError, UnavailableError
from interlace.domain.reader import reader_groups, reading
from interlace.search.candidates import Candidate
from interlace.search.execution import Run, TaskPool, answered

FOUND = [Candidate("a", 1.0)]


@pytest.fixture
def run() -> Iterator[Run]:
    pool = TaskPool(2)
    yield Run(pool, timeout=0.05)
    pool.close()


def test_what_a_leg_found_is_kept_with_its_own_time(run: Run) -> None:
    found = run.wait("graph", run.start("graph", lambda: FOUND))
    none: list[Candidate] | None = run.wait("tags", run.start("tags", list))
    assert (found, none) == (FOUND, [])
    assert answered({"graph": FOUND, "tags": []}, ("tags", "graph")) == ("graph",)
    assert set(run.timings) - {"queued"} == {"graph", "tags"}
    assert run.degraded == []


def test_a_late_leg_is_given_up_and_named(run: Run) -> None:
    ended = threading.Event()

    def linger() -> list[Candidate]:
        ended.wait(5)
        return FOUND

    assert run.wait("graph", run.start("graph", linger)) is None
    ended.set()
    assert run.degraded == ["graph"]
    assert run.timings["graph"] > 45, "the deadline of 50 ms; waiting for an event may end a little early"


def test_a_leg_that_fails_is_named_and_a_defect_is_raised(run: Run) -> None:
    def fail(error: Exception) -> list[Candidate]:
        raise error

    assert run.wait("vector", run.start("vector", lambda: fail(UnavailableError("away")))) is None
    assert run.degraded == ["vector"]
    for error in (InvalidInputError("senseless"), ZeroDivisionError()):
        with pytest.raises(type(error)):
            run.wait("vector", run.start("vector", lambda error=error: fail(error)))  # type: ignore[misc]


def test_what_needs_a_failed_task_is_degraded_in_its_place(run: Run) -> None:
    def fail() -> list[Candidate]:
        raise UnavailableError("away")

    run.wait("embedding", run.start("embedding", fail), degrades=["vector", "community"])
    assert run.degraded == ["vector", "community"]


def test_waiting_for_a_thread_is_not_being_late(run: Run) -> None:
    release = threading.Event()
    blockers = [run.start("blocker", lambda: release.wait(5)) for _ in range(2)]
    queued = run.start("graph", lambda: FOUND)
    threading.Timer(4 * run.timeout, release.set).start()
    assert run.wait("graph", queued) == FOUND
    assert run.degraded == []
    assert run.timings["queued"] >= 2 * run.timeout * 1000
    assert [run.wait("blocker", blocker, timeout=5) for blocker in blockers] == [True, True]


def test_tasks_that_are_waited_for_one_after_the_other_are_late_at_the_same_time(run: Run) -> None:
    ended = threading.Event()
    tasks = [run.start(name, lambda: ended.wait(5)) for name in ("vector", "keyword")]
    started = time.perf_counter()
    assert [run.wait(name, task) for name, task in zip(("vector", "keyword"), tasks, strict=True)] == [None, None]
    assert time.perf_counter() - started < 2 * run.timeout
    ended.set()


def test_a_task_may_run_what_the_task_before_it_left(run: Run) -> None:
    assert run.wait("vector", run.start("vector", lambda: time.sleep(0.03)), spent=0.04) is None
    assert run.degraded == ["vector"]


def test_a_closed_pool_drops_what_no_thread_took_up() -> None:
    pool = TaskPool(1)
    run, release = Run(pool, timeout=0.05), threading.Event()
    run.start("blocker", lambda: release.wait(5))
    dropped = run.start("graph", lambda: FOUND)
    threading.Timer(0.05, release.set).start()
    pool.close()
    assert run.wait("graph", dropped) is None
    assert run.degraded == ["graph"]


def test_a_task_reads_on_behalf_of_whoever_started_it() -> None:
    pool = TaskPool(1)
    with reading(lambda: ["red"]):
        mine = pool.submit(reader_groups)
    theirs = pool.submit(reader_groups)
    assert (mine.result(5), theirs.result(5)) == (["red"], None)
    pool.close()
