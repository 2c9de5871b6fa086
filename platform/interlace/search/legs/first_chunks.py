"""From documents to their first chunks, for the legs that match documents; and the chunks that a filter alone finds."""

from collections.abc import Sequence
from typing import Any

from interlace.domain.filters import Filter
from interlace.domain.hits import Sort
from interlace.ports.graph import GraphDatabase
from interlace.queries.filters import filtered_chunks, filtered_in_order, filtered_newest, filtered_oldest, first_chunks
from interlace.queries.labels import count_tagged
from interlace.search.candidates import Candidate
from interlace.search.conditions import Anchor, anchor_of, prefilter_of
from interlace.search.legs.protocol import Scope

MANY_TAGGED = 2_000


def candidates_of(graph: GraphDatabase, scope: Scope, documents: Sequence[tuple[str, float]]) -> list[Candidate]:
    """Return each document's first chunk that satisfies the filter, with the document's score, in the order of the documents."""
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
"""Seconds for the chunks that a filter alone finds: they are the answer, and no other leg could answer instead."""


def filter_matches(graph: GraphDatabase, scope: Scope, sort: Sort, scan_above: int = MANY_TAGGED) -> list[Candidate]:
    """Return the chunks that satisfy the filter, by source or by date, each with score 0; nothing without a filter.

    Args:
        graph: the graph.
        scope: whose chunks, which, and how many.
        sort: their order.
        scan_above: documents of a tag above which the tenant's documents are scanned in the order of the answer, until it is full.
    """
    if scope.where is None:
        return []
    anchor = anchor_of(scope.where)
    if _one_beginning(anchor, sort) or _finds_many(graph, scope, anchor, scan_above):
        return _in_order(graph, scope, scope.where, sort)
    chunks = filtered_chunks(
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
    return [Candidate(chunk, 0.0) for chunk in chunks]


def _one_beginning(anchor: Anchor, sort: Sort) -> bool:
    """Return whether the answer is in the order of the index that looks up the anchor."""
    return anchor.field == "source" and len(anchor.values) == 1 and sort == "relevance"


def _finds_many(graph: GraphDatabase, scope: Scope, anchor: Anchor, scan_above: int) -> bool:
    """Return whether the anchor finds so many documents that scanning all in order is likely to be faster."""
    if anchor.field != "tags":
        return anchor.field == "tenant"
    return count_tagged(graph, tenant=scope.tenant, beginnings=list(anchor.values), timeout=scope.timeout) > scan_above


def _in_order(graph: GraphDatabase, scope: Scope, where: Filter, sort: Sort) -> list[Candidate]:
    prefilter, anchor = prefilter_of(where), anchor_of(where)
    given: dict[str, Any] = {
        "tenant": scope.tenant,
        "filter": scope.filter or {},
        "property": prefilter.property,
        "values": list(prefilter.values),
        "limit": scope.limit,
        "timeout": max(scope.timeout, _LISTING_SECONDS),
    }
    if sort == "relevance":  # without a question, in the order of sources
        beginning = anchor.values[0] if _one_beginning(anchor, sort) else ""
        return [Candidate(chunk, 0.0) for chunk in filtered_in_order(graph, beginning=beginning, **given)]
    by_date = filtered_newest if sort == "newest" else filtered_oldest
    return [Candidate(chunk, 0.0) for chunk in by_date(graph, **given)]
