"""``/v1/documents``: documents in, out and away. What changes documents answers 202 and is done by a job."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse

from interlace.api.dependencies import Cursor, Limit, NewTenant, PlatformDep, ReaderTenant, Tenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.schemas.labels import LabelsBody
from interlace.api.schemas.uploads import Accepted, ReplacementBody, SourceError
from interlace.api.scopes import UNSHOWN, CallerOf, for_readers, requires
from interlace.api.uploads import REQUEST_BODY, Received, Requested, requested
from interlace.documents.repository import DocumentDetail, DocumentRepository, DocumentSort, DocumentSummary, Status
from interlace.domain.documents import Source
from interlace.domain.errors import InvalidInputError
from interlace.domain.filter_text import MAX_FILTER_CHARACTERS, parse_filter
from interlace.domain.ids import document_id
from interlace.domain.validation import IDEMPOTENCY_KEY
from interlace.ingestion.preview import IngestPreview
from interlace.ingestion.receiver import Receipt
from interlace.jobs.idempotency import bind_job
from interlace.jobs.quarantine import Quarantine
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.search.conditions import document_filter

router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=RESPONSES)
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=255,
        pattern=IDEMPOTENCY_KEY.pattern,
        description="idempotency key: a repetition gives the same job",
    ),
]

DryRun = Annotated[bool, Query(description="only report what would change and what it would cost; change nothing")]


@router.post(
    "",
    status_code=202,
    response_model=Accepted,
    responses={200: {"model": IngestPreview, "description": "What would change, with `dry_run`"}},
    openapi_extra={"requestBody": REQUEST_BODY},
    dependencies=[requires("ingest")],
)
def create_documents(
    upload: Received,
    platform: PlatformDep,
    tenant: NewTenant,
    caller: CallerOf,
    response: Response,
    idempotency_key: IdempotencyKey = None,
    *,
    dry_run: DryRun = False,
) -> Accepted | Response:
    """Ingest documents: JSON, the files of a form, or pages by their `urls` where the server's settings allow their hosts.

    A document with a known URI is replaced.
    """
    limits = ParseLimits(max_bytes=platform.settings.ingest.max_bytes)
    asked = requested(upload, limits)
    if dry_run:
        return JSONResponse(asdict(platform.previewer.preview(tenant, asked.fetched(platform.fetcher, limits))))
    job = None
    if idempotency_key is not None:
        job = _job_of(idempotency_key, asked, platform, tenant, caller.key_id)
        status = platform.jobs.status(tenant, job)
        if status.state != "receiving":
            return _accepted(Receipt(job, received=status.total, unchanged=status.unchanged), response)
    found = asked.fetched(platform.fetcher, limits)
    return _accepted(platform.receiver.receive(tenant, found, job, caller.key_id), response)


@router.put("/{document_id}", status_code=202, dependencies=[requires("ingest")])
def replace_document(
    document_id: str,
    body: ReplacementBody,
    platform: PlatformDep,
    tenant: NewTenant,
    caller: CallerOf,
    response: Response,
) -> Accepted:
    """Give a document new content. Questions see its old version until the new one is ready."""
    source = body.to_source(_uri_of(document_id, body.source_uri, platform, tenant))
    return _accepted(platform.receiver.receive(tenant, [source], owner=caller.key_id), response)


@router.patch(
    "/{document_id}",
    response_model=DocumentDetail,
    responses=UNSHOWN,
    dependencies=[requires("ingest")],
)
def label_document(
    document_id: str, body: LabelsBody, platform: PlatformDep, tenant: Tenant, caller: CallerOf
) -> DocumentDetail | Response:
    """Change tags and metadata by a JSON merge patch (RFC 7396). The text stays, and nothing is embedded again.

    Later uploads of the document keep what was changed here. A key without the scope `read` is not shown the document.
    """
    platform.labels.change(tenant, [document_id], body.to_change())
    return for_readers(caller, lambda: DocumentRepository(platform.graph).get(tenant, document_id))


@router.get("/{document_id}", dependencies=[requires("read")])
def get_document(document_id: str, platform: PlatformDep, tenant: ReaderTenant) -> DocumentDetail:
    """Return one document with its sections and the names it mentions most."""
    return DocumentRepository(platform.graph).get(tenant, document_id)


@router.get("", response_model=Page[DocumentSummary], dependencies=[requires("read")])
def list_documents(
    platform: PlatformDep,
    tenant: ReaderTenant,
    source: Annotated[str, Query(max_length=2000, description="prefix of the source URIs")] = "",
    tag: Annotated[str | None, Query(max_length=256, description="a tag; its child tags match too")] = None,
    status: Annotated[
        Status | None, Query(description="answering questions, with an upload on its way, or with a quarantined one")
    ] = None,
    where: Annotated[
        str | None,
        Query(
            alias="filter",
            max_length=MAX_FILTER_CHARACTERS,
            description="a metadata filter as text, for example `tags = boats and not metadata.year < 1990`",
        ),
    ] = None,
    sort: Annotated[
        DocumentSort, Query(description="by source URI, or by time: last modified, else created, else indexed")
    ] = "source",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """Return documents by source URI or by time, a page at a time."""
    chosen = document_filter(parse_filter(where) if where else None)
    kinds, last = ((str,), ("source_uri",)) if sort == "source" else ((str, str), ("dated", "id"))
    *date, after = read_cursor(cursor, *kinds) or ("",)
    items = DocumentRepository(platform.graph).list(
        tenant,
        source=source,
        tag=tag,
        status=status,
        limit=limit,
        after=after,
        where=chosen,
        sort=sort,
        after_date=date[0] if date else None,
    )
    return page(items, limit, *last)


@router.delete("/{document_id}", status_code=202, dependencies=[requires("delete")])
def delete_document(
    document_id: str, platform: PlatformDep, tenant: Tenant, caller: CallerOf, response: Response
) -> Accepted:
    """Remove a document and everything that only it supported."""
    return _accepted(platform.receiver.delete(tenant, ids=[document_id], owner=caller.key_id), response)


@router.post("/{document_id}/retry", status_code=202, dependencies=[requires("ingest")])
def retry_document(document_id: str, platform: PlatformDep, tenant: Tenant, response: Response) -> Accepted:
    """Try a quarantined upload or deletion again from the beginning; its job goes on.

    404 if the document is not quarantined.
    """
    (job,) = Quarantine(platform.graph, platform.queue).retry(tenant, ids=[document_id]).job_ids
    return _accepted(Receipt(job, received=1), response)


@router.post("/{document_id}/discard", status_code=204, dependencies=[requires("ingest")])
def discard_document(document_id: str, platform: PlatformDep, tenant: Tenant) -> None:
    """Drop a quarantined upload or deletion for good. The older version of the document stays, if there is one.

    404 if the document is not quarantined.
    """
    Quarantine(platform.graph, platform.queue).discard(tenant, ids=[document_id])


def _job_of(key: str, asked: Requested, platform: PlatformDep, tenant: str, owner: str) -> str:
    if asked.addresses:
        platform.fetcher.check_allowed()  # a refused request binds no key
    sources = [item for item in asked.documents if isinstance(item, Source)]
    return bind_job(platform.graph, tenant, key, sources, owner, addresses=asked.addresses)


def _accepted(receipt: Receipt, response: Response) -> Accepted:
    response.headers["Location"] = f"/v1/jobs/{receipt.job_id}"
    return Accepted(
        job_id=receipt.job_id,
        received=receipt.received,
        unchanged=receipt.unchanged,
        errors=[
            SourceError(source_uri=error.uri, reason=error.reason, message=error.message) for error in receipt.errors
        ],
    )


def _uri_of(wanted_id: str, given: str | None, platform: PlatformDep, tenant: str) -> str:
    if given is None:
        return DocumentRepository(platform.graph).get(tenant, wanted_id).document.source_uri
    if document_id(tenant, given) != wanted_id:
        raise InvalidInputError(f"source_uri: {given!r} is not the source URI of {wanted_id}; omit it, or use POST.")
    return given
