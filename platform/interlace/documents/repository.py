"""Documents by source and by id: those in the graph, those pending, and those in quarantine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.ids import document_id as id_of_source
from interlace.domain.reader import reader_groups
from interlace.ports.graph import GraphDatabase
from interlace.queries import documents as queries
from interlace.queries.filters import newest_documents, oldest_documents

_METADATA = "metadata."
_LATEST = "~"
"""Later than any date."""

Status = Literal["ready", "pending", "quarantined"]
DocumentSort = Literal["source", "newest", "oldest"]


@dataclass(frozen=True, slots=True)
class IngestionRecord:
    """The latest upload of a document, pending or in quarantine.

    Args:
        operation: ``upsert`` or ``delete``.
        stage: the last stage it passed, or ``quarantined``.
        failed_stage: the stage after which it failed last; null if it never did.
        attempt: attempts so far.
        reason: a stable code for the failure; null without a failure.
        message: the failure as a sentence.
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
        title: its title; null before it was read.
        status: ``ready`` when a version of it answers questions, else ``pending`` or ``quarantined``.
        media_type: for example ``text/markdown``.
        checksum: SHA-256 of its bytes.
        version: number of its version, from 1; null before the first.
        indexed_at: when this version was written, ISO 8601.
        created_at: when its author created it, according to its metadata; null if it does not say.
        modified_at: when its author changed it last.
        tags: its tags.
        metadata: from the document itself and from its sender.
        ledger: its latest upload, while that is pending or in quarantine.
        access: the groups of readers that it is restricted to, none for everybody; shown only to callers who see all.
    """

    id: str
    source_uri: str
    title: str | None
    status: Status
    media_type: str
    checksum: str
    version: int | None
    indexed_at: str | None
    created_at: str | None
    modified_at: str | None
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    ledger: IngestionRecord | None
    access: tuple[str, ...] = ()

    @property
    def dated(self) -> str:
        """The time it is sorted by, as hits are: of the last change, else of creation, else of indexing."""
        return self.modified_at or self.created_at or self.indexed_at or ""


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of a document: its heading, the headings down to it, its level, and how many chunks it has."""

    id: str
    heading: str
    path: str
    level: int
    chunks: int


@dataclass(frozen=True, slots=True)
class DocumentEntity:
    """An entity that a document mentions, and how often."""

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
        entities: the twenty entities it mentions most.
    """

    document: DocumentSummary
    chunks: int
    links_out: int
    links_in: int
    sections: tuple[DocumentSection, ...]
    entities: tuple[DocumentEntity, ...]


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Nodes of the whole graph, all tenants together."""

    documents: int
    chunks: int
    entities: int
    facts: int


@dataclass(frozen=True, slots=True)
class DocumentRepository:
    """Reads documents and their ledger entries."""

    graph: GraphDatabase

    def list(
        self,
        tenant: str,
        *,
        source: str = "",
        tag: str | None = None,
        status: Status | None = None,
        limit: int = 50,
        after: str = "",
        where: Mapping[str, Any] | None = None,
        sort: DocumentSort = "source",
        after_date: str | None = None,
    ) -> Sequence[DocumentSummary]:
        """Return a page of documents by source URI, or by the time that ``DocumentSummary.dated`` says.

        Only the last page has fewer than ``limit``: where documents are deleted meanwhile, those that follow take their place.

        Args:
            tenant: the tenant that owns the documents.
            source: prefix of their source URIs.
            tag: a tag they have, or one above theirs (``lang`` finds ``lang/python``); pending documents have no tags yet.
            status: ``ready`` to be found by questions, with an upload ``pending``, or with one ``quarantined``.
            limit: number of documents.
            after: source URI of the last document of the previous page, or its id where documents are sorted by time.
            where: only documents that satisfy a metadata filter, as the parameter that ``search.conditions`` makes of it.
            sort: by source, or by time; pending documents have no time yet and are left out.
            after_date: time of the last document of the previous page.

        Raises:
            InvalidInputError: pending documents are to be sorted by time.
        """
        if sort != "source" and status not in (None, "ready"):
            raise InvalidInputError(f"sort: documents that are {status} have no time yet; sort them by source.")
        chosen = where if where is None else dict(where)
        date = after_date or (_LATEST if sort == "newest" else "")
        found: list[DocumentSummary] = []
        while (wanted := limit - len(found)) > 0:
            places: list[tuple[str, str, str]]
            if sort == "source":
                listed = queries.document_list(
                    self.graph,
                    tenant=tenant,
                    prefix=source,
                    tag=tag,
                    status=status or "any",
                    after=after,
                    limit=wanted,
                    filter=chosen,
                )
                places = [(row.id, date, row.source) for row in listed]
            else:
                by_date = newest_documents if sort == "newest" else oldest_documents
                dated = by_date(
                    self.graph,
                    tenant=tenant,
                    prefix=source,
                    tag=tag,
                    date=date,
                    after=after,
                    limit=wanted,
                    filter=chosen,
                )
                places = [(row.id, row.dated, row.id) for row in dated]
            found += self._summaries(tenant, [document_id for document_id, *_ in places])
            if len(places) < wanted:
                break
            _, date, after = places[-1]
        return found

    def _summaries(self, tenant: str, ids: Sequence[str]) -> Sequence[DocumentSummary]:
        """Return documents in the order of their ids; those that have just gone are left out."""
        rows = (
            {row.id: row for row in queries.document_summaries(self.graph, tenant=tenant, ids=list(ids))} if ids else {}
        )
        return [_summary(rows[each]) for each in ids if each in rows]

    def get(self, tenant: str, document_id: str) -> DocumentDetail:
        """Return one document.

        Raises:
            NotFoundError: the tenant has no such document.
        """
        row = queries.document_detail(self.graph, tenant=tenant, id=document_id)
        if row is None:
            raise NotFoundError(f"There is no document {document_id}; `interlace documents list` lists them.")
        return DocumentDetail(
            document=_summary(row),
            chunks=row.chunks,
            links_out=row.links_out,
            links_in=row.links_in,
            sections=tuple(DocumentSection(**section._asdict()) for section in row.sections),
            entities=tuple(DocumentEntity(**entity._asdict()) for entity in row.entities),
        )

    def named(self, tenant: str, document: str) -> DocumentDetail:
        """Return a document by its id or its source URI.

        Raises:
            NotFoundError: there is no such document.
        """
        try:
            return self.get(tenant, document)
        except NotFoundError as missing:
            try:
                return self.get(tenant, id_of_source(tenant, document))
            except NotFoundError:
                raise missing from None

    def counts(self) -> GraphCounts:
        """Return the size of the graph; the cost does not depend on it."""
        return GraphCounts(**queries.document_counts(self.graph)._asdict())


def _summary(row: queries.DocumentSummariesRow | queries.DocumentDetailRow) -> DocumentSummary:
    properties: Mapping[str, Any] = row.document or {}
    ledger = _ledger(row.record) if row.record else None
    status: Status = "ready"
    if row.document is None:
        status = "quarantined" if ledger and ledger.stage == "quarantined" else "pending"
    return DocumentSummary(
        id=row.id,
        source_uri=row.source,
        title=properties.get("title"),
        status=status,
        media_type=properties.get("mediaType") or (row.record.media_type if row.record else ""),
        checksum=properties.get("checksum") or (row.record.checksum if row.record else ""),
        version=properties.get("version"),
        indexed_at=properties.get("indexedAt"),
        created_at=properties.get("createdAt"),
        modified_at=properties.get("modifiedAt"),
        tags=tuple(properties.get("tags") or ()),
        metadata={key.removeprefix(_METADATA): value for key, value in properties.items() if key.startswith(_METADATA)},
        ledger=ledger,
        access=tuple(properties.get("access") or ()) if reader_groups() is None else (),
    )


def _ledger(record: queries.DocumentDetailRecord) -> IngestionRecord:
    return IngestionRecord(
        operation=record.operation,
        stage=record.stage,
        failed_stage=record.failed_stage,
        attempt=record.attempt,
        reason=record.reason,
        message=record.error,
        job_id=record.job_id,
    )
