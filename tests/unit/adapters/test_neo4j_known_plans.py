"""A read that the server may have to plan is not given up before it has its plan."""

from typing import Any

import pytest
from tests.support.clock import Clock

from interlace.adapters.neo4j.known_plans import DOUBT_SECONDS, PLAN_SECONDS, REPLAN_SECONDS, KnownPlans
from interlace.domain.errors import InterlaceError, QueryRefusedError, UnavailableError
from interlace.ports.graph import Query

READ = Query("test/read", "Test", "RETURN $names AS names, $filter AS filter", {}, "read", "names")
LATE = QueryRefusedError("Neo4j ran out of the time given to it")
DOWN = UnavailableError("Neo4j does not answer")


class Reads:
    """Reads with a timeout of two seconds, and what the server was allowed each time."""

    def __init__(self) -> None:
        self.plans = KnownPlans()
        self.allowed: list[float] = []

    def read(self, params: dict[str, Any], error: InterlaceError | None = None) -> None:
        def run(seconds: float) -> None:
            self.allowed.append(seconds)
            if error:
                raise error

        if error is None:
            self.plans.within(2.0, READ, params, run)
        else:
            with pytest.raises(type(error)):
                self.plans.within(2.0, READ, params, run)


def test_only_the_first_read_of_a_kind_may_take_as_long_as_a_plan() -> None:
    reads = Reads()
    for names in (["a"], ["b", "c"], [], [], None):
        reads.read({"names": names, "filter": {}})
    assert reads.allowed == [PLAN_SECONDS, 2.0, PLAN_SECONDS, 2.0, PLAN_SECONDS]


def test_a_longer_timeout_stays() -> None:
    allowed: list[float] = []
    KnownPlans().within(60.0, READ, {}, allowed.append)
    assert allowed == [60.0]


def test_a_read_that_was_slow_with_its_plan_is_allowed_more_again_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may have been for lack of a plan: a very busy server needs longer than that time for one."""
    clock = Clock()
    monkeypatch.setattr("interlace.adapters.neo4j.known_plans.time.monotonic", clock)
    reads = Reads()
    for error in (LATE, LATE, None):
        reads.read({}, error)
    clock.now += DOUBT_SECONDS + 1
    for error in (LATE, None, LATE):
        reads.read({}, error)
    assert reads.allowed == [PLAN_SECONDS, 2.0, 2.0, 2.0, PLAN_SECONDS, 2.0]


def test_a_read_that_becomes_late_once_plans_may_be_outdated_is_allowed_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr("interlace.adapters.neo4j.known_plans.time.monotonic", clock)
    reads = Reads()
    reads.read({})
    clock.now += REPLAN_SECONDS + 1
    for error in (LATE, None, None):
        reads.read({}, error)
    assert reads.allowed == [PLAN_SECONDS, 2.0, PLAN_SECONDS, 2.0]


def test_a_server_that_was_down_plans_everything_again() -> None:
    reads = Reads()
    reads.read({"names": ["a"]})
    reads.read({"names": []})
    reads.read({"names": []}, DOWN)
    reads.read({"names": ["a"]})
    assert reads.allowed == [PLAN_SECONDS, PLAN_SECONDS, 2.0, PLAN_SECONDS]
