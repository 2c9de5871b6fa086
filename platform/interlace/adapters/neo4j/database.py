"""Neo4j behind the port ``GraphDatabase``: the only place that runs our queries.

Reads run in access mode READ, so the server itself refuses a query that writes; they are retried for ``connection.READ_SECONDS``,
because a caller may be waiting. Writes run in managed transactions, which the driver retries on transient faults for
``Neo4jSettings.retry_seconds``.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError, ResultFailedError

from interlace.adapters.neo4j import connection
from interlace.adapters.neo4j.connection import (
    behind,
    errors_as_ours,
    is_transient,
    open_driver,
    out_of_memory,
    translated,
)
from interlace.adapters.neo4j.known_plans import KnownPlans
from interlace.adapters.neo4j.migrations import MigrationState, info, migrate
from interlace.adapters.neo4j.values import plain
from interlace.cypher_files import query
from interlace.domain.errors import UnavailableError
from interlace.domain.reader import check_unrestricted, reader_groups
from interlace.ports.graph import Query, Row, Transaction
from interlace.settings import Neo4jSettings
from interlace.tracing import span

T = TypeVar("T")
_PING = query("database/ping")
_PAUSE_SECONDS = 0.2
_READS = 3
"""How often a query is read while its rows lack what they always have."""
_SPAN = {"db.system.name": "neo4j"}
_MIN_SECONDS = 0.1  # in places the driver takes 0 for no limit


class Neo4jDatabase:
    """Runs named queries against one database; safe to share between threads.

    Raises:
        SettingsError: the address cannot be one of a Neo4j server.
    """

    def __init__(self, settings: Neo4jSettings) -> None:
        self._settings = settings
        self._driver = open_driver(settings)
        self._plans = KnownPlans()
        # Members of a cluster lag behind each other; a single server never does, and there a bookmark of a
        # database that has since been restored from a dump would only block readers.
        clustered = settings.uri.startswith("neo4j")
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if clustered else None

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        """Run a query in a transaction of its own; see ``QueryRunner.run``. With a timeout, reaching the server may take no longer."""
        with span(query.name, _SPAN):
            if query.mode == "write":
                return self._write(
                    lambda transaction: _OpenTransaction(transaction, self._settings).run(query, **params), query.name
                )
            values = _bound(query, params)
            rows = self._read(query, values, timeout)
            _check_reader(query, values)
            return rows

    def _read(self, query: Query, params: dict[str, Any], timeout: float | None) -> list[Row]:
        """Run a query in a read transaction.

        The retries are ours and not the driver's, which starts its clock only after the first failure: against a server that hangs
        that would double the wait.
        """

        def within(limit: float | None) -> list[Row]:
            text = neo4j.Query(query.text_for(params), metadata={"query": query.name}, timeout=limit)
            # An auto-commit transaction needs one round trip; a managed one takes three.
            return self._retried_read(lambda session: _whole_rows(session, text, params, query), query.name, timeout)

        return within(None) if timeout is None else self._plans.within(timeout, query, params, within)

    def _retried_read(
        self,
        work: Callable[[neo4j.Session], T],
        name: str,
        timeout: float | None = None,
        bookmarks: neo4j.Bookmarks | None = None,
    ) -> T:
        seconds = connection.READ_SECONDS if timeout is None else min(timeout, connection.READ_SECONDS)
        deadline = time.monotonic() + seconds
        with errors_as_ours(self._settings, name):
            while True:
                left = max(deadline - time.monotonic(), _MIN_SECONDS)
                try:
                    with self._session(neo4j.READ_ACCESS, acquire=left, bookmarks=bookmarks) as session:
                        return work(session)
                except (DriverError, Neo4jError) as error:
                    if not error.is_retryable() or time.monotonic() + _PAUSE_SECONDS > deadline:
                        raise
                time.sleep(_PAUSE_SECONDS)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run idempotent ``work`` in one write transaction; see ``GraphDatabase.transact``."""
        with span("transaction", _SPAN):
            return self._write(lambda transaction: work(_OpenTransaction(transaction, self._settings)), "a transaction")

    def wait_for_commits(self) -> None:
        """Wait for all commits of which a query may have shown a part; see ``GraphDatabase.wait_for_commits``.

        A read's bookmark is that of the last transaction that was committed, applied or not, and a session that starts from a bookmark
        waits until this transaction and all before it are applied.
        """
        with span("wait for commits", _SPAN):
            bookmarks = self._retried_read(_bookmarks, "a wait for commits")
            self._retried_read(_bookmarks, "a wait for commits", bookmarks=bookmarks)

    def ping(self) -> float:
        """Return the seconds of one round trip; does not retry.

        Raises:
            UnavailableError: there is no answer.
            RefusedSettingsError: the credentials are wrong, or there is no such database.
        """
        with errors_as_ours(self._settings, "a ping"), self._session(neo4j.READ_ACCESS) as session:
            session.run(_PING.text).consume()  # opens the connection, which is not part of the measurement
            started = time.perf_counter()
            session.run(_PING.text).consume()
            return time.perf_counter() - started

    def migrate(self) -> list[MigrationState]:
        """Bring the schema up to date; see ``migrations.migrate``."""
        return migrate(self._settings)

    def migrations(self) -> list[MigrationState]:
        """Return every migration with its state; see ``migrations.info``."""
        return info(self._settings)

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    def _write(self, work: Callable[[neo4j.ManagedTransaction], T], name: str) -> T:
        """Run ``work`` in a managed transaction, and again where the driver does not retry but we may.

        If the connection broke during the commit, the driver cannot know whether the transaction was committed; the port requires
        writes to be idempotent. After a transient fault it may raise another error in its place: see ``connection.behind``.
        """
        deadline = None  # from the first failure on: a long transaction takes longer before its commit fails
        traced = neo4j.unit_of_work(metadata={"query": name})(work)
        while True:
            with (
                errors_as_ours(self._settings, name),
                self._session(neo4j.WRITE_ACCESS, retry=self._settings.retry_seconds) as session,
            ):
                try:
                    return session.execute_write(traced)
                except (IncompleteCommit, ResultFailedError) as error:
                    cause, deadline = behind(error), deadline or time.monotonic() + self._settings.retry_seconds
                    if not (isinstance(cause, IncompleteCommit) or is_transient(cause)) or time.monotonic() > deadline:
                        raise
            time.sleep(_PAUSE_SECONDS)

    def _session(
        self,
        access_mode: str,
        *,
        retry: float = 0,
        acquire: float | None = None,
        bookmarks: neo4j.Bookmarks | None = None,
    ) -> neo4j.Session:
        """Open a session.

        Args:
            access_mode: read or write.
            retry: seconds over which the driver retries a managed transaction, from its first failure on.
            acquire: seconds to get a connection, even from a server that accepts it and then does not answer.
            bookmarks: of transactions that are waited for.
        """
        return self._driver.session(
            database=self._settings.database,
            default_access_mode=access_mode,
            bookmarks=bookmarks,
            bookmark_manager=self._bookmarks,
            max_transaction_retry_time=retry,
            connection_acquisition_timeout=acquire or connection.CONNECT_SECONDS,
        )


class _OpenTransaction:
    """A managed transaction of the driver as the port's ``Transaction``."""

    def __init__(self, transaction: neo4j.ManagedTransaction, settings: Neo4jSettings) -> None:
        self._transaction, self._settings = transaction, settings

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:  # noqa: ARG002 - set at the start
        """Run a query in this transaction and return all its rows."""
        values = _bound(query, params)
        try:
            with span(query.name, _SPAN):
                return _rows(self._transaction.run(query.text_for(values), values), query)
        except Neo4jError as error:
            if out_of_memory(error):  # our error ends the driver's retries, which would only fail again
                raise translated(error, self._settings, query.name) from error
            raise


def _bookmarks(session: neo4j.Session) -> neo4j.Bookmarks:
    session.run(neo4j.Query(_PING.text, timeout=connection.READ_SECONDS)).consume()
    return session.last_bookmarks()


def _whole_rows(session: neo4j.Session, text: neo4j.Query, params: dict[str, Any], query: Query) -> list[Row]:
    """Return the rows of a read, read again where another transaction deleted a node between finding and reading it: Neo4j then reads nulls."""
    for _ in range(_READS - 1):
        rows = _rows(session.run(text, params), query)
        if all(row[column] is not None for row in rows for column in query.required):
            return rows
    return _rows(session.run(text, params), query)


def _rows(result: neo4j.Result, query: Query) -> list[Row]:
    if query.collected:  # their values are plain as they come
        return [dict(zip(query.collected, values, strict=True)) for record in result for values in record[0]]
    return [dict(zip(record.keys(), map(plain, record.values()), strict=True)) for record in result]


def _bound(query: Query, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a query runs with: those of the call and the reader's groups.

    Raises:
        ForbiddenError: the reader is restricted to groups, and the query is for readers who see everything.
    """
    _check(query, params)
    if query.reader == "operators":
        check_unrestricted(f"`{query.name}`")
    return {**params, "groups": reader_groups()} if query.reader == "filtered" else dict(params)


def _check_reader(query: Query, values: Mapping[str, Any]) -> None:
    """Refuse what was read while the tenant began to restrict documents.

    Raises:
        UnavailableError: the reader sees less now than when the query began.
    """
    if query.reader != "anyone" and reader_groups() is not None and values.get("groups") is None:
        raise UnavailableError("This tenant began to restrict documents to groups during this read; try again.")


def _check(query: Query, params: Mapping[str, Any]) -> None:
    """Refuse undeclared values, and missing ones: Cypher would read a misspelt parameter name as absent."""
    if missing := sorted(query.params.keys() - params.keys()):
        raise ValueError(f"{query.name} needs the parameters {', '.join(missing)}.")
    if unknown := sorted(params.keys() - query.params.keys()):
        raise ValueError(
            f"{query.name} declares no parameters {', '.join(unknown)}; add them to its '// params:' line."
        )
