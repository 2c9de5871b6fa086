"""Pages of a tenant's nodes in order of id, read so that no writer of documents was halfway through."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase, Query, Row

T = TypeVar("T")
_VERSION = query("entities/gazetteer_version")
PAGE: Final = 500
"""Nodes a query looks at."""
_TRIES = 5


def steady(graph: GraphDatabase, tenant: str, read: Callable[[], T]) -> T:
    """Return what ``read`` gives, read anew when a document was written meanwhile; under constant writing the last reading counts.

    Neo4j reads what is committed when it comes to it, so one query may see half of a transaction. Whoever writes documents raises
    the version of the tenant's registry with it.
    """
    for _ in range(_TRIES - 1):
        before = graph.run(_VERSION, tenant=tenant)
        result = read()
        if graph.run(_VERSION, tenant=tenant) == before:
            return result
    return read()


def violating(graph: GraphDatabase, find: Query) -> Callable[[str], Iterator[Sequence[str]]]:
    """Return a search that runs a query (``tenant``, ``after``, ``limit`` to ``last``, ``ids``) page by page."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        after = ""
        while True:
            row = steady(graph, tenant, partial(graph.run, find, tenant=tenant, after=after, limit=PAGE))[0]
            if row["ids"]:
                yield row["ids"]
            if row["last"] is None:
                return
            after = row["last"]

    return search


def ids_of(graph: GraphDatabase, page: Query, tenant: str) -> Iterator[list[str]]:
    """Yield the ids that a query (``tenant``, ``after``, ``limit`` to ``id``) gives, a page at a time, ascending."""
    after = ""
    while rows := graph.run(page, tenant=tenant, after=after, limit=PAGE):
        ids = [row["id"] for row in rows]
        yield ids
        after = ids[-1]


def judged(
    graph: GraphDatabase, page: Query, detail: Query, broken: Callable[[Row], bool]
) -> Callable[[str], Iterator[Sequence[str]]]:
    """Return a search that reads details (``tenant``, ``ids``) of each page of nodes and judges every row."""

    def search(tenant: str) -> Iterator[Sequence[str]]:
        for ids in ids_of(graph, page, tenant):
            rows = steady(graph, tenant, partial(graph.run, detail, tenant=tenant, ids=ids))
            if wrong := [row["id"] for row in rows if broken(row)]:
                yield wrong

    return search
