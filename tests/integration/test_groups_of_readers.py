"""No mark of a document that a reader may not see is in anything that the API answers, and the answers are those after its deletion."""

import itertools
import json
import logging
import random
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.conftest import waiting_for_legs
from tests.integration.grouped_world import (
    GROUPS,
    MarkedDocument,
    drawn_access,
    hidden_marks,
    marked_documents,
    may_see,
    questions,
    reads,
    reads_of_entities,
    reads_of_tools,
    without_times,
)
from tests.integration.ingestion_world import World, ad_hoc
from tests.support.bridge import Bridge

from interlace.access.keys import ApiKeys, Grant
from interlace.api.app import create_app
from interlace.bootstrap import Platform
from interlace.client import Interlace
from interlace.client.http import Http
from interlace.domain.errors import InterlaceError
from interlace.domain.ids import entity_id
from interlace.entities.normalization import normalize_name
from interlace.ingestion.labelling import LabelChange
from interlace.mcp_server.server import Tools
from interlace.settings import Settings

pytestmark = pytest.mark.stack
SETS, LABELLINGS, READERS = 10, 5, 6
"""300 worlds: sets of documents, each labelled several times, each labelling seen by several readers."""
HALF = 0.5
MARK = re.compile(r"zq[a-z]{9}")
FORGET = ad_hoc("MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n", "write")
ASKED = {
    ("post", "/v1/query"),
    ("post", "/v1/answer"),
    ("get", "/v1/documents"),
    ("get", "/v1/documents/{document_id}"),
    ("get", "/v1/documents/{document_id}/chunks"),
    ("get", "/v1/chunks/{chunk_id}"),
    ("post", "/v1/atoms/search"),
    ("post", "/v1/linkgraph/search"),
    ("get", "/v1/linkgraph/{stem}/neighbors"),
    ("get", "/v1/linkgraph/{stem}/related"),
    ("get", "/v1/linkgraph/{stem}/metadata"),
    ("post", "/v1/search/entities"),
    ("get", "/v1/entities/{entity_id}"),
    ("get", "/v1/entities/{entity_id}/mentions"),
    ("get", "/v1/entities/{entity_id}/facts"),
    ("get", "/v1/entities/{entity_id}/neighbors"),
    ("get", "/v1/entities/{entity_id}/paths"),
    ("get", "/v1/counts"),
    ("post", "/v1/tools/route"),
    ("get", "/v1/skills"),
}
"""Operations that answer readers who are restricted to groups: every world asks them."""
WITHOUT_DOCUMENTS = {
    ("post", "/v1/pack"),
    ("get", "/v1/linkgraph/schemas"),
    ("get", "/v1/tenants"),
    ("get", "/livez"),
    ("get", "/readyz"),
    ("get", "/problems/{code}"),
}
"""Operations that tell of no document."""


class Reader:
    """A client with a key of some groups, who remembers every byte that it got."""

    def __init__(self, client: TestClient, key: str, tenant: str) -> None:
        self.client, self.key = client, key
        self._headers = {"X-API-Key": key, "X-Interlace-Tenant": tenant}
        self.got: list[str] = []

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.client.request(method, path, json=body, headers={**self._headers, **headers})
        text = f"{answer.status_code} {dict(answer.headers)} {answer.text}".lower()
        self.keep(text, f"{path} {json.dumps(body)}")
        return answer

    def keep(self, text: str, asked: str) -> None:
        """Remember what came, without the caller's own words: the question, its keywords, what of it is not covered."""
        text = text.lower()
        for mark in MARK.findall(asked.lower()):
            text = text.replace(mark, "")
        self.got.append(text)


@pytest.fixture(scope="module")
def client(stack: Settings) -> Iterator[TestClient]:
    with closing(Platform(waiting_for_legs(stack))) as platform:
        app = create_app(platform)
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as opened:
            yield opened
        platform.graph.run(FORGET)


def reader_key(
    world: World, tenant: str, *groups: str, scopes: tuple[str, ...] = ("read", "ingest", "delete", "decide")
) -> str:
    return ApiKeys(world.platform.graph).create(Grant("reader", (tenant,), scopes, groups)).key


def ask_all(
    reader: Reader, tenant: str, documents: list[MarkedDocument], hidden: list[MarkedDocument], rng: random.Random
) -> None:
    """Ask about what is there, what is hidden, and by marks of what is hidden."""
    bodies = list(questions(rng))
    if hidden:
        bodies.append(
            {"query": f"What of {rng.choice(hidden).marks[0]} and {rng.choice(hidden).marks[1]}?", "explain": True}
        )
    for body in (rng.choice(bodies[:-1]), bodies[-1]):
        answer = reader.call("POST", "/v1/query", body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["degraded"] == []
        for hit in answer.json()["hits"][:1]:
            assert reader.call("GET", f"/v1/chunks/{hit['chunk_id']}").status_code == 200
    if rng.random() < HALF:
        accept = rng.choice(["application/json", "text/event-stream"])
        assert reader.call("POST", "/v1/answer", {"query": bodies[0]["query"]}, Accept=accept).status_code == 200
    else:
        assert reader.call("GET", f"/v1/documents?tag=shared&limit={rng.choice((1, 500))}").status_code == 200
    listed = reader.call("GET", "/v1/documents?filter=tags = shared").json()["items"]
    assert {each["source_uri"] for each in listed} == {each.uri for each in documents if each not in hidden}
    for each in rng.sample(documents, 1) + hidden[:1]:
        path = f"/v1/documents/{each.identity(tenant)}{rng.choice(('', '/chunks'))}"
        assert reader.call("GET", path).status_code == (404 if each in hidden else 200)
    ask_beside(reader, tenant, documents, hidden, rng)


def ask_beside(
    reader: Reader, tenant: str, documents: list[MarkedDocument], hidden: list[MarkedDocument], rng: random.Random
) -> None:
    """Read links, atoms and entities, of what is there and of what is hidden."""
    found = list(reads(rng, [], tenant))
    method, path, body = rng.choice(found)
    assert reader.call(method, path, body).status_code == 200, path
    for each in rng.sample(documents, 1) + hidden[:1]:
        method, path, body = rng.choice(list(reads(rng, [each], tenant))[len(found) :])
        assert reader.call(method, path, body).status_code == (404 if each in hidden else 200), path
    for each in hidden[:1]:
        reader.call("POST", *by_marks(each, rng))
        # A name that is nearly the one of a hidden document suggests none.
        reader.call("GET", f"/v1/linkgraph/{each.marks[2][:-1]}/metadata")
        named = reader.call("POST", "/v1/search/entities", {"query": f"{each.marks[7]} Point"}).json()["matches"]
        assert each.marks[7] not in json.dumps(named).lower()
        works = entity_id(tenant, normalize_name(f"{each.marks[6]} Works"))
        method, path, _ = rng.choice(list(reads_of_entities([works])))
        assert reader.call(method, path).status_code == 404, path
    known = [entity_id(tenant, normalize_name(name)) for name in ("Mira Quill", "Port Ellery")]
    method, path, _ = rng.choice(list(reads_of_entities(known)))
    assert reader.call(method, path).status_code in {200, 404}, path
    marks = (rng.choice(hidden[0].marks),) if hidden else ()
    assert reader.call(*rng.choice(list(reads_of_tools(rng, marks)))).status_code == 200


def by_marks(document: MarkedDocument, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Return path and body of a search for a hidden document's own words."""
    return rng.choice(
        [
            ("/v1/linkgraph/search", {"query": document.marks[2]}),
            ("/v1/atoms/search", {"query": " ".join(document.marks[:2])}),
        ]
    )


def ask_by_programs(reader: Reader, tenant: str, hidden: list[MarkedDocument], rng: random.Random) -> None:
    """Ask by the Python client and the tools for agents, which a key keeps to its groups as it does any caller."""
    name = f"{rng.choice(hidden).marks[6].capitalize()} Works" if hidden else "Mira Quill"
    question = f"What does Mira Quill of {name} keep?"
    with Interlace(tenant=tenant, api_key=reader.key, transport=Bridge(reader.client)) as client:
        calls: list[Callable[[], Any]] = [
            lambda: client.ask(question, limit=10, explain=True),
            lambda: client.query(question).to_json(),
            lambda: client.answer(question),
            lambda: client.atoms(question).to_json(),
            lambda: client.entities("Mira Quill").to_json(),
            lambda: client.entity(name),
            lambda: client.neighbors("Mira Quill").to_json(),
            lambda: client.facts("Mira Quill").to_json(),
            lambda: client.documents().to_json(),
            lambda: client.paths("Mira Quill", name),
            lambda: client.skills().to_json(),
            lambda: client.route(question).to_json(),
        ]
        for call in rng.sample(calls, 2):
            reader.keep(_answer_of(call), name)
    http = Http("http://127.0.0.1", api_key=reader.key, tenant=tenant, timeout=60, transport=Bridge(reader.client))
    tools = Tools(http)
    asked: list[Callable[[], Any]] = [
        lambda: tools.search(question),
        lambda: tools.answer(question),
        lambda: tools.entity(name),
        lambda: tools.path("Mira Quill", name),
    ]
    reader.keep(_answer_of(rng.choice(asked)), name)
    http.close()


def _answer_of(call: Callable[[], Any]) -> str:
    try:
        return repr(call())
    except (InterlaceError, ValueError) as error:
        return str(error)


def everything(reader: Reader, rng: random.Random, seen: list[MarkedDocument], tenant: str) -> dict[str, Any]:
    """Return the answers to all that a reader may ask, by what was asked."""
    calls = [("POST", "/v1/query", body) for body in questions(rng)]
    found = {}
    for call in [*calls, *reads(rng, seen, tenant), *reads_of_tools(rng)]:
        answer = reader.call(*call)
        assert answer.status_code == 200, (call, answer.text)
        found[json.dumps(call)] = without_times(answer.json())
    names = [answer["matches"] for answer in found.values() if "matches" in answer]
    ids = dict.fromkeys(match["entity"]["id"] for matches in names for match in matches)
    for method, path, _ in reads_of_entities(list(ids)):
        answer = reader.call(method, path)
        assert answer.status_code == 200, (path, answer.text)
        found[path] = answer.json()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SETS))
def test_no_mark_of_a_hidden_document_in_any_byte_and_answers_as_after_its_deletion(
    world: World, tenant: str, client: TestClient, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    rng = random.Random(seed)
    documents = marked_documents(rng, 6)
    access = {each.uri: drawn_access(rng) for each in documents}
    access[documents[0].uri], access[documents[1].uri] = ("board",), ()
    world.receive(tenant, [each.source(access[each.uri]) for each in documents])
    world.work()
    keys = {
        groups: reader_key(world, tenant, *groups)
        for size in range(3)
        for groups in itertools.combinations(GROUPS, size)
    }
    for labelling in range(LABELLINGS):
        if labelling:
            for each in rng.sample(documents, 3):
                access[each.uri] = drawn_access(rng)
                world.platform.labels.change(tenant, [each.identity(tenant)], LabelChange(access=access[each.uri]))
        chosen = rng.sample(sorted(keys), READERS)
        for groups in chosen:
            reader = Reader(client, keys[groups], tenant)
            hidden = [each for each in documents if not may_see(groups, access[each.uri])]
            caplog.clear()
            with caplog.at_level(logging.INFO):
                ask_all(reader, tenant, documents, hidden, rng)
                if groups == chosen[0]:
                    ask_by_programs(reader, tenant, hidden, rng)
            met = "\n".join([*reader.got, *(record.getMessage().lower() for record in caplog.records)])
            assert [mark for mark in hidden_marks(documents, access, groups) if mark in met] == []
    seeing = [each for each in keys if any(may_see(each, access[uri]) for uri in access)]
    groups = max(seeing, key=lambda each: sum(not may_see(each, access[uri]) for uri in access))
    hidden = [each for each in documents if not may_see(groups, access[each.uri])]
    seen = [each for each in documents if each not in hidden]
    reader = Reader(client, keys[groups], tenant)
    state = rng.getstate()
    before = everything(reader, rng, seen, tenant)
    if hidden:
        world.delete(tenant, *(each.uri for each in hidden))
    rng.setstate(state)
    after = everything(reader, rng, seen, tenant)
    for asked, answer in before.items():
        assert answer == after[asked], asked
    # Links and paths need two visible documents that are linked, which not every world has.
    tools = ("tools",) if any(each.uri.endswith("SKILL.md") for each in seen) else ()
    for part in ("hits", "neighbors", "matches", *tools):
        assert any(answer.get(part) for answer in before.values()), part


def test_every_operation_answers_readers_only_if_it_is_known_to_hide(
    world: World, tenant: str, client: TestClient
) -> None:
    documents = marked_documents(random.Random(1), 2)
    world.receive(tenant, [documents[0].source(("board",)), documents[1].source(())])
    world.work()
    reader = Reader(client, reader_key(world, tenant, "press"), tenant)
    assert isinstance(client.app, FastAPI)
    operations = {(method, path) for path, methods in client.app.openapi()["paths"].items() for method in methods}
    assert operations >= ASKED | WITHOUT_DOCUMENTS
    ids = {"document_id": documents[1].identity(tenant), "code": "forbidden"}
    for method, path in sorted(operations - ASKED):
        called = path.format_map(
            {**dict.fromkeys(_names(path), "x"), **{name: ids[name] for name in _names(path) if name in ids}}
        )
        body: Any = {} if method in {"post", "put", "patch"} else None
        answer = reader.call(method.upper(), called, body)
        if (method, path) in WITHOUT_DOCUMENTS:
            assert answer.status_code in {200, 422}, (method, path)
        else:
            assert answer.status_code == 403, (method, path, answer.text)
    for path in ("/guides/interlace", "/", "/openapi.json"):
        reader.call("GET", path)
    met = "\n".join(reader.got)
    assert not [mark for mark in documents[0].marks if mark in met and mark not in documents[1].text]


def _names(path: str) -> list[str]:
    return [part[1:].split("}")[0].split(":")[0] for part in path.split("/") if part.startswith("{")]
