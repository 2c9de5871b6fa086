"""``interlace ingest``: documents in."""

import dataclasses
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress

from interlace.cli.commands.prune import check_prune
from interlace.cli.commands.prune import prune as remove_vanished
from interlace.cli.output import JsonOption, TenantOption, in_tenant, print_json, say
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.views.preview import show_preview
from interlace.cli.waiting import counted, describe, job_progress, wait_for
from interlace.documents.tenants import Tenants
from interlace.domain.atoms import ATLAS_STRATEGY, AtlasStrategy
from interlace.domain.documents import ACCESS, TAGS, Source
from interlace.domain.errors import ParseError
from interlace.domain.ids import stable_id
from interlace.domain.reader import group_names
from interlace.jobs.service import JobStatus
from interlace.parsing.metadata import check_tags

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.documents.folders import FolderWatch
    from interlace.ingestion.preview import IngestPreview
    from interlace.ingestion.receiver import Receipt


_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
PruneOption = Annotated[
    bool, typer.Option("--prune", help="Also remove the folders' documents whose files are gone, after showing which.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(ingest)
    app.command()(sync)


def ingest(
    paths: Annotated[
        list[str], typer.Argument(help="Files and folders, or addresses where they are allowed.", show_default=False)
    ],
    wait: Annotated[
        bool,
        typer.Option("--wait/--no-wait", help="Wait until all documents are ready, or print the job's id at once."),
    ] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would change and what it would cost; change nothing.")
    ] = False,
    atlas: Annotated[
        AtlasStrategy | None,
        typer.Option(help="Ingest Markdown as atoms, split by section or each as one section.", show_default=False),
    ] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="A tag for every document; may be repeated.", show_default=False)
    ] = None,
    prune: PruneOption = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --prune: do not ask for confirmation.")] = False,
    access: Annotated[
        list[str] | None,
        typer.Option(
            "--access", help="A group of readers that may see the documents; may be repeated.", show_default=False
        ),
    ] = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ingest files and folders. What is already ingested, byte for byte, costs nothing. Exits with 1 if a document failed."""
    from interlace.documents.folders import FolderWatch

    check_tags(tags or ())
    sent: dict[str, Any] = {**({ATLAS_STRATEGY: atlas} if atlas else {}), **({TAGS: tags} if tags else {})}
    sent |= {ACCESS: list(group_names(access))} if access else {}
    if prune:
        check_prune(wait=wait, dry_run=dry_run, yes=yes)
    with platform_for(tenant, new=True) as (platform, name):
        watch = FolderWatch(platform.graph, name, _folders(paths) if prune else ())
        if dry_run:
            preview = _preview(platform, name, paths, sent, watch, quiet=as_json)
            show_preview(preview, watch.vanished(), as_json=as_json)
            raise typer.Exit(1 if preview.failures else 0)
        receipt = _receive(platform, name, paths, sent, watch, quiet=as_json)
        _report_unreadable(receipt)
        if not wait:
            _print_receipt(receipt, as_json=as_json)
            raise typer.Exit(1 if receipt.errors else 0)
        status = wait_for(platform.jobs, name, receipt.job_id, workers=platform.queue.workers, quiet=as_json)
        vanished = watch.vanished() if status.state == "done" else []
        removal = remove_vanished(platform, name, vanished, yes=yes, quiet=as_json)
        entities = Tenants(platform.graph).counts(name).entities
    removed = removal.deleted if removal else 0
    if as_json:
        print_json({**dataclasses.asdict(status), "removed": removed} if prune else status)
    else:
        _report_failures(status, name)
        write_line(_summary(status, receipt, entities, removed))
    if status.failed or status.unreadable or receipt.errors or (removal and removal.failed):
        raise typer.Exit(1)


def sync(
    folders: Annotated[list[str], typer.Argument(help="Folders, or files of records.", show_default=False)],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be added, changed, renamed and removed; change nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Synchronise documents with the files of their folders: short for `ingest --prune`."""
    ingest(folders, dry_run=dry_run, prune=True, yes=yes, tenant=tenant, as_json=as_json)


def _preview(
    platform: "Platform", tenant: str, paths: list[str], sent: Mapping[str, Any], watch: "FolderWatch", *, quiet: bool
) -> "IngestPreview":
    with job_progress(quiet=quiet) as progress:
        found = watch.watch(_found(platform, tenant, paths, sent, progress))
        return platform.previewer.preview(tenant, found, lambda: [each.id for each in watch.vanished()])


def _receive(
    platform: "Platform", tenant: str, paths: list[str], sent: Mapping[str, Any], watch: "FolderWatch", *, quiet: bool
) -> "Receipt":
    job = stable_id("job", tenant, uuid.uuid4().hex)
    with job_progress(quiet=quiet) as progress:
        found = watch.watch(_found(platform, tenant, paths, sent, progress))
        try:
            return platform.receiver.receive(tenant, found, job_id=job)
        except KeyboardInterrupt:
            progress.stop()
            say(
                f"Stopped reading. What was read so far is ingested as job {job}; the rest is not. Give the same paths again to continue."
            )
            raise


def _found(
    platform: "Platform", tenant: str, paths: list[str], sent: Mapping[str, Any], progress: Progress
) -> Iterator[Source | ParseError]:
    from interlace.documents.known_files import under_known_uris
    from interlace.parsing.media import KNOWN
    from interlace.parsing.received import documents_of_page
    from interlace.parsing.sandbox.limits import ParseLimits
    from interlace.parsing.sources import find_sources

    task = progress.add_task("", total=None, shown="reading")
    limits = ParseLimits(max_bytes=platform.settings.ingest.max_bytes)
    urls = [path for path in paths if _ADDRESS.match(path)]
    pages = platform.fetcher.fetch(urls) if urls else []
    documents = (document for page in pages for document in documents_of_page(page, {}, limits))
    files = under_known_uris(platform.graph, tenant, find_sources(_folders(paths), limits=limits))
    count = 0
    for count, source in enumerate(chain(files, documents), start=1):
        progress.update(task, shown=f"{count:,} documents read")
        yield _with_metadata(source, sent)
    if not count:
        say(
            f"Nothing was found in {', '.join(paths)}. Interlace reads {KNOWN}; hidden files, pictures, and what .gitignore lists are left out."
        )


def _folders(paths: list[str]) -> list[Path]:
    return [Path(path) for path in paths if not _ADDRESS.match(path)]


def _with_metadata(source: Source | ParseError, sent: Mapping[str, Any]) -> Source | ParseError:
    if isinstance(source, ParseError) or not sent:
        return source
    return replace(source, metadata={**source.metadata, **sent})


def _report_unreadable(receipt: "Receipt") -> None:
    for error in receipt.errors:
        say(f"failed: {error.message}")


def _report_failures(status: JobStatus, tenant: str) -> None:
    for failure in status.failures:
        say(f"failed: {failure.source_uri} after stage {failure.stage} ({failure.reason}): {failure.message}")
    hidden = status.failed - len(status.failures)
    if hidden > 0:
        say(in_tenant(f"{hidden:,} further documents failed; `interlace documents quarantined` lists them.", tenant))


def _print_receipt(receipt: "Receipt", *, as_json: bool) -> None:
    if as_json:
        errors = [{"uri": error.uri, "reason": error.reason, "message": error.message} for error in receipt.errors]
        print_json(
            {"job_id": receipt.job_id, "received": receipt.received, "unchanged": receipt.unchanged, "errors": errors}
        )
    else:
        write_line(receipt.job_id)


def _summary(status: JobStatus, receipt: "Receipt", entities: int, removed: int) -> str:
    parts = [describe(status), f"{counted(entities, 'entity', 'entities')} in the graph"]
    if receipt.unchanged:
        parts.append(f"{receipt.unchanged:,} unchanged")
    if removed:
        parts.append(f"{removed:,} removed")
    if receipt.errors:
        parts.append(f"{len(receipt.errors):,} unreadable")
    if status.state == "cancelled":
        parts.append("cancelled")
    return f"{' · '.join(parts)} · {status.seconds:.1f} s"
