"""From documents to their first chunks, for the legs that match documents; and the chunks that a filter alone finds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from interlace.domain.filters import Filter
from interlace.domain.hits import Sort
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import filtered_chunks, filtered_in_order, filtered_newest, filtered_oldest, first_chunks
from interlace.queries.labels import count_tagged
from interlace.search.candidates import Candidate
from interlace.search.conditions import Anchor, anchor_of, sieve_of
from interlace.search.legs.protocol import Scope

MANY_TAGGED = 2_000


def candidates_of(graph: GraphDatabase, scope: Scope, documents: Sequence[tuple[str, float]]) -> list[Candidate]:
    """Return each document's first chunk that the filter lets through, with the document's score, in the order of the documents."""
    if not documents:
        return []
    rows = first_chunks(
        graph,
        tenant=scope.tenant,
        ids=[document for document, _ in documents],
        filter=scope.filter,
        timeout=scope.timeout,
    )
    chunks = {row.document: row.chunk for row in rows}
    return [Candidate(chunks[document], score) for document, score in documents if document in chunks][: scope.limit]


_LISTING_SECONDS = 20.0
"""Seconds for the chunks that a filter alone finds: they are the answer, and not a leg beside which others answer."""


def filter_matches(graph: GraphDatabase, scope: Scope, sort: Sort, many: int = MANY_TAGGED) -> list[Candidate]:
    """Return the chunks that satisfy the filter, by source or by date, each with score 0; nothing without a filter.

    Args:
        graph: the graph.
        scope: whose chunks, which, and how many.
        sort: their order.
        many: documents of a tag above which those of the tenant are gone through in the order of the answer, until it is full.
    """
    if scope.where is None:
        return []
    anchor = anchor_of(scope.where)
    if _finds_many(graph, scope, anchor, many):
        return _in_order(graph, scope, scope.where, sort)
    rows = filtered_chunks(
        graph,
        tenant=scope.tenant,
        filter=scope.filter or {},
        anchor=anchor.field,
        anchors=list(anchor.values),
        low=anchor.low,
        high=anchor.high,
        sort=sort,
        limit=scope.limit,
        timeout=max(scope.timeout, _LISTING_SECONDS),
    )
    return [Candidate(row.chunk, 0.0) for row in rows]


def _finds_many(graph: GraphDatabase, scope: Scope, anchor: Anchor, many: int) -> bool:
    """Return whether the anchor finds so many documents that going through all in order is likely to be faster."""
    if anchor.field != "tags":
        return anchor.field == "tenant"
    found = count_tagged(graph, tenant=scope.tenant, beginnings=list(anchor.values), timeout=scope.timeout)
    return found.documents > many


class _Found(Protocol):
    """A row of a query that finds chunks."""

    @property
    def chunk(self) -> str: ...


_ORDERS: Final[Mapping[Sort, Callable[..., Iterable[_Found]]]] = {
    "relevance": filtered_in_order,
    "newest": filtered_newest,
    "oldest": filtered_oldest,
}
"""The query that goes through documents in an order; without a question, relevance is the order of sources."""


def _in_order(graph: GraphDatabase, scope: Scope, where: Filter, sort: Sort) -> list[Candidate]:
    sieve = sieve_of(where)
    rows = _ORDERS[sort](
        graph,
        tenant=scope.tenant,
        filter=scope.filter or {},
        property=sieve.property,
        values=list(sieve.values),
        limit=scope.limit,
        timeout=max(scope.timeout, _LISTING_SECONDS),
    )
    return [Candidate(row.chunk, 0.0) for row in rows]
