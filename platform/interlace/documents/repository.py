"""Documents as people and programs look them up: those in the graph, those on their way, and those put aside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interlace.cypher_files import query
from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase, Row

_LIST = query("documents/document_list")
_DETAIL = query("documents/document_detail")
_COUNTS = query("documents/document_counts")
_METADATA = "metadata."

Status = Literal["ready", "pending", "quarantined"]


@dataclass(frozen=True, slots=True)
class IngestionRecord:
    """What is being done with a document's latest upload.

    Args:
        operation: ``upsert`` or ``delete``.
        stage: the last stage it passed, or ``quarantined``.
        failed_stage: the stage after which it failed last; none if it never did.
        attempt: attempts so far.
        reason: a stable word for the fault; none if there was none.
        message: the fault as a sentence.
        job_id: its job.
    """

    operation: str
    stage: str
    failed_stage: str | None
    attempt: int
    reason: str | None
    message: str | None
    job_id: str


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document.

    Args:
        id: the document.
        source_uri: where it came from.
        title: its title; none before it was read.
        status: ``ready`` when a version of it answers questions, else ``pending`` or ``quarantined``.
        media_type: for example ``text/markdown``.
        checksum: SHA-256 of its bytes.
        version: counts its versions from 1; none before the first.
        indexed_at: when this version was written, ISO 8601.
        tags: its tags.
        metadata: what it says of itself, and what its sender said.
        ledger: its latest upload, while that is on its way or put aside.
    """

    id: str
    source_uri: str
    title: str | None
    status: Status
    media_type: str
    checksum: str
    version: int | None
    indexed_at: str | None
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    ledger: IngestionRecord | None


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of a document: its heading, the headings down to it, its level, and how many chunks it has."""

    id: str
    heading: str
    path: str
    level: int
    chunks: int


@dataclass(frozen=True, slots=True)
class DocumentName:
    """A name that a document mentions, and how often."""

    id: str
    name: str
    type: str
    mentions: int


@dataclass(frozen=True, slots=True)
class DocumentDetail:
    """A document with its structure.

    Args:
        document: the document.
        chunks: number of its chunks.
        links_out: documents it links to.
        links_in: documents that link to it.
        sections: its first thousand sections, in order.
        names: the twenty names it mentions most.
    """

    document: DocumentSummary
    chunks: int
    links_out: int
    links_in: int
    sections: tuple[DocumentSection, ...]
    names: tuple[DocumentName, ...]


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Nodes of the whole graph, all tenants together."""

    documents: int
    chunks: int
    entities: int
    facts: int


class DocumentRepository:
    """Reads documents and their ledger entries; holds nothing itself."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def list(
        self,
        tenant: str,
        *,
        source: str = "",
        tag: str | None = None,
        status: Status | None = None,
        limit: int = 50,
        after: str = "",
        among: Sequence[str] | None = None,
    ) -> list[DocumentSummary]:
        """Return a page of documents by source URI.

        Args:
            tenant: whose.
            source: beginning of their source URIs.
            tag: a tag they have, or one above theirs (``lang`` finds ``lang/python``); only read documents have tags.
            status: ``ready`` to be found by questions, with an upload ``pending``, or with one ``quarantined``.
            limit: documents wanted.
            after: source URI of the last document of the page before.
            among: only these documents, by id.
        """
        rows = self._graph.run(
            _LIST,
            tenant=tenant,
            prefix=source,
            tag=tag,
            status=status or "any",
            after=after,
            limit=limit,
            among=among if among is None else list(among),
        )
        return [_summary(row) for row in rows]

    def get(self, tenant: str, document_id: str) -> DocumentDetail:
        """Return one document.

        Raises:
            NotFoundError: the tenant has no such document.
        """
        rows = self._graph.run(_DETAIL, tenant=tenant, id=document_id)
        if not rows:
            raise NotFoundError(f"There is no document {document_id}; `interlace documents list` shows what there is.")
        row = rows[0]
        return DocumentDetail(
            document=_summary(row),
            chunks=row["chunks"],
            links_out=row["links_out"],
            links_in=row["links_in"],
            sections=tuple(DocumentSection(**section) for section in row["sections"]),
            names=tuple(DocumentName(**name) for name in row["names"]),
        )

    def counts(self) -> GraphCounts:
        """Return how much the graph holds; costs the same at any size."""
        return GraphCounts(**self._graph.run(_COUNTS)[0])


def _summary(row: Row) -> DocumentSummary:
    document, record = row["document"], row["record"]
    ledger = _ledger(record) if record else None
    known: Mapping[str, Any] = document or {}
    status: Status = "ready"
    if not document:
        status = "quarantined" if ledger and ledger.stage == "quarantined" else "pending"
    shown = document or record
    return DocumentSummary(
        id=row["id"],
        source_uri=row["source"],
        title=known.get("title"),
        status=status,
        media_type=shown["mediaType"],
        checksum=shown["checksum"],
        version=known.get("version"),
        indexed_at=known.get("indexedAt"),
        tags=tuple(known.get("tags") or ()),
        metadata={key.removeprefix(_METADATA): value for key, value in known.items() if key.startswith(_METADATA)},
        ledger=ledger,
    )


def _ledger(record: Mapping[str, Any]) -> IngestionRecord:
    return IngestionRecord(
        operation=record["operation"],
        stage=record["stage"],
        failed_stage=record["failedStage"],
        attempt=record["attempt"],
        reason=record["reason"],
        message=record["error"],
        job_id=record["jobId"],
    )
