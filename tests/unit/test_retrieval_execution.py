"""A running query: searches are timed by themselves, and late or failing ones are named."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from interlace.domain.errors import InvalidInputError, UnavailableError
from interlace.search.execution import Run
from interlace.search.fusion import LegHit


@pytest.fixture
def run() -> Iterator[Run]:
    with ThreadPoolExecutor(2) as pool:
        yield Run(pool, timeout=0.05)


def test_what_a_leg_found_is_kept_with_its_own_time(run: Run) -> None:
    run.collect("graph", run.start_timed("graph", lambda: [LegHit("a", 1.0)]))
    run.collect("tags", run.start_timed("tags", list))
    assert run.answered(("tags", "graph")) == ("graph",)
    assert set(run.timings) == {"graph", "tags"}
    assert run.degraded == []


def test_a_late_leg_is_given_up_and_named(run: Run) -> None:
    ended = threading.Event()

    def linger() -> list[LegHit]:
        ended.wait(5)
        return [LegHit("late", 1.0)]

    run.collect("graph", run.start_timed("graph", linger))
    ended.set()
    assert run.degraded == ["graph"]
    assert run.lists == {}
    assert run.timings["graph"] >= 50


def test_a_leg_that_fails_is_named_and_a_defect_is_raised(run: Run) -> None:
    def fail(error: Exception) -> list[LegHit]:
        raise error

    run.collect("vector", run.start(lambda: fail(UnavailableError("away"))))
    assert run.degraded == ["vector"]
    for error in (InvalidInputError("senseless"), ZeroDivisionError()):
        with pytest.raises(type(error)):
            run.result("vector", run.start(lambda error=error: fail(error)))  # type: ignore[misc]
