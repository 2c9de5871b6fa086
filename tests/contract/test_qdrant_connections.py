"""Connections to Qdrant: calls on loopback share them, as calls to any other host do."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from interlace.adapters.qdrant.index import QdrantVectorIndex
from interlace.settings import QdrantSettings

ANSWER = b'{"result": {"exists": false}, "status": "ok", "time": 0.0}'


class CountingServer(ThreadingHTTPServer):
    """Answers any GET as Qdrant answers whether a collection exists; counts connections."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.connections = 0

    def verify_request(self, request: object, client_address: object) -> bool:  # noqa: ARG002 - the base class's signature
        self.connections += 1
        return True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

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
