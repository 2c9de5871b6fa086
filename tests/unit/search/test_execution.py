"""A running search: tasks are timed, late or failing ones are named, and waiting for a thread makes no task late."""

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from tests.support.clock import Clock

from interlace.domain.errors import InvalidInputError, UnavailableError
from interlace.domain.reader import reader_groups, reading
from interlace.search.candidates import Candidate
from interlace.search.execution import Run, TaskPool, answered

FOUND = [Candidate("a", 1.0)]
SECONDS = 60.0
"""Longer than a busy machine keeps any thread waiting."""


@pytest.fixture
def run() -> Iterator[Run]:
    """A search whose legs are late only by a clock that a test moves."""
    pool = TaskPool(2)
    yield Run(pool, timeout=SECONDS)
    pool.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("interlace.search.execution.time", SimpleNamespace(perf_counter=made))
    return made


def test_what_a_leg_found_is_kept_with_its_own_time(run: Run) -> None:
    found = run.wait("graph", run.start("graph", lambda: FOUND))
    none: list[Candidate] | None = run.wait("tags", run.start("tags", list))
    assert (found, none) == (FOUND, [])
    assert answered({"graph": FOUND, "tags": []}, ("tags", "graph")) == ("graph",)
    assert set(run.timings) - {"queued"} == {"graph", "tags"}
    assert run.degraded == []


def test_a_late_leg_is_given_up_and_named(run: Run) -> None:
    ended, late = threading.Event(), Run(run.pool, timeout=1)

    def linger() -> list[Candidate]:
        ended.wait(SECONDS)
        return FOUND

    assert late.wait("graph", late.start("graph", linger)) is None
    assert late.timings["graph"] > 45, "it was awaited; by a machine that paused in between not for the whole second"
    ended.set()
    assert late.degraded == ["graph"]


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


def test_waiting_for_a_thread_is_not_being_late(run: Run, clock: Clock) -> None:
    release = threading.Event()

    def take_a_moment() -> list[Candidate]:
        time.sleep(0.05)  # else a deadline that counts from the start might be met by chance
        return FOUND

    blockers = [run.start("blocker", lambda: release.wait(SECONDS)) for _ in range(2)]
    queued = run.start("graph", take_a_moment)
    clock.now += 4 * run.timeout
    release.set()
    assert run.wait("graph", queued) == FOUND
    assert run.degraded == []
    assert run.timings["queued"] == 4 * run.timeout * 1000
    assert [run.wait("blocker", blocker, timeout=5 * run.timeout) for blocker in blockers] == [True, True]


def test_tasks_that_are_waited_for_one_after_the_other_are_late_at_the_same_time(run: Run, clock: Clock) -> None:
    ended, began = threading.Event(), threading.Barrier(3)

    def linger() -> None:
        began.wait(SECONDS)
        ended.wait(SECONDS)

    tasks = [run.start(name, linger) for name in ("vector", "keyword")]
    began.wait(SECONDS)
    clock.now += run.timeout + 1
    started = time.perf_counter()
    assert [run.wait(name, task) for name, task in zip(("vector", "keyword"), tasks, strict=True)] == [None, None]
    assert time.perf_counter() - started < run.timeout
    assert run.degraded == ["vector", "keyword"]
    ended.set()


def test_a_task_may_run_what_the_task_before_it_left(run: Run) -> None:
    ended = threading.Event()
    task = run.start("vector", lambda: ended.wait(SECONDS / 2))
    assert run.wait("vector", task, spent=run.timeout - 0.01) is None
    assert run.degraded == ["vector"]
    ended.set()


def test_a_closed_pool_drops_what_no_thread_took_up() -> None:
    pool, release = TaskPool(1), threading.Event()
    run = Run(pool, timeout=SECONDS)
    run.start("blocker", lambda: release.wait(SECONDS))
    dropped = run.start("graph", lambda: FOUND)
    dropped._future.add_done_callback(lambda _: release.set())
    pool.close()
    assert run.wait("graph", dropped) is None
    assert run.degraded == ["graph"]


def test_a_task_reads_on_behalf_of_whoever_started_it() -> None:
    pool = TaskPool(1)
    with reading(lambda: ["red"]):
        mine = pool.submit(reader_groups)
    theirs = pool.submit(reader_groups)
    assert (mine.result(SECONDS), theirs.result(SECONDS)) == (["red"], None)
    pool.close()
