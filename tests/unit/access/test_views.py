"""Which callers see all, which are kept to their groups, and when a process knows that a tenant keeps documents apart."""

import time

import numpy as np
import pytest
from tests.support.clock import Clock
from tests.support.collecting_graph import CollectingGraph

from interlace.access import kept_apart
from interlace.access.callers import EVERYBODY, Caller
from interlace.access.kept_apart import KeptApart, keep_apart
from interlace.access.views import demand_all, view_of, view_of_all_tenants
from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.domain.errors import ForbiddenError, InvalidInputError
from interlace.domain.reader import group_names, reader_groups, reading, refuse_groups
from interlace.settings import QdrantSettings

READER = Caller("k1", ("blue",), frozenset({"read", "ingest"}), ("board", "press"))
SEE_ALL = [
    EVERYBODY,
    Caller("k2", ("blue",), frozenset({"read"}), ("*",)),
    Caller("k3", ("blue",), frozenset({"admin"})),
    Caller("k4", ("blue",), frozenset({"cypher"})),
]


def knowing(*, apart: bool) -> KeptApart:
    kept = [{"apart": True, "restoring": False}] if apart else []
    some = [{"apart": True}] if apart else []
    return KeptApart(CollectingGraph({"tenants/tenant_kept_apart": kept, "tenants/some_tenant_apart": some}))


def test_a_reader_is_kept_to_its_groups_where_documents_are_kept_apart() -> None:
    assert view_of(READER, "blue", knowing(apart=True))() == ("board", "press")
    assert view_of(READER, "blue", knowing(apart=False))() is None
    assert view_of_all_tenants(READER, knowing(apart=True))() == ()
    assert view_of_all_tenants(READER, knowing(apart=False))() is None


@pytest.mark.parametrize("caller", SEE_ALL)
def test_who_sees_all_is_never_kept_to_groups(caller: Caller) -> None:
    assert view_of(caller, "blue", knowing(apart=True))() is None
    assert view_of_all_tenants(caller, knowing(apart=True))() is None
    demand_all(caller, "blue", knowing(apart=True))


def test_what_needs_all_documents_is_refused_to_a_reader() -> None:
    demand_all(READER, "blue", knowing(apart=False))
    with pytest.raises(ForbiddenError, match="blue restricts documents"):
        demand_all(READER, "blue", knowing(apart=True))
    with reading(list), pytest.raises(ForbiddenError, match="groups of readers"):
        refuse_groups("A list")
    refuse_groups("A list")
    assert reader_groups() is None


def test_collections_that_have_no_groups_are_refused_to_a_reader() -> None:
    index, vector = QdrantVectorIndex(QdrantSettings(url="http://127.0.0.1:1")), np.zeros(2, np.float32)
    for ask in (
        lambda: index.search("blue", "entities", vector, using="m", limit=1),
        lambda: index.cosines("blue", "entities", [vector], ["a"], using="m"),
    ):
        with reading(list), pytest.raises(ForbiddenError, match="collection of entities"):
            ask()
    index.close()


def test_once_kept_apart_always_kept_apart_and_else_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = CollectingGraph()
    known, clock = KeptApart(graph), Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    assert (known("blue"), known("blue"), len(graph.ran)) == (False, False, 1)
    clock.now += kept_apart.FRESH_SECONDS
    graph.answers["tenants/tenant_kept_apart"] = [{"apart": False, "restoring": True}]
    assert (known("blue"), known("blue"), len(graph.ran)) == (True, True, 3)
    graph.answers["tenants/tenant_kept_apart"] = [{"apart": True, "restoring": False}]
    assert (known("blue"), known("blue"), len(graph.ran)) == (True, True, 4)


def test_the_first_document_with_groups_waits_until_every_process_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    for age in (500, 2000):
        keep_apart(
            CollectingGraph({"tenants/tenant_known": [{"known": True}], "tenants/keep_tenant_apart": [{"age": age}]}),
            "blue",
        )
    assert waited == [1.5]
    removed = CollectingGraph({"tenants/tenant_known": [{"known": False}]})
    keep_apart(removed, "blue")
    assert [name for name, _ in removed.ran] == ["tenants/tenant_known"], "it does not begin again"


def test_names_of_groups() -> None:
    assert group_names(["b", "a", "b"]) == ("a", "b")
    for wrong in (["*"], [""], ["a b"], ["x" * 129], [str(number) for number in range(1001)]):
        with pytest.raises(InvalidInputError, match="access"):
            group_names(wrong)
