"""The link graph through HTTP, the command line and Python, on a running stack: the three give the same answer."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import jsonschema  # it brings no types
import pytest
from tests.e2e.command_line import command_line

from interlace.client import Interlace
from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.hits import LegName
from interlace.settings import Settings
from interlace_stack.readiness import api_url

pytestmark = pytest.mark.stack
TENANT = "link-graph"
NOTES = {
    "harbour.md": "# Harbour\n\nShips wait here. See [[Tide]] and [the anchor](gear/anchor.md).\n",
    "tide.md": "---\ntags: [sea]\n---\n# Tide\n\nThe moon lifts the sea twice a day, says the [[Almanac]].\n",
    "gear/anchor.md": "# Anchor\n\nHolds a boat while the [[tide]] runs.\n",
    "almanac.md": "# Almanac\n\nTables of the moon.\n",
    "a/log.md": "# Log\n\nWe left the [[Harbour]].\n",
    "b/log.md": "# Log\n\nNothing was seen.\n",
}


@pytest.fixture(scope="module")
def run(full_stack: Settings) -> Callable[..., str]:
    """Run the command line against the stack; return what it printed."""
    # A command loads the model before it can ask it; what is late would be missing from its answer.
    return command_line(full_stack, TENANT, INTERLACE_QUERY__LEG_TIMEOUT="60")


@pytest.fixture(scope="module")
def address(full_stack: Settings, run: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the API, once the folder ``notes`` is ingested."""
    root = tmp_path_factory.mktemp("links") / "notes"
    for name, text in NOTES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    run("ingest", root)
    # A worker makes communities meanwhile; answers before and after that differ.
    run("communities", "refresh")
    return api_url(full_stack.api.host, full_stack.api.port)


@pytest.fixture
def client(address: str) -> Iterator[Interlace]:
    with Interlace(address, tenant=TENANT) as opened:
        yield opened


def whole_answer(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Ask until no leg is late, as one may be while the server's model is loading."""
    deadline = time.monotonic() + 240
    while True:
        answer = ask()
        if not answer["search_options"]["degraded"]:
            return answer
        assert time.monotonic() < deadline, answer


def posted(http: httpx.Client, body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = http.post("/v1/linkgraph/search", json=body).json()
    return answer


def called(client: Interlace, options: dict[str, Any]) -> dict[str, Any]:
    return client.links.search_planned("anchor and tide", options=options).model_dump(mode="json")


def test_neighbors_are_alike_everywhere(http: httpx.Client, run: Callable[..., str], client: Interlace) -> None:
    answer = http.get("/v1/linkgraph/harbour/neighbors", params={"direction": "out", "hops": 2}).json()
    assert {each["title"]: each["distance"] for each in answer["neighbors"]} == {"Tide": 1, "Anchor": 1, "Almanac": 2}
    kinds = {each["title"]: each["links"][0]["kind"] for each in answer["neighbors"]}
    assert (kinds["Tide"], kinds["Anchor"]) == ("wikilink", "markdown")
    assert json.loads(run("links", "neighbors", "harbour", "--direction", "out", "--hops", 2, "--json")) == answer
    assert client.links.neighbors("harbour", "out", 2).model_dump(mode="json") == answer
    assert "Almanac" in run("links", "neighbors", "harbour", "--hops", 2)


def test_related_documents_are_alike_everywhere(http: httpx.Client, run: Callable[..., str], client: Interlace) -> None:
    answer = http.get("/v1/linkgraph/anchor/related", params={"max_distance": 3}).json()
    # Tide and Harbour are linked to it and to each other; the almanac hangs on Tide, the log on Harbour.
    assert {each["title"] for each in answer["related"][:2]} == {"Tide", "Harbour"}
    assert {each["title"] for each in answer["related"][2:]} == {"Almanac", "Log"}
    assert json.loads(run("links", "related", "anchor", "--max-distance", 3, "--json")) == answer
    assert client.links.related("anchor", 3).model_dump(mode="json") == answer
    assert "Harbour" in run("links", "related", "anchor")


def test_metadata_is_alike_everywhere(http: httpx.Client, run: Callable[..., str], client: Interlace) -> None:
    answer = http.get("/v1/linkgraph/tide/metadata").json()
    assert (answer["tags"], answer["incoming"], answer["outgoing"]) == (["sea"], 2, 1)
    uri = answer["document"]["source_uri"]
    assert json.loads(run("links", "metadata", uri, "--json")) == answer
    assert client.links.metadata(uri).model_dump(mode="json") == answer
    assert "sea" in run("links", "metadata", "tide")


@pytest.mark.slow
def test_searches_are_alike_everywhere(
    http: httpx.Client, run: Callable[..., str], client: Interlace, dense: frozenset[LegName]
) -> None:
    for mode in ("auto", "graph_only", "hybrid", *(f"{leg}_only" for leg in dense)):
        options = {"mode": mode}
        body = {"query": "anchor and tide", "options": options}
        answer = whole_answer(partial(posted, http, body))
        assert answer["search_options"]["mode"] == mode
        assert answer["hits"][0]["title"] in {"Anchor", "Tide"}
        assert all(hit["boost"] == 1 for hit in answer["hits"]) == (mode == "vector_only")
        assert json.loads(run("links", "search", "anchor and tide", "--mode", mode, "--json")) == answer
        assert whole_answer(partial(called, client, options)) == answer
    by_name = {"match": "regex", "policy": {"first": "graph"}}
    answer = whole_answer(partial(posted, http, {"query": "anch.+", "options": by_name}))
    assert [hit["title"] for hit in answer["hits"] if hit["names"]] == ["Anchor"]
    flags = ("--match", "regex", "--first", "graph", "--json")
    assert json.loads(run("links", "search", "anch.+", *flags)) == answer
    tagged = json.loads(run("links", "search", "anchor and tide", "--filter", "tags = sea", "--json"))
    assert [hit["title"] for hit in tagged["hits"]] == ["Tide"]
    assert "Anchor" in run("links", "search", "anchor")


def test_stems_that_name_none_or_several_are_refused(
    http: httpx.Client, run: Callable[..., str], client: Interlace
) -> None:
    several = http.get("/v1/linkgraph/log/metadata")
    assert several.status_code == 422
    assert "a/log.md" in several.json()["detail"]
    assert "b/log.md" in run("links", "metadata", "log", code=2, errors=True)
    with pytest.raises(InvalidInputError, match="may be several documents"):
        client.links.metadata("log")
    assert "similar names: Harbour" in run("links", "related", "harbor", code=4, errors=True)
    with pytest.raises(NotFoundError, match="similar names: Harbour"):
        client.links.related("harbor")


def test_schemas_are_published_alike(http: httpx.Client, run: Callable[..., str]) -> None:
    published = http.get("/v1/linkgraph/schemas").json()
    assert json.loads(run("links", "schemas")) == published
    jsonschema.validate(http.get("/v1/linkgraph/tide/metadata").json(), published["schemas"]["metadata"])
