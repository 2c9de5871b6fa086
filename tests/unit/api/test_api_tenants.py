"""Tenants over HTTP: which there are, and their removal by administrators who confirm it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.support.bridge import Bridge
from tests.support.memory_keys import make_key

from interlace.client import Interlace
from interlace.domain.errors import InvalidInputError, NotFoundError, UnavailableError

AssertProblem = Callable[..., dict[str, Any]]
COUNTS = {"documents": 1, "chunks": 2, "entities": 3, "facts": 4, "communities": 5}
REMOVE = "maintain.remove-tenant.v1"


@pytest.fixture(autouse=True)
def _acme(services: Any) -> None:
    services.graph.answers |= {
        "tenants/list_tenants": [{"tenant": "acme"}],
        "tenants/tenant_known": [{"known": True}],
        "tenants/tenant_counts": [COUNTS],
    }


@pytest.fixture
def interlace(client: TestClient) -> Iterator[Interlace]:
    with Interlace(tenant="acme", transport=Bridge(client)) as opened:
        yield opened


def names(services: Any) -> list[str]:
    return [name for name, _ in services.graph.ran]


def test_tenants_are_listed_with_what_they_hold(client: TestClient) -> None:
    assert client.get("/v1/tenants").json() == ["acme"]
    assert client.get("/v1/tenants/acme").json() == {"tenant": "acme", "state": "ready", "counts": COUNTS}


def test_a_removal_is_confirmed_by_the_name_and_done_by_a_worker(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    assert_problem(client.delete("/v1/tenants/acme"), 422, "invalid-input")
    wrong = assert_problem(client.delete("/v1/tenants/acme", params={"confirm": "acne"}), 422, "invalid-input")
    assert "acme" in wrong["detail"]
    assert "tenants/begin_removal" not in names(services)
    answer = client.delete("/v1/tenants/acme", params={"confirm": "acme"})
    assert (answer.status_code, answer.headers["location"]) == (202, "/v1/tenants/acme")
    assert answer.json() == {"tenant": "acme", "state": "removing", "counts": COUNTS}
    assert "tenants/begin_removal" in names(services)
    assert services.queue.tasks == [(REMOVE, {"tenant": "acme"})]
    (entry,) = client.get("/v1/audit").json()
    assert (entry["event"], entry["detail"]) == ("removed", "the tenant acme, which had 1 documents")


def test_a_tenant_that_is_being_removed_is_gone_as_soon_as_the_database_says_so(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    headers = {"X-Interlace-Tenant": "acme"}
    assert client.get("/v1/counts", headers=headers).status_code == 200
    assert client.delete("/v1/tenants/acme", params={"confirm": "acme"}).status_code == 202
    services.graph.answers["tenants/tenant_being_removed"] = [{"removing": True}]
    assert client.get("/v1/counts", headers=headers).status_code == 200, "some of it is still there"
    services.graph.answers |= {
        "tenants/tenant_being_removed": [],
        "tenants/tenant_known": [{"known": False}],
        "tenants/list_tenants": [{"tenant": "blue"}],
    }
    assert_problem(client.get("/v1/counts", headers=headers), 404, "not-found")


def test_without_the_queue_the_sweep_has_it_done(client: TestClient, services: Any) -> None:
    services.queue.away = True
    assert client.delete("/v1/tenants/acme", params={"confirm": "acme"}).status_code == 202


def test_only_an_administrator_of_the_tenant_removes_it(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    for key in (make_key(services.graph, "read", "delete"), make_key(services.graph, "admin", tenants=("blue",))):
        refused = client.delete("/v1/tenants/acme", params={"confirm": "acme"}, headers={"X-API-Key": key})
        assert_problem(refused, 403, "forbidden")
    assert "tenants/begin_removal" not in names(services)
    services.graph.answers["tenants/tenant_known"] = [{"known": False}]
    key = make_key(services.graph, "admin", tenants=("acme",))
    gone = client.delete("/v1/tenants/acme", params={"confirm": "acme"}, headers={"X-API-Key": key})
    assert_problem(gone, 404, "not-found")


def test_a_notebook_removes_a_tenant_and_waits(interlace: Interlace, services: Any) -> None:
    assert interlace.tenants.list() == ["acme"]
    with pytest.raises(InvalidInputError, match="acme"):
        interlace.tenants.remove("acme", confirm="")
    with pytest.raises(UnavailableError, match="still being removed"):
        interlace.tenants.remove("acme", confirm="acme", timeout=0.01)
    known = iter([True, False])
    run = services.graph.run
    services.graph.run = lambda query, /, **params: (
        [{"known": next(known)}] if query.name == "tenants/tenant_known" else run(query, **params)
    )
    interlace.tenants.remove("acme", confirm="acme", timeout=60)
    services.graph.run = run
    services.graph.answers["tenants/tenant_known"] = [{"known": False}]
    with pytest.raises(NotFoundError, match="acme"):
        interlace.tenants.state("acme")


def test_a_tenant_that_is_not_there_is_unknown_and_only_tenants_of_the_key_are_named(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    services.graph.answers |= {
        "tenants/list_tenants": [{"tenant": name} for name in ("acme", "beta", "secret")],
        "tenants/tenant_known": [{"known": False}],
    }
    key = make_key(services.graph, "read", "ingest", "decide", "admin", tenants=("acme", "beta", "gamma"))
    headers = {"X-API-Key": key, "X-Interlace-Tenant": "gamma"}
    body = {"kind": "same", "names": ["NYC", "New York City"]}
    for answer in (
        client.get("/v1/documents", headers=headers),
        client.post("/v1/query", json={"query": "who"}, headers=headers),
        client.post("/v1/decisions", json=body, headers=headers),
        client.get("/v1/tenants/gamma", headers=headers),
        client.delete("/v1/tenants/gamma", params={"confirm": "gamma"}, headers=headers),
    ):
        detail = assert_problem(answer, 404, "not-found")["detail"]
        assert "no tenant gamma" in detail
        assert "acme, beta" in detail
        assert "secret" not in detail
    new = client.post("/v1/documents", json={"documents": [{"source_uri": "a", "text": "b"}]}, headers=headers)
    assert new.status_code == 202
    # Whether a tenant of others is there makes no difference.
    for name in ("secret", "missing"):
        refused = client.get("/v1/documents", headers=headers | {"X-Interlace-Tenant": name})
        assert assert_problem(refused, 403, "forbidden")["detail"].replace(name, "") == (
            f"The key {key.partition('.')[0]} has no access to the tenant ''; "
            "`X-Interlace-Tenant` chooses among those that it has."
        )
    # With nothing else to confuse it with, a new tenant is an empty one.
    alone = make_key(services.graph, "read", tenants=("gamma",))
    assert client.get("/v1/documents", headers={"X-API-Key": alone}).json()["items"] == []
