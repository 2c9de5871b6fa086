"""Asks each server whether it is really ready: it must take our credentials and answer, an open port is not enough."""

import socket
from collections.abc import Callable
from typing import Any

import httpx

from interlace.cypher_files import query
from interlace_stack.state import StackState

Probe = Callable[[], None]
_TIMEOUT = 3.0
# A query after the start compiles half of Neo4j.
_QUERY_TIMEOUT = 30.0
# Magic number, then four proposals of a protocol version; the server answers with the four bytes of the one it takes.
_BOLT_HANDSHAKE = bytes.fromhex("6060b017 00040405 00000404 00000003 00000000")
_BOLT_ANSWER_BYTES = 4
_FULL = "No space left on device"
_LONGEST_REASON = 300


class NotReadyError(Exception):
    """The server does not answer as it should, or not yet; the message says what it did instead."""


def probe_neo4j(state: StackState) -> None:
    """Log in, have the shortest of questions answered, and shake hands on the Bolt port.

    A database that has given up still begins and commits empty transactions.

    Raises:
        NotReadyError: one of these failed.
    """
    _neo4j_commit(state, [query("database/ping").text], _QUERY_TIMEOUT)
    answer = _exchange(state.bolt_port, _BOLT_HANDSHAKE, size=_BOLT_ANSWER_BYTES)
    if len(answer) != _BOLT_ANSWER_BYTES or answer == bytes(_BOLT_ANSWER_BYTES):
        raise NotReadyError(f"port {state.bolt_port} does not speak Bolt")


def probe_redis(state: StackState) -> None:
    """Authenticate and ping.

    Raises:
        NotReadyError: the answer is not a pong.
    """
    words = f"AUTH {state.redis_password}\r\nPING\r\nQUIT\r\n"
    answer = _exchange(state.redis_port, words.encode())
    if b"+PONG\r\n" not in answer:
        raise NotReadyError(f"Redis answered {answer.decode(errors='replace').strip() or 'nothing'}")


def probe_qdrant(state: StackState) -> None:
    """Ask Qdrant whether it is ready and, with our key, for a collection.

    Raises:
        NotReadyError: it is not ready, or does not take the key.
    """
    _get(f"{state.qdrant_url}/readyz")
    _get(f"{state.qdrant_url}/collections/any/exists", {"api-key": state.qdrant_api_key})


def probe_api(host: str, port: int) -> None:
    """Ask the HTTP API whether it is ready.

    Raises:
        NotReadyError: it is not.
    """
    _get(f"{api_url(host, port)}/readyz")


def api_url(host: str, port: int) -> str:
    """Return the address at which this machine reaches the API, also if it listens on all addresses."""
    reachable = "127.0.0.1" if host in {"0.0.0.0", "::", "localhost"} else host  # noqa: S104 - compared, not bound
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def qdrant_version(state: StackState) -> str:
    """Return the version that Qdrant reports.

    Raises:
        NotReadyError: it does not answer.
    """
    return str(_get(state.qdrant_url, {"api-key": state.qdrant_api_key}).json().get("version", "unknown"))


def neo4j_versions(state: StackState) -> tuple[str, str]:
    """Return the versions of Neo4j and of Graph Data Science.

    Raises:
        NotReadyError: Neo4j does not answer, or has no Graph Data Science.
    """
    (result,) = _neo4j_commit(state, [query("database/server_versions").text], _QUERY_TIMEOUT)
    neo4j, gds = result["data"][0]["row"]
    return str(neo4j), str(gds)


def why_neo4j_gave_up(state: StackState) -> str:
    """Return why Neo4j, though it runs and answers, takes no work until it is started anew: nothing if it does, or does not answer.

    Of a database that panicked, or did not start, or went over to reading only because the next log found no room, the system
    database tells; Community Edition cannot start or stop a single one.
    """
    try:
        (result,) = _neo4j_commit(state, [query("database/database_states").text], _QUERY_TIMEOUT, database="system")
    except NotReadyError:
        return ""
    for database in result["data"]:
        name, status, message, access = database["row"]
        if (status, message, access) != ("online", "", "read-write"):
            # Each index that could not be written is named, at great length.
            why = _FULL if _FULL in message else message[:_LONGEST_REASON] or "it does not say why"
            return f"Its database {name} is {status} and {access}: {why}."
    return ""


def port_is_free(port: int) -> bool:
    """Tell whether a server could listen on this loopback port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _neo4j_commit(
    state: StackState, statements: list[str], timeout: float, *, database: str = "neo4j"
) -> list[dict[str, Any]]:
    body = {"statements": [{"statement": statement} for statement in statements]}
    try:
        with _client(timeout) as client:
            answer = client.post(
                f"{state.http_url}/db/{database}/tx/commit", json=body, auth=("neo4j", state.neo4j_password)
            )
            content = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise NotReadyError(f"Neo4j: {error}") from None
    if content.get("errors"):
        raise NotReadyError(f"Neo4j: {content['errors'][0].get('message')}")
    return list(content.get("results", []))


def _get(url: str, headers: dict[str, str] | None = None) -> httpx.Response:
    try:
        with _client() as client:
            return client.get(url, headers=headers).raise_for_status()
    except httpx.HTTPError as error:
        raise NotReadyError(f"{url}: {error}") from None


def _client(timeout: float = _TIMEOUT) -> httpx.Client:
    # Loopback is never behind the proxy that the environment may name.
    return httpx.Client(timeout=timeout, trust_env=False)


def _exchange(port: int, message: bytes, *, size: int | None = None) -> bytes:
    """Send a message and return the answer: ``size`` bytes of it, or all until the server hangs up."""
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT) as connection:
            connection.sendall(message)
            while (size is None or len(answer) < size) and (part := connection.recv(1024)):
                answer += part
    except OSError as error:
        raise NotReadyError(f"port {port}: {error}") from None
    return answer
