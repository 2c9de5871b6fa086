"""A thousand clients that never finish their requests do not keep the next one from an answer, and lose their connections."""

import socket
from contextlib import ExitStack

import httpx
import pytest

from interlace.api import guards

SLOW_CLIENTS = 1000
HALF_A_HEAD = b"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
NO_BODY = (
    b"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"
)


def connected(port: int, stack: ExitStack, sent: bytes) -> socket.socket:
    opened = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    opened.sendall(sent)
    return opened


def test_a_thousand_slow_clients_do_not_keep_the_next_from_an_answer(port: int) -> None:
    with ExitStack() as stack:
        slow = [connected(port, stack, HALF_A_HEAD if at % 2 else NO_BODY) for at in range(SLOW_CLIENTS)]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            # The page is served by a thread, as every question is.
            assert [client.get(path).status_code for path in ("/", "/livez") * 5] == [200] * 10
        # Whoever never ends the head of a request is cut off.
        assert all(_is_cut(each) for each in slow[1::2])


def _is_cut(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


def test_a_request_that_comes_in_time_is_answered_on_a_connection_that_stays(port: int) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        for _ in range(3):
            assert client.get("/livez").status_code == 200


def test_a_body_that_stops_is_refused(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.2)
    with ExitStack() as stack:
        answer = connected(port, stack, NO_BODY).recv(10_000)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"/problems/request-timeout" in answer
