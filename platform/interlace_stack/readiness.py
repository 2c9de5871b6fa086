"""Probes: each server must accept the stack's credentials and answer, because an open port is not enough."""

import errno
import socket
from collections.abc import Callable

import httpx

from interlace.domain.errors import StackError
from interlace.queries.database import database_states, ping, server_versions
from interlace_stack.neo4j_http import Neo4jHttp, NotReadyError
from interlace_stack.processes import listens
from interlace_stack.state import StackState

Probe = Callable[[int], None]
"""Called with the id of the process; raises ``NotReadyError``."""
_TIMEOUT = 3.0
# Magic number, then four proposals of a protocol version; the server answers with the four bytes of the version that it chooses.
_BOLT_HANDSHAKE = bytes.fromhex("6060b017 00040405 00000404 00000003 00000000")
_BOLT_ANSWER_BYTES = 4
_FULL = "No space left on device"
_MAX_REASON_CHARACTERS = 300


def probe_neo4j(state: StackState) -> None:
    """Log in, run a minimal query, and shake hands on the Bolt port.

    The query is needed: a database that has panicked still begins and commits empty transactions.

    Raises:
        NotReadyError: one of these failed.
    """
    ping(Neo4jHttp(state))
    answer = _exchange(state.bolt_port, _BOLT_HANDSHAKE, size=_BOLT_ANSWER_BYTES)
    if len(answer) != _BOLT_ANSWER_BYTES or answer == bytes(_BOLT_ANSWER_BYTES):
        raise NotReadyError(f"port {state.bolt_port} does not speak Bolt")


def probe_redis(state: StackState) -> None:
    """Authenticate and ping.

    Raises:
        NotReadyError: the answer is not a pong.
    """
    commands = f"AUTH {state.redis_password}\r\nPING\r\nQUIT\r\n"
    answer = _exchange(state.redis_port, commands.encode())
    if b"+PONG\r\n" not in answer:
        raise NotReadyError(f"Redis answered {answer.decode(errors='replace').strip() or 'nothing'}")


def probe_qdrant(state: StackState) -> None:
    """Ask Qdrant whether it is ready and, with the stack's key, for a collection.

    Raises:
        NotReadyError: it is not ready, or refuses the key.
    """
    _get(f"{state.qdrant_url}/readyz")
    _get(f"{state.qdrant_url}/collections/any/exists", {"api-key": state.qdrant_api_key})


def probe_api(host: str, port: int, pid: int | None) -> None:
    """Ask the HTTP API whether it is ready; the API of another stack may answer at its address.

    Args:
        host: where it listens.
        port: where it listens.
        pid: of this stack's API; None where the stack has none, and any will do.

    Raises:
        NotReadyError: it is not.
        StackError: another program answers.
    """
    _get(f"{api_url(host, port)}/readyz")
    if pid is not None and not listens(pid, port):
        raise StackError(
            f"Port {port} is answered by another program, not by the api of this stack; set INTERLACE_API__PORT to a free port."
        )


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
    (versions,) = server_versions(Neo4jHttp(state))
    return versions.neo4j, versions.gds


def neo4j_failure(state: StackState) -> str:
    """Return why Neo4j refuses all work although it runs and answers; empty if it works, or does not answer.

    The system database lists databases that panicked, did not start, or became read-only because the next log found no disk space. All of
    these last until the server is restarted: Community Edition cannot start or stop a single database.
    """
    try:
        databases = database_states(Neo4jHttp(state, "system"))
    except NotReadyError:
        return ""
    for each in databases:
        if (each.status, each.message, each.access) != ("online", "", "read-write"):
            # The message names every index that could not be written, which makes it very long.
            reason = _FULL if _FULL in each.message else each.message[:_MAX_REASON_CHARACTERS] or "no reason is given"
            return f"Its database {each.name} is {each.status} and {each.access}: {reason}."
    return ""


def port_is_free(port: int) -> bool:
    """Return whether no program listens on this loopback port.

    Raises:
        StackError: nothing of this user may listen on it, for example because it is below 1024.
    """
    with socket.socket() as probe:
        # As servers do: otherwise a recently closed connection would make the port look taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise StackError(
                f"Port {port} cannot be used: {error.strerror}. Give another, such as one above 1023."
            ) from None
    return True


def _get(url: str, headers: dict[str, str] | None = None) -> httpx.Response:
    try:
        # Loopback is never behind a proxy from the environment.
        with httpx.Client(timeout=_TIMEOUT, trust_env=False) as client:
            return client.get(url, headers=headers).raise_for_status()
    except httpx.HTTPError as error:
        raise NotReadyError(f"{url}: {error}") from None


def _exchange(port: int, message: bytes, *, size: int | None = None) -> bytes:
    """Send a message and return the answer: ``size`` bytes of it, or all until the server closes the connection."""
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT) as connection:
            connection.sendall(message)
            while (size is None or len(answer) < size) and (part := connection.recv(1024)):
                answer += part
    except OSError as error:
        raise NotReadyError(f"port {port}: {error}") from None
    return answer
