"""What the client sends and what it makes of answers, over a transport that answers as a test says."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from interlace.api.tables import ARROW, encoded
from interlace.client import Interlace
from interlace.domain.errors import (
    ConflictError,
    ForbiddenError,
    InterlaceError,
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from interlace.ports.statements import Table

Answer = Callable[[httpx.Request], httpx.Response]


class Server:
    """Keeps the requests and answers each."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[httpx.Request] = []
        self._answer = answer

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answer(request)

    def client(self, **options: Any) -> Interlace:
        return Interlace("http://api.test", transport=httpx.MockTransport(self), **options)


def items(request: httpx.Request) -> httpx.Response:
    """Answer with numbers from the cursor on, of seven."""
    first, limit = int(request.url.params.get("cursor", 0)), int(request.url.params["limit"])
    last = min(first + limit, 7)
    rows = [{"id": str(number)} for number in range(first, last)]
    return httpx.Response(200, json={"items": rows, "next_cursor": str(last) if last < 7 else None})


@pytest.mark.parametrize(
    ("options", "tenant", "key"),
    [({}, None, None), ({"tenant": "acme", "api_key": "secret"}, "acme", "Bearer secret")],
)
def test_tenant_and_key_go_with_each_request(options: dict[str, str], tenant: str | None, key: str | None) -> None:
    server = Server(lambda _: httpx.Response(200, json={"hits": []}))
    with server.client(**options) as client:
        client.ask("who?")
    (request,) = server.requests
    assert (request.headers.get("X-Interlace-Tenant"), request.headers.get("Authorization")) == (tenant, key)


def test_what_is_not_asked_for_is_not_sent() -> None:
    server = Server(items)
    with server.client() as client:
        client.documents(tag="film", limit=3)
    assert dict(server.requests[0].url.params) == {"limit": "4", "tag": "film"}


@pytest.mark.parametrize(
    ("limit", "sizes"),
    [
        (0, [1]),
        (2, [3]),
        (3, [3, 1]),
        (5, [3, 3]),
        (6, [3, 3, 1]),
        (7, [3, 3, 2]),
        (1000, [3, 3, 3]),
        (None, [3, 3, 3]),
    ],
)
def test_lists_are_whole_or_say_that_they_go_on(
    limit: int | None, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlace.client.http.PAGE", 3)
    server = Server(items)
    with server.client() as client:
        found = client.documents(limit=limit)
    assert list(found["id"]) == [str(number) for number in range(7)][:limit]
    assert found.attrs["truncated"] == (limit is not None and limit < 7)
    assert [int(request.url.params["limit"]) for request in server.requests] == sizes


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, InvalidInputError),
        (404, NotFoundError),
        (409, ConflictError),
        (413, InvalidInputError),
        (422, InvalidInputError),
        (503, UnavailableError),
        (500, InterlaceError),
        (418, InterlaceError),
    ],
)
def test_a_problem_document_becomes_the_error_of_its_kind(status: int, error: type[InterlaceError]) -> None:
    server = Server(lambda _: httpx.Response(status, json={"detail": "The mill is closed."}))
    with server.client() as client, pytest.raises(error) as raised:
        client.ask("who?")
    assert (type(raised.value), raised.value.message) == (error, "The mill is closed.")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'"no"', b"{}"])
def test_another_kind_of_server_is_named(body: bytes) -> None:
    server = Server(lambda _: httpx.Response(404, content=body))
    with server.client() as client, pytest.raises(NotFoundError, match=r"http://api\.test/v1/query answered 404"):
        client.ask("who?")


def test_a_server_that_is_too_slow_does_not_answer() -> None:
    def slow(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("slow", request=request)

    with Server(slow).client(timeout=2.5) as client:
        with pytest.raises(
            UnavailableError, match=r"did not answer within 2\.5 s; give the client a longer `timeout`\.$"
        ):
            client.ask("who?")
        with pytest.raises(UnavailableError, match="did not answer within 35 s"):
            client.cypher("RETURN 1 AS n", timeout=30)


def test_a_server_that_is_not_there_is_not_slow() -> None:
    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectTimeout("away", request=request)

    with Server(away).client() as client, pytest.raises(UnavailableError, match="is it running"):
        client.ask("who?")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"url": "127.0.0.1:8765"}, "url: '127.0.0.1:8765' must be an address that begins with `http://`"),
        ({"url": "localhost:8765"}, "url: 'localhost:8765' must be an address"),
        ({"url": "http://[::1"}, "url: 'http://[::1' must be an address"),
        ({"url": "http://:8765"}, "url: 'http://:8765' must be an address"),
        ({"api_key": "schlüssel"}, "api_key: keys have only printable ASCII characters; copy it again."),
        ({"api_key": "ik_1\nsecret"}, "api_key: keys have only"),
        ({"tenant": "Ünïcode"}, "tenant: 'Ünïcode' must be 1 to 48 lower-case letters"),
    ],
)
def test_what_cannot_be_an_address_a_key_or_a_tenant_is_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        Interlace(**{"url": "http://api.test", **given})  # type: ignore[arg-type]
    assert refused.value.message.startswith(sentence)


def test_a_key_that_was_copied_with_its_line_end_is_the_key() -> None:
    server = Server(lambda _: httpx.Response(200, json={"hits": []}))
    with server.client(api_key="secret\n") as client:
        client.ask("who?")
    assert server.requests[0].headers["Authorization"] == "Bearer secret"


@pytest.mark.parametrize(("key", "sentence"), [("", "give the client its `api_key`"), ("old", "The key is wrong.")])
def test_who_gave_no_key_reads_how_to_give_one(key: str, sentence: str) -> None:
    server = Server(lambda _: httpx.Response(401, json={"detail": "The key is wrong."}))
    with server.client(api_key=key) as client, pytest.raises(ForbiddenError, match=sentence):
        client.ask("who?")


def test_a_number_of_tokens_is_a_budget() -> None:
    server = Server(lambda _: httpx.Response(200, json={"hits": []}))
    with server.client() as client:
        client.ask("who?", pack=300)
        client.ask("who?", pack={"budget": 200, "mmr": 0.5})
        client.ask("who?")
    sent = [json.loads(request.content)["pack"] for request in server.requests]
    assert sent == [{"budget": 300}, {"budget": 200, "mmr": 0.5}, None]


def test_a_document_without_a_title_has_none() -> None:
    rows = [{"id": "1", "title": "Mills", "version": 1}, {"id": "2", "title": None, "version": None}]
    server = Server(lambda _: httpx.Response(200, json={"items": rows, "next_cursor": None}))
    with server.client() as client:
        found = client.documents()
    assert list(found.title) == ["Mills", None]
    assert found.version.dtype == float


@pytest.mark.parametrize("truncated", [True, False])
def test_rows_of_a_statement_say_whether_more_follow(*, truncated: bool) -> None:
    stream = encoded(Table(("n",), [[1], [2]], truncated=truncated), ARROW)[0]
    headers = {"X-Interlace-Truncated": str(truncated).lower()}
    with Server(lambda _: httpx.Response(200, content=stream, headers=headers)).client() as client:
        found = client.cypher("RETURN 1 AS n")
    assert (list(found.n), found.attrs) == ([1, 2], {"truncated": truncated})


@pytest.mark.parametrize("identity", ["", ".", ".."])
def test_an_empty_id_names_nothing(identity: str) -> None:
    server = Server(lambda _: httpx.Response(200, json={}))
    with server.client() as client:
        calls: list[Callable[[str], Any]] = [
            client.community,
            client.decisions.undo,
            client.ingestion.job,
            client.tenants.state,
            client.links.metadata,
        ]
        for call in calls:
            with pytest.raises(NotFoundError, match=f"^There is no [a-z]+ '{identity}'"):
                call(identity)
    assert server.requests == []


def test_an_id_is_one_part_of_the_path() -> None:
    server = Server(lambda _: httpx.Response(200, json={}))
    with server.client() as client:
        client.community("a?b=c/d", members=3)
    assert server.requests[0].url.raw_path == b"/v1/communities/a%3Fb%3Dc%2Fd?members=3"


def test_a_stem_is_one_part_of_the_path() -> None:
    server = Server(lambda _: httpx.Response(200, json={"schema": "of another version"}))
    with server.client() as client, pytest.raises(ValidationError):
        client.links.neighbors("notes/a b?.md", direction="in", hops=2)
    (request,) = server.requests
    assert request.url.raw_path == b"/v1/linkgraph/notes%2Fa%20b%3F.md/neighbors?direction=in&hops=2"


def test_a_rate_limit_says_how_long_to_wait() -> None:
    answers = iter([{"Retry-After": "59"}, {}])
    server = Server(lambda _: httpx.Response(429, json={"detail": "Wait 59 s."}, headers=next(answers)))
    with Interlace("http://api", transport=httpx.MockTransport(server)) as client:
        for seconds in (59.0, None):
            with pytest.raises(RateLimitedError, match="Wait 59 s") as refused:
                client.query("Who?")
            assert refused.value.retry_after == seconds
