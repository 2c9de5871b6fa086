"""Requests that two servers could read differently (request smuggling, RFC 9112 section 11.2), sent byte by byte over a socket."""

import re
import socket

import pytest

ONE = b"GET /livez HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1\r\n"
BODY = b"POST /v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HIDDEN = b"GET /openapi.json HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1\r\n\r\n"
REQUESTS = {
    "length and chunks": BODY + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunks and length": BODY + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + HIDDEN,
    "two lengths": BODY + b"Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello" + HIDDEN,
    "a list of lengths": BODY + b"Content-Length: 0, 5\r\n\r\nhello" + HIDDEN,
    "a signed length": BODY + b"Content-Length: +5\r\n\r\nhello" + HIDDEN,
    "a negative length": BODY + b"Content-Length: -5\r\n\r\nhello" + HIDDEN,
    "an endless length": BODY + b"Content-Length: 99999999999999999999\r\n\r\nhello" + HIDDEN,
    "an unknown coding": BODY + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunks that are not last": BODY + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunks of a sort": BODY + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "a chunk of no size": BODY + b"Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n" + HIDDEN,
    "a header that goes on": ONE + b"X-Interlace-Tenant: one\r\n two\r\n\r\n",
    "a first header that goes on": b"GET /livez HTTP/1.1\r\n Host: evil.example\r\nHost: 127.0.0.1\r\n\r\n",
    "a bare line feed": ONE + b"X-One: 1\nX-Interlace-Tenant: two\r\n\r\n",
    "line feeds alone": b"GET /livez HTTP/1.1\nHost: 127.0.0.1\n\n",
    "a bare carriage return": ONE + b"X-One: 1\rX-Interlace-Tenant: two\r\n\r\n",
    "a null": ONE + b"X-One: 1\x002\r\n\r\n",
    "two hosts": ONE + b"Host: evil.example\r\n\r\n",
    "two hosts alike": ONE + b"Host: 127.0.0.1\r\n\r\n",
    "no host": b"GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n",
    "another host in the target": b"GET http://evil.example/livez HTTP/1.1\r\nConnection: close\r\nHost: evil.example\r\n\r\n",
    "a name with a space": ONE + b"X One: 1\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}
STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")


def answered(port: int, sent: bytes) -> bytes:
    """Return all that a server sends until it closes the connection, which it does soon where nothing more comes."""
    got = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(sent)
        try:
            while part := connection.recv(65_536):
                got += part
        except ConnectionError:
            pass
    return got


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_request_that_could_be_read_in_two_ways_is_refused(port: int, kind: str) -> None:
    got = answered(port, REQUESTS[kind])
    assert [int(status) for status in STATUS.findall(got)] in ([400], []), (kind, got[:300])
    assert b"openapi" not in got, kind


def test_the_same_requests_are_answered_where_there_is_one_reading(port: int) -> None:
    assert STATUS.findall(answered(port, ONE + b"X-Interlace-Tenant: one\r\n\r\n")) == [b"200"]
    chunked = BODY + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    assert STATUS.findall(answered(port, chunked + HIDDEN)) == [b"422", b"200"]
