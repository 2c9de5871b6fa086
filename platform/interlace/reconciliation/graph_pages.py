"""Pages of a tenant's nodes in order of id, read while no writer of documents is halfway through."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from interlace.ports.graph import GraphDatabase
from interlace.queries.entities import gazetteer_version

T = TypeVar("T")
PAGE: Final = 500
"""Nodes that a query reads at once."""
_TRIES = 5
Search = Callable[[str], Iterator[Sequence[str]]]
"""Takes a tenant and yields ids of broken nodes in batches."""


class Identified(Protocol):
    """A row with the id of a node."""

    @property
    def id(self) -> str:
        """The node's id."""
        ...


class BrokenPage(Protocol):
    """A page of nodes: the ids of the broken ones, and the id of the page's last node, None after the end."""

    @property
    def last(self) -> str | None:
        """Where the next page begins."""
        ...

    @property
    def ids(self) -> list[str]:
        """The broken nodes."""
        ...


RowT = TypeVar("RowT", bound=Identified)
RowT_co = TypeVar("RowT_co", bound=Identified, covariant=True)


class FindPage(Protocol):
    """A query that finds the broken nodes of a page."""

    def __call__(self, runner: GraphDatabase, /, *, tenant: str, after: str, limit: int) -> BrokenPage:
        """Run the query."""
        ...


class ListIds(Protocol):
    """A query that lists the ids of a page, ascending."""

    def __call__(self, runner: GraphDatabase, /, *, tenant: str, after: str, limit: int) -> Sequence[Identified]:
        """Run the query."""
        ...


class ReadRows(Protocol[RowT_co]):
    """A query that reads some nodes."""

    def __call__(self, runner: GraphDatabase, /, *, tenant: str, ids: Sequence[str]) -> Sequence[RowT_co]:
        """Run the query."""
        ...


def steady(graph: GraphDatabase, tenant: str, read: Callable[[], T]) -> T:
    """Return what ``read`` returns, repeated if a document was written meanwhile; under constant writing the last result counts.

    Neo4j reads with read-committed isolation, so one query may see half of a transaction. A transaction that writes documents also raises
    the version of the tenant's gazetteer.
    """
    for _ in range(_TRIES - 1):
        before = gazetteer_version(graph, tenant=tenant)
        result = read()
        if gazetteer_version(graph, tenant=tenant) == before:
            return result
    return read()


def paged(graph: GraphDatabase, find: FindPage) -> Search:
    """Return a search that finds broken nodes page by page."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        after: str | None = ""
        while after is not None:
            page = steady(graph, tenant, lambda at=after: find(graph, tenant=tenant, after=at, limit=PAGE))  # type: ignore[misc]
            if page.ids:
                yield page.ids
            after = page.last

    return search


def ids_of(graph: GraphDatabase, page: ListIds, tenant: str) -> Iterator[list[str]]:
    """Yield the ids of a query's nodes, a page at a time, ascending."""
    after = ""
    while rows := page(graph, tenant=tenant, after=after, limit=PAGE):
        ids = [row.id for row in rows]
        yield ids
        after = ids[-1]


def broken_rows(graph: GraphDatabase, page: ListIds, read: ReadRows[RowT], is_broken: Callable[[RowT], bool]) -> Search:
    """Return a search that reads every node of every page and yields the ids of those that are broken."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        for ids in ids_of(graph, page, tenant):
            rows = steady(graph, tenant, lambda some=ids: read(graph, tenant=tenant, ids=some))  # type: ignore[misc]
            if broken := [row.id for row in rows if is_broken(row)]:
                yield broken

    return search
