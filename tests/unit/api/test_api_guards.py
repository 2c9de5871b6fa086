"""What a request must pass before it is read: host, size, key, names."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from structlog.contextvars import get_contextvars

from interlace.api.app import create_app
from interlace.domain.errors import SettingsError

MakeServices = Callable[..., Any]
ClientOf = Callable[..., TestClient]
AssertProblem = Callable[..., dict[str, Any]]
MAX_BODY = 20_000
KEY = "kg_test_0123456789"


def test_a_body_above_the_limit_is_refused_by_its_length_and_while_it_comes(
    client: TestClient, services: Any, assert_problem: AssertProblem
) -> None:
    assert_problem(client.post("/v1/query", json={"query": "x" * MAX_BODY}), 413, "too-large")
    parts = (b"x" * 1000 for _ in range(40))
    answer = client.post("/v1/query", content=parts, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "too-large")
    parts = (b"x" * 1000 for _ in range(40))
    answer = client.post("/v1/documents", content=parts, headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "too-large")
    assert services.receiver.calls == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", ""])
def test_foreign_host_names_are_refused_on_loopback(
    client: TestClient, host: str, assert_problem: AssertProblem
) -> None:
    assert_problem(client.get("/livez", headers={"Host": host}), 400, "untrusted-host")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:8765"])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/livez", headers={"Host": host}).json() == {"status": "alive"}


def test_an_address_that_others_reach_answers_no_one_without_a_key(
    client_of: ClientOf, make_services: MakeServices, assert_problem: AssertProblem
) -> None:
    with client_of(make_services(host="0.0.0.0"), "http://api.example") as opened:  # noqa: S104 - not bound
        assert_problem(opened.get("/v1/jobs"), 401, "unauthorized")
    with pytest.raises(SettingsError, match="SHA-256"):
        create_app(make_services(keys=(SecretStr("plain"),)))


@pytest.fixture
def guarded(client_of: ClientOf, make_services: MakeServices) -> Iterator[TestClient]:
    digest = hashlib.sha256(KEY.encode()).hexdigest()
    services = make_services(host="0.0.0.0", keys=(SecretStr("0" * 64), SecretStr(digest)))  # noqa: S104 - not bound
    with client_of(services, "http://api.example") as opened:
        yield opened


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"X-API-Key": "wrong"}, {"Authorization": f"Basic {KEY}"}]
)
def test_without_a_known_key_nothing_is_answered(
    guarded: TestClient, headers: dict[str, str], assert_problem: AssertProblem
) -> None:
    for path in ("/v1/jobs", "/metrics", "/v1/nothing"):
        answer = guarded.get(path, headers=headers)
        assert_problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("headers", [{"Authorization": f"Bearer {KEY}"}, {"X-API-Key": KEY}])
def test_a_known_key_opens(guarded: TestClient, headers: dict[str, str]) -> None:
    assert guarded.get("/v1/jobs", headers=headers).status_code == 200


def test_health_and_description_need_no_key(guarded: TestClient) -> None:
    for path in ("/livez", "/readyz", "/docs", "/openapi.json"):
        assert guarded.get(path).status_code == 200


def test_request_ids_are_kept_when_plain_and_replaced_when_not(client: TestClient) -> None:
    assert client.get("/livez", headers={"X-Request-ID": "a.b-c_1"}).headers["x-request-id"] == "a.b-c_1"
    for bad in ("two words", "x" * 129, "a;b"):
        assert client.get("/livez", headers={"X-Request-ID": bad}).headers["x-request-id"] != bad


def test_a_trace_parent_names_the_trace(client: TestClient) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    answer = client.get("/v1/nothing", headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
    assert answer.json()["trace_id"] == trace


@pytest.mark.parametrize("tenant", ["Acme", "a_b", "-a", "a" * 49, "a b"])
def test_tenants_are_checked(client: TestClient, tenant: str, assert_problem: AssertProblem) -> None:
    problem = assert_problem(client.get("/v1/jobs", headers={"X-Interlace-Tenant": tenant}), 422, "invalid-input")
    assert problem["errors"][0]["field"] == "x-interlace-tenant"


def test_log_lines_of_a_request_name_it_and_its_tenant(client: TestClient, services: Any) -> None:
    seen: dict[str, Any] = {}
    services.jobs.list = lambda *_: seen.update(get_contextvars()) or []
    client.get("/v1/jobs", headers={"X-Request-ID": "mine-1", "X-Interlace-Tenant": "blue"})
    assert seen == {"request_id": "mine-1", "trace_id": "mine-1", "tenant": "blue"}
