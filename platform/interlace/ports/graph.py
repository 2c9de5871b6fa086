"""The graph database as services see it: named queries, never Cypher text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Query:
    """A Cypher file: its name, text and declared contract.

    Args:
        name: path below ``cypher/queries`` without suffix, for example ``retrieve/expand_neighbourhood``.
        title: first comment line.
        text: the Cypher.
        params: declared parameters, name to Cypher type.
        mode: ``read`` or ``write``.
        returns: what a row holds, in words.
        allows: plan operators that the header excuses, for example ``AllNodesScan``.
    """

    name: str
    title: str
    text: str
    params: Mapping[str, str]
    mode: str
    returns: str
    allows: frozenset[str] = frozenset()


class Transaction(Protocol):
    """One open write transaction."""

    def run(self, query: Query, /, **params: Any) -> list[Row]:
        """Run a query in this transaction and return all its rows."""
        ...


class GraphDatabase(Protocol):
    """Runs named queries. Values come back as plain Python: ``str``, ``int``, ``float``, ``bool``, ``list``, ``dict``, ``datetime``.

    Every method raises ``UnavailableError`` when the server cannot be reached in time, and ``QueryRefusedError`` when it refuses.
    """

    def read(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        """Run a read query in a read transaction (seconds of ``timeout`` are enforced by the server); return its rows."""
        ...

    def write(self, query: Query, /, **params: Any) -> list[Row]:
        """Run one write query in a transaction of its own, retried on transient failures; the query must be idempotent."""
        ...

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one write transaction, retried as a whole on transient failures; it must be idempotent."""
        ...

    def ping(self) -> float:
        """Return the seconds one round trip takes."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
