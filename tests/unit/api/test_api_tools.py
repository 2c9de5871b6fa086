"""Requests for tools over the HTTP API."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.domain.tools import RouteRequest

AssertProblem = Callable[..., dict[str, Any]]


def test_a_request_reaches_the_router(client: TestClient, services: Any) -> None:
    body = {"query": " where is it? ", "limit": 3, "without": ["graph"], "model": "m"}
    answer = client.post("/v1/tools/route", json=body, headers={"X-Interlace-Tenant": "acme"}).json()
    assert services.tools.asked == [("acme", RouteRequest("where is it?", 3, frozenset({"graph"}), "m"))]
    assert (answer["tools"], answer["degraded"]) == ([], ["vector"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "without": ["magic"]}, "without[0]"),
        ({"query": "x", "mode": "auto"}, "mode"),
    ],
)
def test_a_senseless_request_is_refused_by_name(client: TestClient, body: dict[str, Any], field: str) -> None:
    answer = client.post("/v1/tools/route", json=body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_skills_come_in_pages(client: TestClient, services: Any) -> None:
    skill = {"id": "e1", "name": "pdf", "sourceUri": "s/SKILL.md", "documentId": "d1", "keywords": [], "tools": []}
    services.graph.answers["tools/skill_list"] = [skill]
    page = client.get("/v1/skills", params={"limit": 1}).json()
    assert [each["document_id"] for each in page["items"]] == ["d1"]
    client.get("/v1/skills", params={"limit": 1, "cursor": page["next_cursor"]})
    asked = [params for name, params in services.graph.ran if name == "tools/skill_list"]
    assert [(params["limit"], params["after"]) for params in asked] == [(1, None), (1, "d1")]
