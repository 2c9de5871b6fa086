"""The tools for agents, over a stand-in for the HTTP API."""

import errno
import json
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import anyio
import httpx
import pytest
from mcp.shared.memory import create_connected_server_and_client_session as connected
from typer.testing import CliRunner

from interlace import __version__
from interlace.cli.main import app
from interlace.client.http import Http
from interlace.domain.errors import StackError
from interlace.mcp_server.server import mcp_server

SECONDS = 30
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
    "/v1/search/entities": {
        "matches": [{"entity": ENTITY}, {"entity": {**ENTITY, "id": "e3", "name": "Hoffmann & Sons"}}]
    },
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
        if b'"Plover"' in request.content:
            return httpx.Response(200, json={"matches": [{"entity": {**ENTITY, "id": "e2", "name": "Plover"}}]})
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
    (hit,) = found.structuredContent["hits"]
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


def test_a_text_is_shown_whole(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    text = "She was born in Rostock. " * 100
    monkeypatch.setitem(ANSWERS, "/v1/query", {"hits": [{**HIT, "text": text}]})
    assert call("search", question="x").structuredContent["hits"][0]["text"] == text


def test_what_finds_nothing_says_so(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, "/v1/query", {"hits": []})
    monkeypatch.setitem(ANSWERS, "/v1/entities/e1/paths", {"paths": []})
    assert call("search", question="x").structuredContent == {"hits": []}
    found = call("path", name="Hoffmann", other="Plover")
    assert found.content
    assert (found.structuredContent["paths"], found.structuredContent["note"]) == (
        [],
        "No path of at most 4 relations connects them.",
    )


def test_a_path_names_its_ends_and_the_relations_on_it(call: Callable[..., Any]) -> None:
    found = call("path", name="Hoffmann", other="Plover").structuredContent
    assert found["paths"] == [{"names": ["Clara Hoffmann", "Plover"], "relations": [DESIGNED]}]
    assert (found["from"], found["to"], found["note"]) == ("Clara Hoffmann", "Plover", "")
    assert found["others"] == {"Hoffmann": ["Hoffmann & Sons"], "Plover": []}


def test_a_path_from_an_entity_to_itself_is_refused(call: Callable[..., Any]) -> None:
    found = call("path", name="Hoffmann", other="Clara Hoffmann")
    assert found.isError
    assert found.content[0].text.startswith("Both names mean Clara Hoffmann")


def test_an_unknown_name_is_an_error_that_the_agent_reads(call: Callable[..., Any]) -> None:
    found = call("entity", name="an unknown name")
    assert found.isError
    assert found.content[0].text.startswith("No entity is called an unknown name")


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("search", {}, "question: is missing. `search` takes question, limit (optional)."),
        ("search", {"question": "x", "limit": "many"}, "limit: must be a whole number."),
        ("search", {"question": "x", "limit": 0}, "limit: Input should be greater than or equal to 1."),
        ("search", {"question": "x", "limit": 101}, "limit: Input should be less than or equal to 100."),
        ("search", {"question": 5}, "question: Input should be a valid string."),
        ("answer", {"question": " "}, "question: String should have at least 1 character."),
        ("answer", {"question": "x" * 2001}, "question: String should have at most 2000 characters."),
        (
            "search",
            {"question": "x", "limits": 3},
            "limits: there is no such argument; did you mean 'limit'? `search` takes question, limit (optional).",
        ),
        (
            "path",
            {},
            "name: is missing. `path` takes name, other. other: is missing. `path` takes name, other.",
        ),
        ("entity", {"name": "x", "facts": -1}, "facts: Input should be greater than or equal to 0."),
        ("find", {"question": "x"}, "There is no tool 'find'; there are search, answer, entity, path."),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_allowed(
    call: Callable[..., Any],
    asked: list[httpx.Request],
    tool: str,
    arguments: dict[str, Any],
    sentence: str,
) -> None:
    found = call(tool, **arguments)
    assert found.isError
    assert found.content[0].text == sentence
    assert asked == []


def test_one_slow_call_does_not_hold_up_the_others() -> None:
    searched = threading.Event()

    def api(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/query":
            searched.set()
        else:
            assert searched.wait(SECONDS)
        return httpx.Response(200, json=ANSWERS[request.url.path])

    server = mcp_server(Http("http://api", api_key="", tenant=None, timeout=5, transport=httpx.MockTransport(api)))
    failed: dict[str, bool] = {}

    async def both() -> None:
        async with connected(server._mcp_server) as client, anyio.create_task_group() as tasks:

            async def ask(tool: str) -> None:
                failed[tool] = (await client.call_tool(tool, {"question": "x"})).isError

            tasks.start_soon(ask, "answer")
            tasks.start_soon(ask, "search")

    anyio.run(both)
    assert failed == {"search": False, "answer": False}


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
    assert all(each["description"] for tool in tools for each in tool.inputSchema["properties"].values())
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
    assert "x-interlace-tenant" not in served[0]._client.headers, "the key may be for one tenant alone"
    monkeypatch.setenv("INTERLACE_TENANT", "wiki")
    for words, tenant in ((["mcp"], "wiki"), (["mcp", "--tenant", "other"], "other")):
        CliRunner().invoke(app, words, catch_exceptions=False)
        assert served[-1]._client.headers["x-interlace-tenant"] == tenant


def test_a_served_request_is_no_line_on_the_terminal() -> None:
    server = mcp_server(Http("http://127.0.0.1:1", api_key="", tenant="t", timeout=1, transport=None))
    assert server.settings.log_level == "WARNING"


def test_a_taken_port_is_named_with_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interlace_stack.readiness.port_is_free", lambda _: False)
    with pytest.raises(StackError, match=r"^Port 8799 is taken by another program\. .* --port\.$"):
        CliRunner().invoke(app, ["mcp", "--transport", "http", "--port", "8799"], catch_exceptions=False)


def test_a_port_that_may_not_be_used_is_not_said_to_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    probe = MagicMock()
    probe.__enter__.return_value.bind.side_effect = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr("interlace_stack.readiness.socket.socket", lambda: probe)
    with pytest.raises(StackError, match=r"^Port 80 cannot be used: Permission denied\. "):
        CliRunner().invoke(app, ["mcp", "--transport", "http", "--port", "80"], catch_exceptions=False)
