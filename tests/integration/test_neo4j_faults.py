"""What the adapter says and does when Neo4j is away, unwilling, or cut off at the worst moment."""

import random
import socket
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr
from tests.support.clock import Clock
from tests.support.queries import query_of
from tests.support.tcp_proxy import TcpProxy

from interlace.adapters.neo4j import connection
from interlace.adapters.neo4j import database as database_module
from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.cli.doctor.servers import examine_servers
from interlace.domain.errors import RefusedSettingsError, SettingsError, UnavailableError
from interlace.ports.graph import Row, Transaction
from interlace.settings import Neo4jSettings, Settings
from interlace_stack.doctor import Finding
from interlace_stack.layout import layout_of
from interlace_stack.neo4j_http import RefusedPasswordError
from interlace_stack.readiness import probe_neo4j
from interlace_stack.state import read_state

pytestmark = pytest.mark.stack

_COMMIT = bytes.fromhex(
    "0002b0120000"
)  # Bolt: a chunk of two bytes, the structure COMMIT without fields, end of message


class CuttingProxy(TcpProxy):
    """Loses one answer to a COMMIT: it took effect, and the client never learns so."""

    cuts = 0
    _committing = False

    def _let_pass(self, data: bytes, *, answers: bool) -> bool:
        if not answers and _COMMIT in data and not self.cuts:
            self.cuts += 1
            self._committing = True
        elif answers and self._committing:
            self._committing = False
            return False
        return super()._let_pass(data, answers=answers)


@pytest.fixture
def proxy(stack: Settings) -> Iterator[CuttingProxy]:
    address = urlsplit(stack.neo4j.uri)
    with CuttingProxy((address.hostname or "127.0.0.1", address.port or 7687), random.Random(0)) as started:
        yield started


COUNT_RUN = query_of(
    "MERGE (n:FaultTest {id: $id}) SET n.runs = coalesce(n.runs, 0) + 1 RETURN n.runs AS runs", "write", id="STRING"
)
REMOVE = query_of("MATCH (n:FaultTest {id: $id}) DELETE n", "write", id="STRING")


READ_SLOWLY = replace(
    query_of(
        """
        MATCH (n:FaultTest)
        WHERE n.id STARTS WITH $mark
        WITH collect(n) AS found
        CALL () {
          UNWIND range(1, 10000000) AS number
          RETURN count(number % 7) AS counted
        }
        UNWIND found AS n
        RETURN n.id AS id, n.runs AS runs
        """,
        mark="STRING",
    ),
    returns="id STRING, runs INTEGER?",
    required=frozenset({"id"}),
)


def test_what_is_deleted_while_a_query_reads_it_is_no_row(stack: Settings) -> None:
    """Between finding a node and reading it a query of Neo4j may lose it to another transaction, and then reads nulls."""
    mark = uuid.uuid4().hex
    with closing(Neo4jDatabase(stack.neo4j)) as database, ThreadPoolExecutor(1) as reader:
        for number in range(3):
            database.run(COUNT_RUN, id=f"{mark}-{number}")
        database.run(READ_SLOWLY, mark=mark)  # plans it
        read = reader.submit(database.run, READ_SLOWLY, mark=mark)
        time.sleep(0.3)
        database.run(REMOVE, id=f"{mark}-1")
        assert not read.done(), "it was read before the node was deleted"
        rows = read.result()
        database.run(REMOVE, id=f"{mark}-0")
        database.run(REMOVE, id=f"{mark}-2")
    assert sorted(row["id"] for row in rows) == [f"{mark}-0", f"{mark}-2"]


def test_a_write_is_run_again_when_the_answer_to_its_commit_is_lost(stack: Settings, proxy: CuttingProxy) -> None:
    mark = uuid.uuid4().hex
    settings = stack.neo4j.model_copy(update={"uri": f"bolt://127.0.0.1:{proxy.port}"})
    with closing(Neo4jDatabase(settings)) as database:
        assert database.run(COUNT_RUN, id=mark) == [{"runs": 2}]
        assert proxy.cuts == 1
        database.run(REMOVE, id=mark)


def test_a_transaction_that_takes_longer_than_retries_may_is_run_again_as_well(
    stack: Settings, proxy: CuttingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, mark = Clock(), uuid.uuid4().hex
    monkeypatch.setattr(database_module, "time", SimpleNamespace(monotonic=clock, sleep=lambda _: None))
    retries = {"uri": f"bolt://127.0.0.1:{proxy.port}", "retry_seconds": 2}

    def slow(transaction: Transaction) -> list[Row]:
        clock.now += 2.5
        return transaction.run(COUNT_RUN, id=mark)

    with closing(Neo4jDatabase(stack.neo4j.model_copy(update=retries))) as database:
        assert database.transact(slow) == [{"runs": 2}]
        assert proxy.cuts == 1
        database.run(REMOVE, id=mark)


def _settings(uri: str) -> Neo4jSettings:
    return Neo4jSettings.model_validate({"uri": uri, "retry_seconds": 0})


def test_a_server_that_is_down_is_named_with_a_remedy(free_port: int) -> None:
    settings = _settings(f"bolt://127.0.0.1:{free_port}")
    with closing(Neo4jDatabase(settings)) as database, pytest.raises(UnavailableError) as caught:
        database.ping()
    assert settings.uri in caught.value.message
    assert "is it running? `interlace doctor` checks." in caught.value.message


def test_a_read_with_a_timeout_gives_up_on_a_silent_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings = _settings(f"bolt://127.0.0.1:{silent.getsockname()[1]}")
        with closing(Neo4jDatabase(settings)) as database, pytest.raises(UnavailableError, match="did not answer"):
            database.run(query_of("RETURN 1 AS n"), timeout=0.5)


def test_a_read_waits_for_a_server_that_hangs_no_longer_than_its_limit(
    free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It accepts connections for ever and answers none; each try must end early enough for the whole to end in time."""
    with socket.create_server(("127.0.0.1", free_port)):
        monkeypatch.setattr(connection, "CONNECT_SECONDS", 60)
        monkeypatch.setattr(connection, "READ_SECONDS", 0.5)
        settings = _settings(f"bolt://127.0.0.1:{free_port}").model_copy(update={"retry_seconds": 60})
        with closing(Neo4jDatabase(settings)) as database, ThreadPoolExecutor(1) as asking:
            answer = asking.submit(database.run, query_of("RETURN 1 AS n"))
            with pytest.raises(UnavailableError, match="did not answer"):
                answer.result(timeout=20)


def test_a_server_that_falls_silent_is_given_up(stack: Settings) -> None:
    """The local stack's server promises a sign of life; a driver that knows does not wait for ever on a known connection."""
    with closing(Neo4jDatabase(stack.neo4j)) as database:
        database.ping()
        (pooled,) = [each for group in database._driver._pool.connections.values() for each in group]
        assert pooled.connection_hints["connection.recv_timeout_seconds"] <= 5


def test_wrong_credentials_name_the_settings(stack: Settings) -> None:
    settings = stack.neo4j.model_copy(update={"user": "stranger", "password": SecretStr("not-the-password")})
    with closing(Neo4jDatabase(settings)) as database, pytest.raises(RefusedSettingsError) as caught:
        database.ping()
    assert "INTERLACE_NEO4J__USER and INTERLACE_NEO4J__PASSWORD" in caught.value.message
    assert "not-the-password" not in caught.value.message
    (found,) = examine_servers(stack.model_copy(update={"neo4j": settings}), [Finding("neo4j", "ok", "answers")])
    assert (found.check, found.level, found.remedy) == ("neo4j", "error", caught.value.message)


def test_the_stack_knows_a_refused_password_from_a_server_that_is_not_ready(stack: Settings) -> None:
    state = read_state(layout_of(stack))
    assert state
    with pytest.raises(RefusedPasswordError, match="Invalid credential"):
        probe_neo4j(replace(state, neo4j_password="not-the-password"))
    probe_neo4j(state)


def test_a_user_who_is_locked_after_wrong_passwords_is_no_refused_query(stack: Settings) -> None:
    """The server's other answer to a wrong password comes after some of them; documents are not at fault for it either."""
    name = f"u{uuid.uuid4().hex}"
    with closing(connection.open_driver(stack.neo4j)) as driver:
        driver.execute_query(
            f"CREATE USER {name} SET PASSWORD 'a-password-of-theirs' CHANGE NOT REQUIRED", database_="system"
        )
        settings = stack.neo4j.model_copy(update={"user": name, "password": SecretStr("not-the-password")})
        said = set()
        try:
            for _ in range(5):
                with closing(Neo4jDatabase(settings)) as database, pytest.raises(RefusedSettingsError) as caught:
                    database.ping()
                said.add(caught.value.message)
        finally:
            driver.execute_query(f"DROP USER {name}", database_="system")
    assert any("too many times" in sentence for sentence in said), said


def test_an_unknown_database_names_the_setting(stack: Settings) -> None:
    settings = stack.neo4j.model_copy(update={"database": "elsewhere"})
    with (
        closing(Neo4jDatabase(settings)) as database,
        pytest.raises(RefusedSettingsError, match="INTERLACE_NEO4J__DATABASE"),
    ):
        database.ping()


@pytest.mark.parametrize("uri", ["http://127.0.0.1:7474", "127.0.0.1:7687", "", "bolt://", "bolt://host:port"])
def test_an_address_of_no_known_form_is_refused(uri: str) -> None:
    with pytest.raises(SettingsError, match="INTERLACE_NEO4J__URI"):
        Neo4jDatabase(_settings(uri))
