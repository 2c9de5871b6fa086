"""Which callers see all, which are kept to their groups, and when a process knows that a tenant restricts documents."""

import time

import numpy as np
import pytest
from tests.support.clock import Clock
from tests.support.collecting_graph import CollectingGraph

from interlace.access import restricted_tenants
from interlace.access.callers import EVERYBODY, Caller
from interlace.access.restricted_tenants import RestrictedTenants, mark_restricted
from interlace.access.views import require_all_documents, view_of, view_of_all_tenants
from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.domain.errors import ForbiddenError, InvalidInputError
from interlace.domain.reader import check_unrestricted, group_names, reader_groups, reading
from interlace.settings import QdrantSettings

READER = Caller("k1", ("blue",), frozenset({"read", "ingest"}), ("board", "press"))
SEE_ALL = [
    EVERYBODY,
    Caller("k2", ("blue",), frozenset({"read"}), ("*",)),
    Caller("k3", ("blue",), frozenset({"admin"})),
    Caller("k4", ("blue",), frozenset({"cypher"})),
]


def knowing(*, restricted: bool) -> RestrictedTenants:
    kept = [{"age": 5000, "restoring": False}] if restricted else []
    some = [{"restricted": True}] if restricted else []
    return RestrictedTenants(
        CollectingGraph({"tenants/tenant_restriction": kept, "tenants/some_restricted_tenant": some})
    )


def test_a_reader_is_kept_to_its_groups_where_documents_are_restricted() -> None:
    assert view_of(READER, "blue", knowing(restricted=True))() == ("board", "press")
    assert view_of(READER, "blue", knowing(restricted=False))() is None
    assert view_of_all_tenants(READER, knowing(restricted=True))() == ()
    assert view_of_all_tenants(READER, knowing(restricted=False))() is None


@pytest.mark.parametrize("caller", SEE_ALL)
def test_who_sees_all_is_never_kept_to_groups(caller: Caller) -> None:
    assert view_of(caller, "blue", knowing(restricted=True))() is None
    assert view_of_all_tenants(caller, knowing(restricted=True))() is None
    require_all_documents(caller, "blue", knowing(restricted=True))


def test_what_needs_all_documents_is_refused_to_a_reader() -> None:
    require_all_documents(READER, "blue", knowing(restricted=False))
    with pytest.raises(ForbiddenError, match="blue restricts documents"):
        require_all_documents(READER, "blue", knowing(restricted=True))
    with reading(list), pytest.raises(ForbiddenError, match="groups of readers"):
        check_unrestricted("A list")
    check_unrestricted("A list")
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


def test_once_restricted_always_restricted_and_else_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = CollectingGraph()
    known, clock = RestrictedTenants(graph), Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    assert (known("blue"), known("blue"), len(graph.ran)) == (False, False, 1)
    clock.now += restricted_tenants.FRESH_SECONDS
    graph.answers["tenants/tenant_restriction"] = [{"age": None, "restoring": True}]
    assert (known("blue"), known("blue"), len(graph.ran)) == (True, True, 3)
    graph.answers["tenants/tenant_restriction"] = [{"age": 5000, "restoring": False}]
    assert (known("blue"), known("blue"), len(graph.ran)) == (True, True, 4)


def test_the_first_document_with_groups_waits_until_every_process_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    for age in (500, 2000):
        mark_restricted(
            CollectingGraph({"tenants/tenant_known": [{"known": True}], "tenants/restrict_tenant": [{"age": age}]}),
            "blue",
        )
    assert waited == [1.5]
    removed = CollectingGraph({"tenants/tenant_known": [{"known": False}]})
    mark_restricted(removed, "blue")
    assert [name for name, _ in removed.ran][-1] == "tenants/tenant_known", "it does not begin again"


def test_what_every_process_knows_is_not_written_again() -> None:
    """It would wait for those who write the tenant's documents."""
    graph = CollectingGraph({"tenants/tenant_restriction": [{"age": 2000, "restoring": False}]})
    mark_restricted(graph, "blue")
    assert [name for name, _ in graph.ran] == ["tenants/tenant_restriction"]


def test_names_of_groups() -> None:
    assert group_names(["b", "a", "b"]) == ("a", "b")
    for wrong in (["*"], [""], ["a b"], ["x" * 129], [str(number) for number in range(1001)]):
        with pytest.raises(InvalidInputError, match="access"):
            group_names(wrong)
