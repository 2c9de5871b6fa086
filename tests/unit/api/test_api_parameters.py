"""Query parameters that a call does not have are refused, because a misspelt one would be ignored without a word."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

AssertProblem = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v1/documents?limt=2", "did you mean 'limit'?"),
        ("GET", "/v1/documents?limit=2&where=x", "it has source, tag, status, filter, sort, limit, cursor."),
        ("GET", "/v1/counts?tenant=other", "`X-Interlace-Tenant` chooses the tenant."),
        ("GET", "/v1/counts?verbose=1", "it has none."),
        ("POST", "/v1/documents?dryrun=true", "did you mean 'dry_run'?"),
        ("DELETE", "/v1/decisions/d1?nite=x", "did you mean 'note'?"),
    ],
)
def test_an_unknown_query_parameter_is_refused(
    client: TestClient, assert_problem: AssertProblem, method: str, path: str, expected: str
) -> None:
    problem = assert_problem(client.request(method, path), 422, "invalid-input")
    assert expected in problem["detail"]
    assert "has no query parameter" in problem["detail"]


def test_pages_and_checks_of_health_take_any(client: TestClient) -> None:
    for path in ("/", "/livez", "/readyz", "/problems/not-found"):
        assert client.get(path, params={"v": 1}).status_code == 200
