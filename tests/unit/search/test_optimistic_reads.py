"""A question is read again if a large change was shown meanwhile, and waits while one is."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import NotFoundError
from interlace.entities.linker import EntityLinkers
from interlace.leases import sequence_lock
from interlace.search.optimistic_reads import OptimisticReader

TENANT = "acme"
STATE = "leases/lease_state"


def graph_of(*states: tuple[int, bool]) -> CollectingGraph:
    """Return a graph that tells states of the lease one after another, the last one again and again."""
    left = list(states)

    def state(**_params: Any) -> Sequence[dict[str, Any]]:
        token, held = left.pop(0) if len(left) > 1 else left[0]
        return [{"token": token, "held": held}]

    return CollectingGraph({STATE: state})


def readings(graph: CollectingGraph, times: int = 1) -> list[int]:
    """Return how often each of some questions was read."""
    reader, counts = OptimisticReader(graph, EntityLinkers(graph)), list[int]()
    for _ in range(times):
        seen: list[None] = []
        reader.read(TENANT, lambda seen=seen: seen.append(None))  # type: ignore[misc]
        counts.append(len(seen))
    return counts


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence_lock, "_PAUSE", 0)


def test_where_nothing_is_shown_each_question_is_read_once() -> None:
    graph = graph_of((0, False))
    assert readings(graph, 3) == [1, 1, 1]
    assert len(graph.params_of(STATE)) == 3


def test_what_was_shown_meanwhile_is_read_again() -> None:
    assert readings(graph_of((0, False), (1, False)), 3) == [1, 2, 1]


def test_a_change_that_is_being_shown_is_waited_for_and_then_read() -> None:
    graph = graph_of((1, True), (1, True), (1, False))
    assert readings(graph) == [2]
    assert len(graph.params_of(STATE)) == 4


def test_where_changes_never_end_the_third_reading_counts() -> None:
    assert readings(graph_of((1, False), (2, False), (3, False))) == [3]


def test_names_that_were_read_in_part_are_read_again() -> None:
    graph = graph_of((0, False), (1, False))
    linkers = EntityLinkers(graph)
    linker, reader = linkers.of(TENANT), OptimisticReader(graph, linkers)
    linker.apply({}, 7)
    reader.read(TENANT, lambda: None)
    versions = []

    def reading() -> None:
        versions.append(linker.version)
        linker.apply({}, 8)

    reader.read(TENANT, reading)
    assert versions == [7, 7]


class Failing:
    """A reading whose first runs fail."""

    def __init__(self, times: int, error: Exception) -> None:
        self.left, self.error, self.runs = times, error, 0

    def __call__(self) -> int:
        self.runs += 1
        if self.runs <= self.left:
            raise self.error
        return self.runs


def test_what_fails_for_a_change_is_read_again() -> None:
    graph = graph_of((1, False))
    assert OptimisticReader(graph, EntityLinkers(graph)).read(TENANT, Failing(1, NotFoundError("gone"))) == 2
    assert ("wait_for_commits", {}) not in graph.ran


def test_what_fails_unexpectedly_is_read_again_when_commits_are_visible_whole() -> None:
    graph = graph_of((0, False))
    assert OptimisticReader(graph, EntityLinkers(graph)).read(TENANT, Failing(1, TypeError("no keys"))) == 2
    assert ("wait_for_commits", {}) in graph.ran


@pytest.mark.parametrize(("error", "runs"), [(KeyError("wrong"), 2), (NotFoundError("no such document"), 1)])
def test_what_fails_for_itself_fails(error: Exception, runs: int) -> None:
    graph, reading = graph_of((0, False)), Failing(9, error)
    with pytest.raises(type(error)):
        OptimisticReader(graph, EntityLinkers(graph)).read(TENANT, reading)
    assert reading.runs == runs
