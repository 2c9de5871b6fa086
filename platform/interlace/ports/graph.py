"""The graph database as services see it: named queries, never Cypher text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Row = Mapping[str, Any]
Record = TypeVar("Record", bound=tuple[Any, ...])
Readers: TypeAlias = Literal["operators", "anyone", "filtered"]


@dataclass(frozen=True, slots=True)
class Query:
    """A Cypher file: its name, text and declared contract.

    Args:
        name: path below ``cypher/queries`` without suffix, for example ``chunks/hydrate_chunks``.
        title: first comment line.
        text: the Cypher.
        params: declared parameters, name to Cypher type.
        mode: ``read`` or ``write``.
        returns: the columns of a row with their types, as the header declares them.
        allows: plan operators that the header excuses, for example ``AllNodesScan``.
        reader: who may run it: ``operators`` alone, ``anyone`` because it reveals no document, or ``filtered``: everybody, because its
            text leaves out what ``$groups`` does not open. The runner sets ``$groups``; callers cannot.
        unfiltered: the Cypher for a call whose ``$filter`` is null, which is planned without a filter's long condition; empty where the
            query takes none.
        collected: the columns, where all rows come as one record; a driver needs longer to read many records than one of the same size.
        required: the columns that are declared without ``?``: never null, except where a node was deleted while the query read it.
    """

    name: str
    title: str
    text: str
    params: Mapping[str, str]
    mode: str
    returns: str
    allows: frozenset[str] = frozenset()
    reader: Readers = "operators"
    unfiltered: str = ""
    collected: tuple[str, ...] = ()
    required: frozenset[str] = frozenset()

    def text_for(self, params: Mapping[str, Any]) -> str:
        """Return the Cypher to run with some parameters."""
        text = self.unfiltered if self.unfiltered and params.get("filter") is None else self.text
        return (
            f"CALL () {{\n{text}\n}}\nRETURN collect([{', '.join(self.collected)}]) AS rows" if self.collected else text
        )


class QueryRunner(Protocol):
    """Runs a query and returns all its rows: a database, or one open transaction of it. The functions in ``interlace.queries`` take one."""

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        """Run a query and return all its rows.

        Args:
            query: the query; its ``mode`` decides between a read and a write transaction.
            timeout: seconds after which the server gives up a read; a transaction that is open already has its own limit.
            params: exactly the parameters that the query declares.

        Raises:
            UnavailableError: the server cannot be reached in time.
            QueryRefusedError: the server refuses the query.
        """
        ...


class Transaction(QueryRunner, Protocol):
    """One open write transaction."""


class GraphDatabase(QueryRunner, Protocol):
    """Runs named queries. Values come back as plain Python: ``str``, ``int``, ``float``, ``bool``, ``list``, ``dict``, ``datetime``.

    A read runs in a read transaction, which refuses to write. A write runs in a transaction of its own, retried on transient failures, and
    must be idempotent. Every method raises ``UnavailableError`` when the server cannot be reached in time, and ``QueryRefusedError`` when
    it refuses.
    """

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one write transaction, retried as a whole on transient failures; it must be idempotent."""
        ...

    def wait_for_commits(self) -> None:
        """Return once no commit is visible only in part: what an earlier query saw any of, later ones see whole."""
        ...

    def ping(self) -> float:
        """Return the seconds that one round trip takes."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


def column_of(attribute: str) -> str:
    """Return what Cypher calls an attribute: ``sourceUri`` for ``source_uri``."""
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), attribute)


@cache
def _values(kind: Any) -> Callable[[Row], Any]:
    return itemgetter(*map(column_of, kind._fields))


def record_of(kind: type[Record], row: Row) -> Record:
    """Return a row, or a map in one, as a named tuple of at least two fields."""
    return kind(*_values(kind)(row))
