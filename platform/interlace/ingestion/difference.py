"""Compares uploads with what the graph holds, for the processor that does the work and for the preview that counts it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interlace.domain.atoms import fingerprint_with_strategy
from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.ingestion.document_rows import chunk_marks
from interlace.ingestion.labels import sent_digest
from interlace.ports.graph import GraphDatabase
from interlace.queries import versions as queries


@dataclass(frozen=True, slots=True)
class KnownDocuments:
    """Ids of the documents that the graph holds in any version, and of those that it holds unchanged."""

    any_version: frozenset[str]
    unchanged: frozenset[str]


def known_documents(
    graph: GraphDatabase, tenant: str, fingerprint: str, sources: Mapping[str, Source]
) -> KnownDocuments:
    """Compare uploads with the graph.

    Args:
        graph: the graph.
        tenant: the tenant that owns the documents.
        fingerprint: the pipeline's fingerprint; documents that another pipeline produced do not count as unchanged.
        sources: document id to its upload.
    """
    found = queries.known_documents(graph, tenant=tenant, ids=sorted(sources))
    unchanged = (row.id for row in found if _is_unchanged(row, sources[row.id], fingerprint))
    return KnownDocuments(frozenset(row.id for row in found), frozenset(unchanged))


def _is_unchanged(row: queries.KnownDocumentsRow, source: Source, fingerprint: str) -> bool:
    same_labels = row.sent is None or row.sent == sent_digest(source.metadata)
    return (
        same_labels
        and row.checksum == source.checksum
        and row.fingerprint == fingerprint_with_strategy(fingerprint, source.metadata)
    )


def stored_chunks(
    graph: GraphDatabase, tenant: str, fingerprint: str, documents: Sequence[str]
) -> dict[str, queries.HeldChunksRow]:
    """Return the chunks that the graph holds of some documents, by id."""
    return {row.id: row for row in queries.held_chunks(graph, tenant=tenant, ids=documents, fingerprint=fingerprint)}


def fresh_chunks(
    chunked: Iterable[tuple[ParsedDocument, Sequence[Chunk]]], stored: Mapping[str, queries.HeldChunksRow]
) -> dict[str, tuple[ParsedDocument, Chunk]]:
    """Return the chunks that must be extracted and embedded, by id: all but those that the graph holds unchanged."""
    return {
        chunk.id: (document, chunk)
        for document, chunks in chunked
        for chunk, marks in zip(chunks, chunk_marks(document, chunks), strict=True)
        if not _is_unchanged_chunk(stored.get(chunk.id), marks)
    }


def _is_unchanged_chunk(row: queries.HeldChunksRow | None, marks: str) -> bool:
    """Return whether the current pipeline made a chunk from the same text, links and code (``chunk_marks``)."""
    return row is not None and row.current and row.links == marks
