"""Requests made to confuse: tampered cursors and ids, keys and tenants given twice, foreign hosts and pages, escapes, bombs. None fails inside."""

import base64
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient

ESCAPES = "\x1b]0;owned\x07\x1b[2J"
ODD_IDS = (
    "%00",
    "%0d%0aSet-Cookie:%20a=b",
    "%1b%5b2J",
    "..%2f..%2fetc%2fpasswd",
    "'%20OR%201=1",
    "%F0%9F%92%A3",
    "x" * 5000,
)


def cursor(value: Any) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode().rstrip("=")


CURSORS = (
    "!",
    "AAAA",
    "W10",
    cursor([]),
    cursor({"a": 1}),
    cursor([1, 2, 3]),
    cursor([None]),
    cursor([[[]]]),
    cursor([2**63]),
    cursor([-(2**63) - 0]),
    cursor(["x" * 6000]),
    cursor([{"$ne": 1}]),
)
LISTS = ("/v1/documents", "/v1/documents/d1/chunks", "/v1/entities/e1/mentions", "/v1/entities/e1/facts", "/v1/skills")


def refused(answer: Any) -> bool:
    """Return whether an answer is a refusal that tells what is wrong in the form of problems, or finds nothing."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "\x1b" not in answer.text
    return bool(answer.status_code >= 400)


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("given", CURSORS)
def test_a_tampered_cursor_is_refused_or_ends_nowhere(client: TestClient, path: str, given: str) -> None:
    refused(client.get(path, params={"cursor": given}))


@pytest.mark.parametrize("given", [cursor([2**63]), cursor([2**64 - 1])])
def test_a_cursor_that_no_database_can_hold_is_refused(client: TestClient, given: str) -> None:
    assert client.get("/v1/documents/d1/chunks", params={"cursor": given}).status_code == 422


@pytest.mark.parametrize("given", ODD_IDS)
def test_an_odd_id_is_unknown(client: TestClient, given: str) -> None:
    for path in ("documents", "chunks", "entities", "communities"):
        answer = client.get(f"/v1/{path}/{given}")
        assert refused(answer), path
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        [("X-Interlace-Tenant", "default"), ("X-Interlace-Tenant", "other")],
        [("X-Interlace-Tenant", "default, other")],
        [("X-Interlace-Tenant", "default\tother")],
        [("X-Interlace-Tenant", "*")],
        [("X-API-Key", "a"), ("X-API-Key", "b")],
        [("Authorization", "Bearer a, Bearer b")],
        [("X-Forwarded-Host", "evil.example"), ("Host", "evil.example")],
        [("Host", "rebound.example")],
        [("Host", "127.0.0.1"), ("Host", "evil.example")],
        [("X-HTTP-Method-Override", "DELETE"), ("X-Request-ID", ESCAPES.encode("latin-1").decode("latin-1"))],
        [("Transfer-Encoding", "chunked"), ("Content-Length", "3")],
        [("Content-Length", "-1")],
    ],
)
def test_headers_given_twice_or_for_others_fail_nothing(client: TestClient, headers: list[tuple[str, str]]) -> None:
    answer = client.get("/v1/jobs", headers=headers)
    refused(answer)
    assert "\x1b" not in str(answer.headers)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_of_another_site_changes_nothing(client: TestClient, services: Any, kind: str) -> None:
    for origin in ("https://evil.example", "null"):
        headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site", "Content-Type": kind}
        answer = client.post("/v1/documents", content='{"documents": [{"uri": "a.md", "text": "x"}]}', headers=headers)
        assert answer.status_code == 403
        assert refused(answer)
    assert services.receiver.calls == []


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 9_000,
        b'{"query": ' * 1_500,
        b'{"query": "x", "limit": ' + b"9" * 5_000 + b"}",
        b'{"query": "x", "limit": 1e999}',
        b'{"query": "x", "limit": NaN}',
        b'{"query": "\\ud800"}',
        b"\xff\xfe\x00",
        b'{"query": "x", "query": {"$gt": ""}}',
        b'{"query": "x", "filters": ' + b'{"must": [' * 800 + b"]}" * 800 + b"}",
        b'{"query": null}',
        b"",
    ],
)
def test_a_bomb_is_no_question(client: TestClient, body: bytes) -> None:
    for path in ("/v1/query", "/v1/answer", "/v1/atoms/search", "/v1/linkgraph/search", "/v1/search/entities"):
        assert refused(client.post(path, content=body, headers={"Content-Type": "application/json"})), path
