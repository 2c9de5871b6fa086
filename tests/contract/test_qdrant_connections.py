"""Connections to Qdrant: calls on loopback share them, as calls to any other host do, and searches go the way of all calls."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.domain.errors import QueryRefusedError, UnavailableError
from interlace.ports.vectors import ScoredPoint
from interlace.settings import QdrantSettings

ANSWER = b'{"result": {"exists": false}, "status": "ok", "time": 0.0}'
FOUND = b'{"result": {"points": [{"id": "a", "version": 1, "score": 0.5}]}, "status": "ok", "time": 0.0}'


class CountingServer(ThreadingHTTPServer):
    """Answers any GET as Qdrant answers whether a collection exists, and any POST as a search; counts connections.

    Searches are answered with ``status`` and ``found``; the next ``hang_ups`` close their connection instead.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.connections = 0
        self.paths: list[str] = []
        self.status = 200
        self.found = FOUND
        self.hang_ups = 0

    def verify_request(self, request: object, client_address: object) -> bool:  # noqa: ARG002 - the base class's signature
        self.connections += 1
        return True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    server: CountingServer

    def do_GET(self) -> None:
        self._answer(200, ANSWER)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.paths.append(self.path)
        if self.server.hang_ups:
            self.server.hang_ups -= 1
            self.close_connection = True
        else:
            self._answer(self.server.status, self.server.found)

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[CountingServer]:
    with CountingServer() as made:
        thread = Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def test_calls_on_loopback_share_a_connection(server: CountingServer) -> None:
    index = QdrantVectorIndex(QdrantSettings(url=f"http://127.0.0.1:{server.server_port}"))
    for _ in range(3):
        index.ping()
    index.close()
    assert server.connections == 1


def search(url: str) -> list[ScoredPoint]:
    index = QdrantVectorIndex(QdrantSettings(url=url))
    try:
        return [index.search("t", "chunks", np.ones(2, np.float32), using="m", limit=1, timeout=3) for _ in range(3)][
            -1
        ]
    finally:
        index.close()


def test_searches_share_a_connection_and_keep_a_path(server: CountingServer) -> None:
    assert search(f"http://127.0.0.1:{server.server_port}/behind/") == [ScoredPoint("a", 0.5)]
    assert server.connections == 1
    assert set(server.paths) == {"/behind/collections/interlace-t-chunks/points/query?timeout=3"}


def test_searches_go_through_a_proxy_too(server: CountingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("NO_PROXY", "")
    assert search("http://qdrant.invalid") == [ScoredPoint("a", 0.5)]
    assert set(server.paths) == {"http://qdrant.invalid:6333/collections/interlace-t-chunks/points/query?timeout=3"}


@pytest.mark.parametrize("answer", [b"<html>", b"{}", b'{"result": {"points": [{"id": "a", "score": null}]}}'])
def test_what_is_not_qdrant_is_said_to_be_none(server: CountingServer, answer: bytes) -> None:
    server.found = answer
    with pytest.raises(UnavailableError, match="is not Qdrant"):
        search(f"http://127.0.0.1:{server.server_port}")


def test_a_search_that_gets_no_answer_says_so(server: CountingServer) -> None:
    server.hang_ups = 1
    with pytest.raises(UnavailableError, match="did not answer within 3 s"):
        search(f"http://127.0.0.1:{server.server_port}")


@pytest.mark.parametrize(
    ("status", "error"), [(429, UnavailableError), (503, UnavailableError), (400, QueryRefusedError)]
)
def test_a_refused_search_says_with_what_status(server: CountingServer, status: int, error: type[Exception]) -> None:
    server.status = status
    with pytest.raises(error, match=str(status)):
        search(f"http://127.0.0.1:{server.server_port}")
