"""What Neo4j Browser fetches: guide and style sheet, from a page of another origin."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interlace.cypher_files import cypher_root

GUIDES = sorted(path.stem for path in (cypher_root() / "browser" / "guides").glob("*.html"))
AssertProblem = Callable[..., dict[str, Any]]


def test_the_guide_holds_the_saved_queries_and_may_be_read_from_elsewhere(client: TestClient) -> None:
    asked = client.options("/guides/start", headers={"Access-Control-Request-Headers": "cache-control"})
    assert (asked.status_code, asked.headers["access-control-allow-headers"]) == (204, "*")
    answer = client.get("/guides/start")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["access-control-allow-origin"] == "*"
    queries = re.findall(r"<pre[^>]*>(.*?)</pre>", answer.text, re.DOTALL)
    assert any("MATCH (d:Document {tenant: $tenant})" in html.unescape(query) for query in queries)


@pytest.mark.parametrize("name", GUIDES)
def test_every_guide_has_its_queries_and_leads_to_guides_that_are_there(client: TestClient, name: str) -> None:
    text = client.get(f"/guides/{name}").text
    assert "{{" not in text
    linked = re.findall(r'play-topic="([^"]+)"', text)
    assert linked
    for address in linked:
        assert address.startswith("http://127.0.0.1:8765/guides/")
        assert client.get(address).status_code == 200


def test_the_style_sheet_is_plain_text(client: TestClient) -> None:
    answer = client.get("/guides/style.grass")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "node.Document {" in answer.text


def test_an_unknown_guide_is_a_problem(client: TestClient, assert_problem: AssertProblem) -> None:
    assert_problem(client.get("/guides/none"), 404, "not-found")
    assert_problem(client.get("/guides/..%2Fsaved"), 404, "not-found")
