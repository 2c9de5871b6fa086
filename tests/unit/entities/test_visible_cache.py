"""What readers of groups have read is kept for one revision and one set of groups, and only once writers were waited for."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.errors import UnavailableError
from interlace.domain.reader import reading
from interlace.entities.visible_cache import READERS, VisibleEntityCache

TENANT = "acme"
FIRST, SECOND = "e:1", "e:2"
KEPT = [
    "visibility/hidden_chunks",
    "expansion/bridge_visible",
    "visibility/visible_degrees",
    "visibility/visible_evidence",
    "relations/visible_relations",
]


def evidence(*, ids: list[str], **_: Any) -> list[dict[str, Any]]:
    counts = {"mentions": 2, "chunks": 2, "documents": 1, "titled": False}
    return [{"id": each, "evidence": [f"ner\tPerson\t{each}\t1"], **counts} for each in ids if each != "gone"]


def graph_at(revision: str | None, **answers: Any) -> CollectingGraph:
    """Return a graph whose writers are waited for at a revision."""
    found: dict[str, Any] = {
        "visibility/visible_evidence": evidence,
        "visibility/visible_degrees": lambda *, ids, **_: [{"id": each, "degree": 3} for each in ids],
        "visibility/hidden_chunks": [{"chunks": 4}],
        "tenants/lock_writers": [{"version": 1, "revision": revision}],
    }
    return CollectingGraph({**found, **answers})


@contextmanager
def settled(graph: CollectingGraph, revision: str = FIRST) -> Iterator[VisibleEntityCache]:
    """A cache after a first question at a revision, for which writers were waited, on behalf of a reader of one group."""
    with closing(VisibleEntityCache(graph)) as cache, reading(lambda: ("press",)):
        cache.view_at(TENANT, revision).hidden_chunks()
        cache.wait()
        graph.ran.clear()
        yield cache


def read(cache: VisibleEntityCache, revision: str | None = FIRST) -> None:
    view = cache.view_at(TENANT, revision)
    assert view.entities(["mira", "gone"]).keys() == {"mira"}
    assert view.degrees(["mira"], 9) == {"mira": 3}
    assert view.hidden_chunks() == 4
    view.mentions(["mira"], 9)
    view.relations(["mira"])


def reads(graph: CollectingGraph) -> list[str]:
    return [name for name, _ in graph.ran if name != "tenants/lock_writers"]


def test_what_was_read_at_a_settled_revision_is_not_read_again() -> None:
    graph = graph_at(FIRST)
    with settled(graph) as cache:
        read(cache)
        read(cache)
        assert sorted(reads(graph)) == sorted(KEPT)
        cache.view_at(TENANT, FIRST).entities(["mira", "ben"])
        assert graph.params_of("visibility/visible_evidence")[-1]["ids"] == ["ben"]


def test_nothing_is_kept_before_writers_were_waited_for() -> None:
    # The first reader saw the revision while its transaction was still committing; under the lock there is a later one.
    graph = graph_at(SECOND)
    with settled(graph) as cache:
        read(cache)
        read(cache)
        assert len(reads(graph)) == 2 * len(KEPT)


@pytest.mark.parametrize("revision", [SECOND, None])
def test_another_revision_knows_nothing_of_it(revision: str | None) -> None:
    graph = graph_at(FIRST)
    with settled(graph) as cache:
        read(cache)
        graph.ran.clear()
        read(cache, revision)
        assert len(reads(graph)) == len(KEPT)


def test_what_matches_a_filter_is_read_each_time() -> None:
    graph = graph_at(FIRST)
    with settled(graph) as cache:
        read(cache)
        graph.ran.clear()
        for _ in range(2):
            cache.view_at(TENANT, FIRST).mentions(["mira"], 9, where={"tags": ["a"]})
        assert reads(graph) == ["expansion/bridge_visible"] * 2


def test_other_groups_know_nothing_of_it() -> None:
    graph = graph_at(FIRST)
    with settled(graph) as cache:
        read(cache)
        graph.ran.clear()
        with reading(lambda: ("board",)):
            read(cache)
        assert len(reads(graph)) == len(KEPT)


def test_a_later_revision_is_kept_in_place_of_the_one_before() -> None:
    revisions = iter([FIRST, SECOND])
    graph = graph_at(FIRST, tenants__lock_writers=None)
    graph.answers["tenants/lock_writers"] = lambda **_: [{"version": 1, "revision": next(revisions)}]
    with settled(graph) as cache:
        read(cache)
        read(cache, SECOND)
        cache.wait()
        graph.ran.clear()
        read(cache, SECOND)
        read(cache, SECOND)
        assert len(reads(graph)) == len(KEPT)
        # Whoever read the former revision before is answered by the graph.
        read(cache)
        assert len(reads(graph)) == 2 * len(KEPT)


def test_a_database_that_gives_no_lock_keeps_nothing_and_fails_no_one() -> None:
    graph = graph_at(FIRST)
    graph.answers["tenants/lock_writers"] = UnavailableError("The disk is full.")
    with settled(graph) as cache:
        read(cache)
        read(cache)
        assert len(reads(graph)) == 2 * len(KEPT)


def test_the_cache_is_bounded() -> None:
    graph = graph_at(FIRST)
    with settled(graph) as cache:
        read(cache)
        for number in range(READERS):
            with reading(lambda number=number: (f"group{number}",)):  # type: ignore[misc]
                cache.view_at(TENANT, FIRST).hidden_chunks()
        graph.ran.clear()
        read(cache)
        assert len(reads(graph)) == len(KEPT)
