"""The edge of the API: rates of keys, and the headers of every answer."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.support.memory_keys import make_key
from tests.support.memory_rates import MemoryRateLimiter

from interlace.api.security_headers import HEADERS
from interlace.domain.errors import UnavailableError

Client = Callable[..., TestClient]


class AwayRateLimiter(MemoryRateLimiter):
    """Counts how often it was asked before it fails."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def take(self, caller: str, per_minute: int) -> float | None:
        self.asked += 1
        raise UnavailableError(f"Redis does not answer for {caller} at {per_minute}.")


def statuses(client: TestClient, key: str, number: int) -> list[int]:
    return [client.get("/v1/documents", headers={"X-API-Key": key}).status_code for _ in range(number)]


def test_a_key_beyond_its_own_rate_learns_when_to_go_on(
    services: Any, client_of: Client, assert_problem: Callable[..., Any]
) -> None:
    slow, other = make_key(services.graph, "read", rate=3), make_key(services.graph, "read")
    with client_of(services) as client:
        assert statuses(client, slow, 4) == [200, 200, 200, 429]
        refused = client.get("/v1/documents", headers={"X-API-Key": slow})
        assert_problem(refused, 429, "rate-limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert statuses(client, other, 4) == [200] * 4


def test_a_key_without_a_rate_has_that_of_the_server(make_services: Client, client_of: Client) -> None:
    services: Any = make_services(requests_per_minute=2)
    key = make_key(services.graph, "read")
    with client_of(services) as client:
        assert statuses(client, key, 3) == [200, 200, 429]
    unlimited: Any = make_services(requests_per_minute=0)
    with client_of(unlimited) as client:
        assert statuses(client, make_key(unlimited.graph, "read"), 5) == [200] * 5


def test_without_keys_there_is_no_rate(make_services: Client, client_of: Client) -> None:
    with client_of(make_services(requests_per_minute=1)) as client:
        assert [client.get("/v1/documents").status_code for _ in range(3)] == [200] * 3


def test_while_counts_are_away_rates_are_off_and_the_log_says_so_once(
    services: Any, client_of: Client, caplog: pytest.LogCaptureFixture
) -> None:
    services.rate_limiter = AwayRateLimiter()
    key = make_key(services.graph, "read", rate=1)
    with client_of(services) as client, caplog.at_level(logging.WARNING, "interlace.api.rates"):
        assert statuses(client, key, 3) == [200] * 3
    assert services.rate_limiter.asked == 1
    assert [record.message for record in caplog.records if record.name == "interlace.api.rates"] == [
        f"Redis does not answer for {key.partition('.')[0]} at 1."
    ]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/documents"),
        ("GET", "/livez"),
        ("GET", "/metrics"),
        ("GET", "/nothing-here"),
        ("POST", "/v1/query"),
        ("GET", "/guides/start"),
        ("GET", "/"),
        ("GET", "/docs"),
    ],
)
def test_every_answer_has_security_headers(client: TestClient, method: str, path: str) -> None:
    headers = client.request(method, path).headers
    assert {name.lower() for name in HEADERS} <= set(headers)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_a_refusal_of_a_guard_has_them_too(services: Any, client_of: Client) -> None:
    make_key(services.graph, "read")
    with client_of(services) as client:
        refused = client.get("/v1/documents")
    assert (refused.status_code, refused.headers["cache-control"]) == (401, "no-store")
    with client_of(services, "http://evil.example") as client:
        assert client.get("/v1/documents").headers["x-frame-options"] == "DENY"


def test_the_description_for_people_may_run_its_own_script_and_nothing_from_elsewhere(client: TestClient) -> None:
    policy = client.get("/docs").headers["content-security-policy"]
    assert "script-src 'self' 'unsafe-inline'" in policy
    assert "http" not in policy
