"""Checks beside writers: half of a commit may be visible to a reader, all of it to whoever has the tenant's lock."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.collecting_graph import CollectingGraph

from interlace.ports.graph import Row
from interlace.queries.invariants import find_orphan_chunks
from interlace.reconciliation.graph_checks import graph_checks
from interlace.reconciliation.graph_pages import paged

UNUSED: Any = None


class HalfCommitted(CollectingGraph):
    """Shows ``half`` as the answer of a query until the tenant's lock is taken, and ``whole`` afterwards."""

    def __init__(self, name: str, half: Sequence[Row], whole: Sequence[Row]) -> None:
        self.locked = False

        def lock(**_: object) -> Sequence[Row]:
            self.locked = True
            return [{"version": 1, "revision": "e:1"}]

        super().__init__({name: lambda **_: whole if self.locked else half, "tenants/lock_writers": lock})


def miscounted(graph: CollectingGraph) -> list[Sequence[str]]:
    (check,) = [
        one for one in graph_checks(graph, UNUSED, UNUSED) if getattr(one, "invariant", "") == "chunks miscounted"
    ]
    return [ids for _, ids in check.find("t")]


@pytest.mark.parametrize(("found", "expected"), [(3, []), (4, [["t"]])])
def test_chunks_are_miscounted_only_if_they_are_while_writers_wait(found: int, expected: list[list[str]]) -> None:
    graph = HalfCommitted("invariants/count_chunks", [{"stored": 3, "found": 2}], [{"stored": 3, "found": found}])
    assert miscounted(graph) == expected
    assert graph.locked


def test_writers_do_not_wait_for_a_check_that_finds_nothing() -> None:
    graph = HalfCommitted("invariants/count_chunks", [{"stored": 3, "found": 3}], [])
    assert miscounted(graph) == []
    assert not graph.locked


def test_a_chunk_whose_document_is_not_visible_yet_is_no_orphan() -> None:
    graph = HalfCommitted("invariants/find_orphan_chunks", [{"last": "c1", "ids": ["c1"]}], [{"last": None, "ids": []}])
    assert list(paged(graph, find_orphan_chunks)("t")) == []
    assert graph.locked
