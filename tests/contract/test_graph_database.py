"""What every implementation of the port ``GraphDatabase`` promises."""

import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import neo4j
import pytest
from neo4j._sync.work.session import Session
from tests.support.queries import query_of

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.domain.errors import ForbiddenError, QueryRefusedError
from interlace.domain.reader import reading
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.settings import Settings

pytestmark = pytest.mark.stack


COUNT = query_of("MATCH (n:ContractTest {id: $id}) RETURN count(n) AS n", id="STRING")
CREATE = query_of("CREATE (:ContractTest {id: $id})", "write", id="STRING")
REMOVE = query_of("MATCH (n:ContractTest {id: $id}) DETACH DELETE n", "write", id="STRING")
LOCK = query_of(
    "MATCH (n:ContractTest {id: $id, part: $part}) SET n.locked = true", "write", id="STRING", part="INTEGER"
)


@pytest.fixture(params=[Neo4jDatabase])
def database(request: pytest.FixtureRequest, stack: Settings) -> Iterator[GraphDatabase]:
    opened: GraphDatabase = request.param(stack.neo4j)
    yield opened
    opened.close()


@pytest.fixture
def mark(database: GraphDatabase) -> Iterator[str]:
    """Return an id that no other test uses; its nodes are removed afterwards."""
    name = uuid.uuid4().hex
    yield name
    database.run(REMOVE, id=name)


FILTERED = replace(query_of("RETURN $groups AS groups"), reader="filtered")


def test_a_filtered_query_gets_the_groups_of_the_reader(database: GraphDatabase) -> None:
    assert database.run(FILTERED) == [{"groups": None}]
    with reading(lambda: ["red", "blue"]):
        assert database.run(FILTERED) == [{"groups": ["red", "blue"]}]
        assert database.transact(lambda tx: tx.run(FILTERED)) == [{"groups": ["red", "blue"]}]
    assert database.run(FILTERED) == [{"groups": None}]


def test_callers_cannot_name_the_groups(database: GraphDatabase) -> None:
    with pytest.raises(ValueError, match="groups"):
        database.run(FILTERED, groups=["any"])


def test_a_reader_kept_to_groups_runs_nothing_else(database: GraphDatabase, mark: str) -> None:
    with reading(list):
        for query in (COUNT, CREATE):
            with pytest.raises(ForbiddenError, match="groups of readers"):
                database.run(query, id=mark)
        with pytest.raises(ForbiddenError):
            database.transact(lambda tx: tx.run(COUNT, id=mark))
        assert database.run(replace(query_of("RETURN 1 AS one"), reader="anyone")) == [{"one": 1}]


def _count(database: GraphDatabase, mark: str) -> int:
    return int(database.run(COUNT, id=mark)[0]["n"])


def test_rows_hold_plain_python_values(database: GraphDatabase) -> None:
    text = (
        "RETURN 'text' AS text, 7 AS whole, 0.5 AS part, true AS yes, null AS nothing, [1, [2]] AS list, {a: {b: [1]}} AS map, "
        "datetime('2024-05-06T07:08:09.123456Z') AS at, date('2024-05-06') AS day, duration('P1M2DT3S') AS span, "
        "[datetime('2024-05-06T07:08:09Z')] AS times"
    )
    (row,) = database.run(query_of(text))
    assert row == {
        "text": "text",
        "whole": 7,
        "part": 0.5,
        "yes": True,
        "nothing": None,
        "list": [1, [2]],
        "map": {"a": {"b": [1]}},
        "at": datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC),
        "day": date(2024, 5, 6),
        "span": "P1M2DT3S",
        "times": [datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)],
    }
    assert {type(row["at"]), type(row["times"][0])} == {datetime}
    assert type(row["day"]) is date


def test_nodes_and_relationships_become_their_properties(database: GraphDatabase, mark: str) -> None:
    made = query_of(
        "CREATE (n:ContractTest {id: $id})-[r:TO {weight: 2}]->(:ContractTest {id: $id}) RETURN n, r",
        "write",
        id="STRING",
    )
    assert database.run(made, id=mark) == [{"n": {"id": mark}, "r": {"weight": 2}}]


def test_values_go_in_as_they_come_out(database: GraphDatabase) -> None:
    sent = {"at": datetime(2024, 5, 6, tzinfo=UTC), "rows": [{"a": [1, 2.5, None, "x"], "b": {"c": False}}]}
    assert database.run(query_of("RETURN $value AS value", value="MAP"), value=sent) == [{"value": sent}]


def test_a_read_cannot_write(database: GraphDatabase, mark: str) -> None:
    disguised = query_of("CREATE (:ContractTest {id: $id})", "read", id="STRING")
    with pytest.raises(QueryRefusedError, match="test/query"):
        database.run(disguised, id=mark)
    assert _count(database, mark) == 0


def test_the_mode_of_a_query_decides_its_transaction(database: GraphDatabase, mark: str) -> None:
    """A read is refused by the server if it writes (see above); a write is committed."""
    database.run(CREATE, id=mark)
    assert _count(database, mark) == 1


@pytest.mark.parametrize("params", [{}, {"ids": "x"}, {"id": "x", "more": 1}, {"id": "x", "routing_": "r"}])
def test_only_declared_parameters_are_taken(database: GraphDatabase, params: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="parameters"):
        database.run(COUNT, **params)
    with pytest.raises(ValueError, match="parameters"):
        database.run(CREATE, **params)
    with pytest.raises(ValueError, match="parameters"):
        database.transact(lambda transaction: transaction.run(CREATE, **params))


def test_a_transaction_is_all_or_nothing(database: GraphDatabase, mark: str) -> None:
    def half(transaction: Transaction) -> None:
        transaction.run(CREATE, id=mark)
        assert transaction.run(COUNT, id=mark) == [{"n": 1}]
        raise RuntimeError("stop here")

    with pytest.raises(RuntimeError, match="stop here"):
        database.transact(half)
    assert _count(database, mark) == 0


def test_a_transaction_returns_what_its_work_returns(database: GraphDatabase, mark: str) -> None:
    def work(transaction: Transaction) -> str:
        transaction.run(CREATE, id=mark)
        return "done"

    assert database.transact(work) == "done"
    assert _count(database, mark) == 1


@pytest.fixture
def taker(database: Neo4jDatabase, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[neo4j.Session]]:
    """Begin a transaction on the connection of each that fails, as soon as the driver has returned it to its pool."""
    session_error, taken = Session._transaction_error_handler, []

    def release_and_take(self: Session, error: Exception) -> None:
        session_error(self, error)  # type: ignore[no-untyped-call]
        taken.append(database._driver.session())
        taken[-1].begin_transaction()

    monkeypatch.setattr(Session, "_transaction_error_handler", release_and_take)
    yield taken
    for session in taken:
        session.close()


@pytest.mark.parametrize("taken_at_once", [False, True], ids=["", "their connections taken at once"])
def test_deadlocked_transactions_are_run_again(
    database: GraphDatabase, mark: str, taken_at_once: bool, request: pytest.FixtureRequest
) -> None:
    taken = request.getfixturevalue("taker") if taken_at_once else None
    database.run(
        query_of("UNWIND [0, 1] AS part CREATE (:ContractTest {id: $id, part: part})", "write", id="STRING"), id=mark
    )
    both_hold_one = threading.Barrier(2)
    attempts = [0, 0]

    def cross(first: int) -> None:
        def work(transaction: Transaction) -> None:
            attempts[first] += 1
            transaction.run(LOCK, id=mark, part=first)
            if attempts[first] == 1:
                both_hold_one.wait(240)
            transaction.run(LOCK, id=mark, part=1 - first)

        database.transact(work)

    threads = [threading.Thread(target=cross, args=(first,)) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    assert not any(thread.is_alive() for thread in threads)
    assert sum(attempts) > 2
    assert taken is None or len(taken) == sum(attempts) - 2


def test_a_wrong_query_is_refused_at_once(database: GraphDatabase) -> None:
    attempts = []

    def work(transaction: Transaction) -> None:
        attempts.append(1)
        transaction.run(query_of("RETURN nonsense"))

    with pytest.raises(QueryRefusedError, match="nonsense"):
        database.transact(work)
    assert len(attempts) == 1


def test_the_server_ends_a_read_that_takes_too_long(database: GraphDatabase) -> None:
    endless = query_of("UNWIND range(1, 1000000000000) AS x WITH x WHERE x < 0 RETURN count(x) AS n")
    database.ping()  # the limit is for reaching the server, too, and a first connection may take longer
    with pytest.raises(QueryRefusedError, match="ran out of the time"):
        database.run(endless, timeout=0.5)


def test_a_query_that_eats_the_memory_is_not_repeated(database: GraphDatabase) -> None:
    refusals = []

    def work(transaction: Transaction) -> None:
        try:
            transaction.run(query_of("UNWIND range(1, 1000000000) AS x RETURN collect(toString(x)) AS all"))
        except Exception as error:
            # A server that collects its garbage may be silent for so long that the connection counts as lost, which is repeated.
            if "memory" in str(error).lower():
                refusals.append(error)
            raise

    with pytest.raises(QueryRefusedError, match="ran out of the memory"):
        database.transact(work)
    assert len(refusals) == 1


def test_ping_measures_a_round_trip(database: GraphDatabase) -> None:
    assert 0 < database.ping() < 60


def test_a_path_is_no_plain_value(database: GraphDatabase, mark: str) -> None:
    made = query_of(
        "CREATE p = (:ContractTest {id: $id})-[:TO]->(:ContractTest {id: $id}) RETURN p", "write", id="STRING"
    )
    with pytest.raises(TypeError, match="returned a path"):
        database.run(made, id=mark)
    assert _count(database, mark) == 0


RENUMBER = query_of(
    "MATCH (first:ContractTest {id: $id, part: 0}) SET first.number = $number WITH first MATCH (n:ContractTest {id: $id}) "
    "WHERE n.part > 0 SET n.number = $number, n.filler = $filler",
    "write",
    id="STRING",
    number="INTEGER",
    filler="STRING",
)
NUMBER = query_of("MATCH (n:ContractTest {id: $id, part: 0}) RETURN n.number AS number", id="STRING")
OLDEST = query_of("MATCH (n:ContractTest {id: $id}) RETURN min(n.number) AS number", id="STRING")
PARTS = query_of(
    "UNWIND range(0, 400) AS part CREATE (:ContractTest {id: $id, part: part, number: 0, filler: ''})",
    "write",
    id="STRING",
)


def test_what_was_seen_in_part_is_whole_after_the_wait(database: GraphDatabase, mark: str) -> None:
    """Without the wait about one read in 150 saw a new number on one node and an old one on another."""
    database.run(PARTS, id=mark)
    written = threading.Event()

    def write() -> None:
        for number in range(1, 101):
            database.run(RENUMBER, id=mark, number=number, filler="x" * (200 * (number % 3)))
        written.set()

    def read() -> list[tuple[int, int]]:
        torn = []
        while not written.is_set():
            seen = database.run(NUMBER, id=mark)[0]["number"]
            database.wait_for_commits()
            oldest = database.run(OLDEST, id=mark)[0]["number"]
            if oldest < seen:
                torn.append((seen, oldest))
        return torn

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        pool.submit(write).result(timeout=120)
        assert [torn for reader in readers for torn in reader.result(timeout=20)] == []
