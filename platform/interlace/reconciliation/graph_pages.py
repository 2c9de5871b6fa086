"""Pages of a tenant's nodes in order of id; what seems broken is read again while the tenant's writers wait."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeVar

from interlace.domain.errors import UnavailableError
from interlace.leases.tenant_lock import while_writers_wait
from interlace.ports.graph import GraphDatabase, QueryRunner

T = TypeVar("T")
PAGE: Final = 500
"""Nodes that a query reads at once."""
FindIds = Callable[[str], Iterator[Sequence[str]]]
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

    def __call__(self, runner: QueryRunner, /, *, tenant: str, after: str, limit: int) -> BrokenPage:
        """Run the query."""
        ...


class ListIds(Protocol):
    """A query that lists the ids of a page, ascending."""

    def __call__(self, runner: GraphDatabase, /, *, tenant: str, after: str, limit: int) -> list[str]:
        """Run the query."""
        ...


class ReadRows(Protocol[RowT_co]):
    """A query that reads some nodes."""

    def __call__(self, runner: QueryRunner, /, *, tenant: str, ids: Sequence[str]) -> Sequence[RowT_co]:
        """Run the query."""
        ...


def confirmed(
    graph: GraphDatabase, tenant: str, read: Callable[[QueryRunner], T], is_broken: Callable[[T], object]
) -> T:
    """Return what ``read`` returns; if that seems broken, what it returns while the tenant's writers wait, unless no lock can be had.

    Beside a commit a query may see half of a transaction (``leases.tenant_lock``).
    """
    result = read(graph)
    if is_broken(result):
        with suppress(UnavailableError):  # a lock is a write, for which a server may have no disk space
            result = while_writers_wait(graph, tenant, read)
    return result


def paged(graph: GraphDatabase, find: FindPage) -> FindIds:
    """Return a search that finds broken nodes page by page."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        after: str | None = ""
        while after is not None:
            read = partial(find, tenant=tenant, after=after, limit=PAGE)
            page = confirmed(graph, tenant, read, lambda page: page.ids)
            if page.ids:
                yield page.ids
            after = page.last

    return search


def ids_of(graph: GraphDatabase, page: ListIds, tenant: str) -> Iterator[list[str]]:
    """Yield the ids of a query's nodes, a page at a time, ascending."""
    after = ""
    while ids := page(graph, tenant=tenant, after=after, limit=PAGE):
        yield ids
        after = ids[-1]


def broken_rows(
    graph: GraphDatabase, page: ListIds, read: ReadRows[RowT], is_broken: Callable[[RowT], bool]
) -> FindIds:
    """Return a search that reads every node of every page and yields the ids of those that are broken."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        for ids in ids_of(graph, page, tenant):
            rows = confirmed(
                graph, tenant, partial(read, tenant=tenant, ids=ids), lambda rows: any(map(is_broken, rows))
            )
            if broken := [row.id for row in rows if is_broken(row)]:
                yield broken

    return search
