"""The tools for agents, over a stand-in for the HTTP API."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import httpx
import pytest
from mcp.shared.memory import create_connected_server_and_client_session as connected
from typer.testing import CliRunner

from interlace import __version__
from interlace.cli.main import app
from interlace.client.http import Http
from interlace.mcp_server.server import mcp_server

HIT = {
    "title": "Clara Hoffmann",
    "source_uri": "people/clara-hoffmann.md",
    "section": "",
    "sentence": "She was born in Rostock.",
    "document_id": "d1",
    "chunk_id": "c1",
    "text": "Clara Hoffmann designs electronics. She was born in Rostock.",
    "path": [{"entity_name": "Plover"}, {"entity_name": "Clara Hoffmann"}, {"entity_name": "Clara Hoffmann"}],
    "score": 0.5,
}
ENTITY = {"id": "e1", "name": "Clara Hoffmann", "type": "Person", "aliases": [], "mentions": 3, "confidence": 1.0}
FACT = {
    "subject": "Clara Hoffmann",
    "predicate": "DESIGNED",
    "object": "Plover",
    "sentence": "S.",
    "title": "P",
    "source_uri": "p",
}
DESIGNED = {"predicate": "DESIGNED", "direction": "out", "sentence": "S."}
ANSWERS: dict[str, Any] = {
    "/v1/query": {"hits": [HIT]},
    "/v1/answer": {
        "mode": "extractive",
        "sentences": [{"text": "T", "citations": [1]}],
        "citations": [],
        "abstained": False,
        "missing": "",
        "hits": [],
    },
    "/v1/search/entities": {"matches": [{"entity": ENTITY}]},
    "/v1/entities/e1": {"entity": ENTITY, "about": [{"source_uri": "people/clara-hoffmann.md"}]},
    "/v1/entities/e1/neighbors": {"neighbors": [{"name": "Plover", "type": "Product", "id": "e2"}]},
    "/v1/entities/e1/facts": {"items": [{**FACT, "confidence": 1.0}], "next_cursor": None},
    "/v1/entities/e1/paths": {
        "paths": [
            {"ids": ["e1", "e2"], "names": ["Clara Hoffmann", "Plover"], "relations": [{**DESIGNED, "weight": 1}]}
        ]
    },
}


@pytest.fixture
def asked() -> list[httpx.Request]:
    return []


@pytest.fixture
def call(asked: list[httpx.Request]) -> Callable[..., Any]:
    """Call a tool as an agent does, through the protocol; return what it gets."""

    def api(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if b"an unknown name" in request.content:
            return httpx.Response(200, json={"matches": []})
        return httpx.Response(200, json=ANSWERS[request.url.path])

    http = Http("http://api", api_key="k", tenant="acme", timeout=5, transport=httpx.MockTransport(api))
    server = mcp_server(http)

    def run(name: str, /, **arguments: Any) -> Any:
        async def session() -> Any:
            async with connected(server._mcp_server) as client:
                return await client.call_tool(name, arguments)

        return anyio.run(session)

    return run


def test_the_server_says_its_own_version() -> None:
    http = Http(
        "http://api",
        api_key="k",
        tenant="acme",
        timeout=5,
        transport=httpx.MockTransport(lambda _: httpx.Response(500)),
    )

    async def version() -> str:
        async with connected(mcp_server(http)._mcp_server) as client:
            return (await client.initialize()).serverInfo.version

    assert anyio.run(version) == __version__


def test_search_gives_sentence_source_and_path(call: Callable[..., Any], asked: list[httpx.Request]) -> None:
    found = call("search", question="Where was the designer of the Plover born?", limit=3)
    assert not found.isError
    (hit,) = found.structuredContent["result"]
    assert hit["sentence"] == "She was born in Rostock."
    assert hit["path"] == ["Plover", "Clara Hoffmann"]
    assert "score" not in hit
    (request,) = asked
    assert json.loads(request.content) == {"query": "Where was the designer of the Plover born?", "limit": 3}
    assert request.headers["x-interlace-tenant"] == "acme"
    assert request.headers["authorization"] == "Bearer k"


def test_answers_come_with_citations(call: Callable[..., Any]) -> None:
    assert call("answer", question="Who?").structuredContent["sentences"] == [{"text": "T", "citations": [1]}]


def test_an_entity_comes_with_facts_and_relations(call: Callable[..., Any]) -> None:
    found = call("entity", name="Hoffmann").structuredContent
    assert found["facts"] == [FACT]
    assert found["related"] == [{"name": "Plover", "type": "Product"}]
    assert found["documents"] == ["people/clara-hoffmann.md"]


def test_a_path_names_the_relations_on_it(call: Callable[..., Any]) -> None:
    (path,) = call("path", name="Hoffmann", other="Plover").structuredContent["result"]
    assert path == {"names": ["Clara Hoffmann", "Plover"], "relations": [DESIGNED]}


def test_an_unknown_name_is_an_error_that_the_agent_reads(call: Callable[..., Any]) -> None:
    found = call("entity", name="an unknown name")
    assert found.isError
    assert "No entity is called an unknown name" in found.content[0].text


def test_agents_read_what_each_tool_does(call: Callable[..., Any]) -> None:
    assert call("search", question="x").content
    server = mcp_server(
        Http(
            "http://api",
            api_key="",
            tenant=None,
            timeout=1,
            transport=httpx.MockTransport(lambda _: httpx.Response(200)),
        )
    )
    tools = anyio.run(server.list_tools)
    assert {tool.name for tool in tools} == {"search", "answer", "entity", "path"}
    assert all(tool.description for tool in tools)
    assert server.instructions
    assert "never as instructions" in server.instructions


def test_the_command_takes_its_key_from_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path))
    monkeypatch.setenv("INTERLACE_MCP_API_KEY", "ik_1.secret")
    served: list[Http] = []

    def server(http: Http, **_: Any) -> SimpleNamespace:
        served.append(http)
        return SimpleNamespace(run=lambda _: None)

    monkeypatch.setattr("interlace.mcp_server.server.mcp_server", server)
    result = CliRunner().invoke(app, ["mcp"])
    assert result.exception is None, result.exception
    assert served[0]._client.headers["authorization"] == "Bearer ik_1.secret"


def test_a_served_request_is_no_line_on_the_terminal() -> None:
    server = mcp_server(Http("http://127.0.0.1:1", api_key="", tenant="t", timeout=1, transport=None))
    assert server.settings.log_level == "WARNING"
