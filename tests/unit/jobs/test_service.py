"""Jobs: the state, rate and time to go that follow from what the graph counts."""

import time
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import NotFoundError
from interlace.jobs.service import Jobs


def job(**changes: Any) -> dict[str, Any]:
    now = int(time.time() * 1000)
    counts: dict[str, Any] = dict.fromkeys(
        ("ready", "deleted", "failed", "unchanged", "chunks", "extracted", "mentions", "facts"), 0
    ) | {"llmChunks": 0, "llmFailed": 0, "llmTokens": 0, "llmCost": 0.0, "awaiting": 0, "reasons": []}
    counts |= {"total": None, "unreadable": [], "linking": False, "projecting": False, "stages": [], "failures": []}
    times = {"createdAt": now - 10_000, "updatedAt": now - 5_000}
    return {"id": "j", "kind": "ingest", "open": False, "cancelled": False, **counts, **times, **changes}


def status_of(**changes: Any) -> Any:
    return Jobs(CollectingGraph({"jobs/read_jobs": [job(**changes)]})).status("t", "j")


WAITING = [{"stage": "received", "documents": 3}]
QUARANTINED = [{"stage": "quarantined", "documents": 2}]


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"open": True}, "receiving"),
        ({"open": True, "cancelled": True}, "receiving"),
        ({"stages": WAITING}, "running"),
        ({"stages": WAITING, "cancelled": True}, "running"),
        ({"stages": WAITING, "linking": True}, "running"),
        ({"linking": True}, "linking"),
        ({"linking": True, "cancelled": True}, "linking"),
        ({"linking": True, "projecting": True}, "linking"),
        ({"projecting": True}, "projecting"),
        ({"cancelled": True}, "cancelled"),
        ({}, "done"),
        ({"stages": QUARANTINED}, "done"),
    ],
)
def test_the_state_follows_from_what_waits(changes: dict[str, Any], state: str) -> None:
    assert status_of(**changes).state == state


def test_a_finished_job_stopped_its_clock() -> None:
    assert status_of(ready=10).seconds == 5
    assert status_of(ready=10).rate == 2
    assert status_of(ready=10).eta_seconds == 0


def test_a_running_job_estimates_its_end() -> None:
    status = status_of(ready=6, stages=WAITING)
    assert status.seconds == pytest.approx(10, abs=1)
    assert status.eta_seconds == pytest.approx(5, abs=1)
    assert status.total == 9
    assert status_of(stages=WAITING).eta_seconds is None


def test_a_list_leaves_failures_out() -> None:
    graph = CollectingGraph({"jobs/newest_jobs": [{"id": "j"}], "jobs/read_jobs": [job()]})
    assert [status.id for status in Jobs(graph).list("t", limit=7)] == ["j"]
    assert graph.params_of("jobs/newest_jobs") == [{"tenant": "t", "limit": 7}]
    assert graph.params_of("jobs/read_jobs") == [{"tenant": "t", "ids": ["j"], "failures": 0}]


def test_an_unknown_job_is_not_found() -> None:
    with pytest.raises(NotFoundError, match="interlace jobs list"):
        Jobs(CollectingGraph()).status("t", "j")


@pytest.mark.parametrize(
    ("changes", "dropped"),
    [
        ({"ready": 2}, False),
        ({"stages": QUARANTINED}, False),
        ({"stages": WAITING}, True),
        ({"ready": 2, "llmChunks": 3, "awaiting": 1}, True),
    ],
)
def test_a_job_is_cancelled_only_while_something_of_it_waits(changes: dict[str, Any], dropped: bool) -> None:
    graph = CollectingGraph({"jobs/read_jobs": [job(**changes)]})
    Jobs(graph).cancel("t", "j")
    assert bool(graph.params_of("jobs/cancel_job")) == dropped
