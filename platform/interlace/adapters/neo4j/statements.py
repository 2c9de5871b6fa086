"""Runs statements that callers wrote: read access, one attempt, few connections, rows up to a limit."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import neo4j
import orjson
from neo4j.exceptions import ClientError, DriverError, Neo4jError, TransientError

from interlace.adapters.neo4j.connection import errors_as_ours, open_driver
from interlace.adapters.neo4j.values import plain
from interlace.domain.errors import InvalidInputError, UnavailableError
from interlace.ports.statements import Limits, Operator, StatementPlan, Table
from interlace.settings import Neo4jSettings
from interlace.text.excerpts import shortened

MAX_CONCURRENT: Final = 4
"""Statements that a process runs concurrently: others wait, so that the database stays available for questions."""
_PLAN_SECONDS: Final = 5.0
_WAIT_SECONDS: Final = 5.0
_FETCH: Final = 200  # rows that the server prefetches; more would be discarded when a limit is reached


class Neo4jStatements:
    """Implements ``StatementRunner``; has its own driver, so that it cannot take connections from the platform."""

    def __init__(self, settings: Neo4jSettings) -> None:
        self._settings = settings
        self._driver = open_driver(settings)
        self._places = threading.BoundedSemaphore(MAX_CONCURRENT)

    def plan(self, text: str, params: Mapping[str, Any]) -> StatementPlan:
        """Return the plan of a statement without running it."""
        with self._transaction(_PLAN_SECONDS) as transaction:
            # The guard has refused anything that could turn one statement into two.
            summary = transaction.run(f"EXPLAIN {text}", dict(params)).consume()
        if summary.plan is None:
            raise InvalidInputError("The database returned no plan for this statement; begin it with MATCH.")
        return StatementPlan(summary.query_type or "", _operator(dict(summary.plan)))

    def rows(self, text: str, params: Mapping[str, Any], limits: Limits) -> Table:
        """Run a statement and return its rows."""
        with self._transaction(limits.timeout) as transaction:
            result = transaction.run(text, dict(params))
            found: list[list[Any]] = []
            size = 0
            for record in result:
                row = [_plain(value) for value in record.values()]
                size += len(orjson.dumps(row, default=str, option=orjson.OPT_PASSTHROUGH_DATETIME))
                if len(found) >= limits.rows or size > limits.size:
                    return Table(tuple(result.keys()), found, truncated=True)
                found.append(row)
            return Table(tuple(result.keys()), found, truncated=False)

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    @contextmanager
    def _transaction(self, timeout: float) -> Iterator[neo4j.Transaction]:
        """Open a read transaction that is always rolled back at the end."""
        if not self._places.acquire(timeout=_WAIT_SECONDS):
            raise UnavailableError(f"{MAX_CONCURRENT} statements are already running; try again in a few seconds.")
        try:
            with (
                errors_as_ours(self._settings, "the statement"),
                _refusals(timeout),
                self._driver.session(
                    database=self._settings.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=_FETCH
                ) as session,
                session.begin_transaction(metadata={"query": "by hand"}, timeout=timeout) as transaction,
            ):
                yield transaction
        finally:
            self._places.release()


@contextmanager
def _refusals(timeout: float) -> Iterator[None]:
    """Turn what the database says about a statement into caller errors, because the text is the caller's."""
    try:
        yield
    except (ClientError, TransientError) as error:
        if any(word in (error.code or "") for word in ("ClientError.Security", "DatabaseNotFound")):
            raise
        reason = shortened(error.message or "", 400)
        raise InvalidInputError(f"The database rejected the statement (timeout {timeout:g} s): {reason}") from error
    except Neo4jError as error:
        if error.code and error.code.startswith("Neo.DatabaseError.Statement"):
            raise InvalidInputError(f"The database failed at the statement ({error.code}).") from error
        raise
    except (DriverError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DriverError) and error.is_retryable():
            raise
        raise InvalidInputError(f"A parameter or a result has a type that cannot be sent: {error}") from error


def _operator(plan: Mapping[str, Any]) -> Operator:
    name = str(plan["operatorType"]).split("@", maxsplit=1)[0]
    children = tuple(_operator(child) for child in plan.get("children", ()))
    return Operator(name, str(plan.get("args", {}).get("Details", "")), children)


def _plain(value: Any) -> Any:
    """Return a value as plain Python; a path becomes the list of its nodes and relationships."""
    if isinstance(value, neo4j.graph.Path):
        items: list[Any] = [value.nodes[0]] if value.nodes else []
        for relationship, node in zip(value.relationships, value.nodes[1:], strict=True):
            items += [relationship, node]
        return [plain(item) for item in items]
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return plain(value)
