"""From documents to their first chunks, for the legs that match documents; and the chunks that a filter alone finds."""

from collections.abc import Sequence

from interlace.domain.hits import Sort
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import filtered_chunks, first_chunks
from interlace.search.candidates import Candidate
from interlace.search.conditions import about_chunks
from interlace.search.legs.protocol import Scope


def allowed_documents(scope: Scope) -> list[str] | None:
    """Return the documents that the filter lets through; None where it lets all through, or is about chunks."""
    if scope.allowed is None or (scope.where is not None and about_chunks(scope.where)):
        return None
    return list(scope.allowed)


def candidates_of(graph: GraphDatabase, scope: Scope, documents: Sequence[tuple[str, float]]) -> list[Candidate]:
    """Return each document's first chunk that the filter lets through, with the document's score, in the order of the documents."""
    if not documents:
        return []
    rows = first_chunks(
        graph,
        tenant=scope.tenant,
        ids=[document for document, _ in documents],
        allowed=scope.allowed,
        timeout=scope.timeout,
    )
    chunks = {row.document: row.chunk for row in rows}
    return [Candidate(chunks[document], score) for document, score in documents if document in chunks][: scope.limit]


def filter_matches(graph: GraphDatabase, scope: Scope, sort: Sort) -> list[Candidate]:
    """Return the chunks that satisfy the filter, by source or by date, each with score 0; nothing without a filter."""
    if scope.allowed is None:
        return []
    rows = filtered_chunks(
        graph,
        tenant=scope.tenant,
        allowed=list(scope.allowed),
        sort=sort,
        limit=scope.limit,
        timeout=scope.timeout,
    )
    return [Candidate(row.chunk, 0.0) for row in rows]
