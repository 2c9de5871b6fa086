"""``interlace documents``: what is there, what is on its way, what is quarantined; and its deletion."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interlace.cli.commands.enrichment import enrich, pending
from interlace.cli.commands.labels import access, tag
from interlace.cli.commands.prune import settled
from interlace.cli.commands.verify import verify
from interlace.cli.options.filters import FilterOption, filter_of
from interlace.cli.output import JsonOption, TenantOption, confirm, in_tenant, print_json, print_table, say, say_if_more
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import counted
from interlace.documents.repository import DocumentDetail, DocumentRepository, DocumentSort, DocumentSummary, Status
from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.jobs.quarantine import Quarantine
from interlace.search.conditions import document_filter

if TYPE_CHECKING:
    from interlace.bootstrap import Platform

_PAGE = 200
Ids = Annotated[list[str] | None, typer.Option("--id", help="A document's id; may be repeated.", show_default=False)]
Source = Annotated[
    str | None, typer.Option("--source", help="Prefix of the source URI, or an ingested path.", show_default=False)
]
All = Annotated[bool, typer.Option("--all", help="All documents of the tenant.")]


def register(app: typer.Typer) -> None:
    """Add the command group to the application."""
    group = typer.Typer(
        help="Documents: list, show, verify, tag, restrict access, retry, delete, enrich.", no_args_is_help=True
    )
    group.command("list")(list_documents)
    for command in (show, verify, tag, access, quarantined, retry, discard, delete, enrich, pending):
        group.command()(command)
    app.add_typer(group, name="documents")


def list_documents(
    source: Annotated[str, typer.Option(help="Prefix of the source URIs.")] = "",
    tag: Annotated[str | None, typer.Option(help="A tag; its child tags match too.", show_default=False)] = None,
    status: Annotated[Status | None, typer.Option(help="Only documents in this status.", show_default=False)] = None,
    where: FilterOption = None,
    sort: Annotated[
        DocumentSort, typer.Option(help="By source, or by time: last modified, else created, else indexed.")
    ] = "source",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Documents to return.")] = 50,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List documents by source URI or by time."""
    with platform_for(tenant) as (platform, name):
        repository = DocumentRepository(platform.graph)
        chosen = document_filter(filter_of(where))
        pages = _pages(
            repository, name, source=source, tag=tag, status=status, limit=limit + 1, where=chosen, sort=sort
        )
        found = list(pages)
    if as_json:
        print_json(found[:limit])
    else:
        rows = [(item.id, item.status, item.title, item.source_uri, ", ".join(item.tags)) for item in found[:limit]]
        print_table(("id", "status", "title", "source", "tags"), rows)
    say_if_more(found, limit)


def show(
    document: Annotated[str, typer.Argument(help="The document's id or source URI.", show_default=False)],
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show one document: its metadata, sections, names and processing state."""
    with platform_for(tenant) as (platform, name):
        detail = DocumentRepository(platform.graph).named(name, document)
    if as_json:
        print_json(detail)
        return
    print_table(("", ""), _facts_of(detail))
    if detail.sections:
        write_line("")
        print_table(
            ("section", "chunks"), [(section.path or "(beginning)", section.chunks) for section in detail.sections]
        )


def quarantined(
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Documents to return.")] = 200,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List documents that are quarantined, each with its stage and reason."""
    with platform_for(tenant) as (platform, name):
        found = list(_pages(DocumentRepository(platform.graph), name, status="quarantined", limit=limit + 1))
    if as_json:
        print_json(found[:limit])
    else:
        entries = [(item, item.ledger) for item in found[:limit] if item.ledger is not None]
        print_table(
            ("id", "source", "after stage", "attempts", "reason", "message"),
            [
                (item.id, item.source_uri, entry.failed_stage, entry.attempt, entry.reason, entry.message)
                for item, entry in entries
            ],
        )
    say_if_more(found, limit)


def retry(
    ids: Ids = None,
    source: Source = None,
    everything: All = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try quarantined documents again from the beginning."""
    _check_choice(ids, source, everything=everything)
    with platform_for(tenant) as (platform, name):
        released = Quarantine(platform.graph, platform.queue).retry(name, ids=_chosen(platform, name, ids, source))
    if as_json:
        print_json(released)
    else:
        again = f"{counted(len(released.ids), 'document', 'documents')} will be tried again"
        watches = in_tenant("`interlace jobs show ID --follow` watches", name)
        write_line(f"{again}; {watches}: {', '.join(released.job_ids)}")


def discard(
    ids: Ids = None,
    source: Source = None,
    everything: All = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Drop quarantined uploads for good. Older versions of the documents stay."""
    _check_choice(ids, source, everything=everything)
    with platform_for(tenant) as (platform, name):
        dropped = Quarantine(platform.graph, platform.queue).discard(name, ids=_chosen(platform, name, ids, source))
    if as_json:
        print_json(dropped)
    else:
        write_line(f"{counted(len(dropped.ids), 'quarantined upload', 'quarantined uploads')} dropped.")


def delete(
    ids: Ids = None,
    source: Source = None,
    everything: All = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete documents and everything that only they supported; waits until they are gone."""
    _check_choice(ids, source, everything=everything)
    with platform_for(tenant) as (platform, name):
        chosen = _chosen(platform, name, ids, source)
        if not yes:
            _ask(name, chosen, source)
        receipt = platform.receiver.delete(name, ids=chosen, everything=everything)
        status = settled(platform, name, receipt.job_id, quiet=as_json)
    if as_json:
        print_json(status)
    else:
        write_line(f"{counted(status.deleted, 'document', 'documents')} deleted in {status.seconds:.1f} s.")
    if status.failed:
        say(in_tenant(f"{status.failed:,} could not be deleted; `interlace jobs show {status.id}` says why.", name))
        raise typer.Exit(1)


def _chosen(platform: "Platform", tenant: str, ids: list[str] | None, source: str | None) -> list[str]:
    """Return the ids that were given or that a source means; none where everything is meant."""
    return ids or (list(_from(platform, tenant, source)) if source else [])


def _from(platform: "Platform", tenant: str, source: str) -> dict[str, str]:
    """Return the documents that came from a path of this machine, or whose source begins as written.

    Where there is such a path, only those count that came from its files or from none, such as what a client sent: another folder of
    the same name is left alone.
    """
    path = Path(source)
    if path.is_absolute():
        found = platform.receiver.find(tenant, file=str(path.resolve()))
    elif path.exists():
        sent = source.rstrip("/") + ("/" if path.is_dir() else "")
        found = platform.receiver.find(tenant, file=str(path.resolve()), source_prefix=sent)
    else:
        found = platform.receiver.find(tenant, source_prefix=source)
    if not found:
        what = "came from the file or folder" if path.is_absolute() else "has a source that begins with"
        raise NotFoundError(f"No document {what} {source}; `interlace documents list` lists them.")
    return found


def _pages(
    repository: DocumentRepository,
    tenant: str,
    *,
    limit: int,
    source: str = "",
    tag: str | None = None,
    status: Status | None = None,
    where: Mapping[str, Any] | None = None,
    sort: DocumentSort = "source",
) -> Iterator[DocumentSummary]:
    """Yield at most ``limit`` documents, a page a question."""
    after, date = "", None
    while limit > 0:
        size = min(limit, _PAGE)
        found = repository.list(
            tenant,
            source=source,
            tag=tag,
            status=status,
            limit=size,
            after=after,
            where=where,
            sort=sort,
            after_date=date,
        )
        yield from found
        if len(found) < size:
            return
        limit, last = limit - size, found[-1]
        after, date = (last.source_uri, None) if sort == "source" else (last.id, last.dated)


def _check_choice(ids: list[str] | None, source: str | None, *, everything: bool) -> None:
    if sum((bool(ids), bool(source), everything)) != 1:
        raise InvalidInputError("Choose documents: --id ID, --source PREFIX, or --all.")


def _ask(tenant: str, ids: list[str], source: str | None) -> None:
    what = counted(len(ids), "document", "documents") if ids else "ALL documents"
    of_tenant = f"{what}{f' from {source}' if source else ''} of tenant {tenant}"
    confirm(f"delete {of_tenant}", f"Delete {of_tenant}, and everything that only they support?")


def _facts_of(detail: DocumentDetail) -> Iterator[tuple[str, object]]:
    document = detail.document
    yield from (
        ("id", document.id),
        ("source", document.source_uri),
        ("title", document.title),
        ("status", document.status),
    )
    yield from (("media type", document.media_type), ("checksum", document.checksum), ("version", document.version))
    yield from (("tags", ", ".join(document.tags)), ("access", ", ".join(document.access) or "everybody"))
    yield ("chunks", detail.chunks)
    yield ("links", f"{detail.links_out} out, {detail.links_in} in")
    yield ("entities", ", ".join(entity.name for entity in detail.entities))
    yield from ((f"metadata.{key}", value) for key, value in sorted(document.metadata.items()))
    if document.ledger is not None:
        yield ("in progress", f"{document.ledger.operation}, {document.ledger.stage}, job {document.ledger.job_id}")
        yield ("fault", document.ledger.message)
