"""Receives documents: enters them in the ledger, then enqueues tasks for the workers.

The ledger is written before the queue, so a queue that does not answer delays work but loses nothing.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from more_itertools import chunked

from interlace.access.restricted_tenants import mark_restricted
from interlace.documents.tenants import Tenants
from interlace.domain.atoms import addressed_atom
from interlace.domain.documents import ACCESS, LOCAL_FILE, Source
from interlace.domain.errors import ConflictError, InterlaceError, NotFoundError, ParseError, UnavailableError
from interlace.domain.ids import document_id as id_of_source
from interlace.domain.ids import stable_id
from interlace.ingestion.difference import known_documents
from interlace.ingestion.ledger import compress
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.queue import TaskQueue
from interlace.queries.documents import documents_by_id, find_documents
from interlace.queries.ingestion_records import drop_superseded, receive_records, received_records
from interlace.queries.jobs import close_job, create_job, heartbeat_job

BROKEN_OFF: Final = (
    "The upload ended early, because the sender stopped or failed, or the graph database was lost. What was received is "
    "processed; send the same documents again: those already there cost nothing."
)
"""Note on a job that was closed before all its documents had been received."""
# Limits of one receiving transaction.
_RECEIVE_BATCH = 256
_RECEIVED_BYTES = 8_000_000
_MIN_RECORDS = 16
# Compressed bytes after which a task takes no more documents.
_TASK_BYTES = 300_000


@dataclass(slots=True)
class Receipt:
    """What was received.

    Args:
        job_id: the job that will process them.
        received: documents entered in the ledger.
        unchanged: documents that the graph already holds, same bytes, same pipeline.
        errors: sources that could not even be read, with the reasons as sentences.
        delayed: why no task was enqueued; the sweeper enqueues it when the queue answers again.
        ready_before: documents that an earlier request for the same job had written.
    """

    job_id: str
    received: int = 0
    unchanged: int = 0
    errors: list[ParseError] = field(default_factory=list)
    delayed: UnavailableError | None = None
    ready_before: int = 0


@dataclass(frozen=True, slots=True)
class DocumentReceiver:
    """Receives and deletes documents of a tenant.

    Args:
        graph: where the ledger lives.
        queue: where tasks for workers are enqueued.
        fingerprint: the pipeline's fingerprint, to know what is unchanged.
        batch_documents: documents per task.
    """

    graph: GraphDatabase
    queue: TaskQueue
    fingerprint: str
    batch_documents: int

    def receive(
        self, tenant: str, sources: Iterable[Source | ParseError], job_id: str | None = None, owner: str = ""
    ) -> Receipt:
        """Enter documents in the ledger and enqueue them as they come.

        Args:
            tenant: the tenant that owns the documents.
            sources: an iterator is consumed in bounded memory.
            job_id: id for the job (the same for the same idempotency key); a new one if not given.
            owner: id of the API key that asks; empty for a caller without one.

        Raises:
            ConflictError: the tenant is being removed, or it was or the job was cancelled while documents arrived.
            UnavailableError: the graph does not answer, and the remaining documents were not received; or the queue does not, and all
                were. What the ledger holds is processed when they are back.
        """
        Tenants(self.graph).check_not_removed(tenant)
        receipt = Receipt(job_id or _new_id(tenant))
        receipt.ready_before = create_job(
            self.graph, tenant=tenant, id=receipt.job_id, kind="ingest", owner=owner or None
        )
        try:
            for group in grouped(sources, receipt.errors):
                self._enter(tenant, receipt, group)
        except (UnavailableError, ConflictError):
            raise  # most likely of the graph, without which no job is closed, so that a sweep closes it; or it is closed
        except (Exception, KeyboardInterrupt):
            if job_id is None:  # else whoever repeats the request sends the rest
                with suppress(InterlaceError):
                    self._close(tenant, receipt, BROKEN_OFF)
            raise
        self._close(tenant, receipt)
        return receipt

    def _enter(self, tenant: str, receipt: Receipt, group: Sequence[Source]) -> None:
        if any(source.metadata.get(ACCESS) for source in group):
            # Not only once they are written: source URIs of what waits or fails show in lists and jobs.
            mark_restricted(self.graph, tenant)
        rows = {id_of_source(tenant, source.uri): source for source in group}
        same = self._unchanged(tenant, rows)
        fresh = [_entry(each, source, receipt.job_id) for each, source in rows.items() if each not in same]
        receipt.unchanged += len(same)
        # A group that is not full is most likely the last.
        self._submit(tenant, receipt, fresh, dwindling=len(group) < _RECEIVE_BATCH)

    def _unchanged(self, tenant: str, sources: Mapping[str, Source]) -> frozenset[str]:
        """Return the ids of documents that the graph holds already, and drop what waits to replace them."""
        same = known_documents(self.graph, tenant, self.fingerprint, sources).unchanged
        if not same:
            return same
        drop_superseded(self.graph, tenant=tenant, ids=sorted(same))
        # What was dropped too late is written by now.
        return known_documents(self.graph, tenant, self.fingerprint, {each: sources[each] for each in same}).unchanged

    def _submit(
        self, tenant: str, receipt: Receipt, entries: Sequence[dict[str, Any]], *, dwindling: bool = False
    ) -> None:
        if not entries:
            return
        try:
            self.graph.transact(lambda tx: _enter_records(tx, tenant, receipt.job_id, entries))
        except ConflictError as error:
            with suppress(InterlaceError):
                self._close(tenant, receipt, error.message)
            raise
        receipt.received += len(entries)
        if receipt.delayed is None:
            sizes = [(entry["id"], entry["size"]) for entry in entries]
            try:
                self.queue.ingest(tenant, list(tasks_of(sizes, self.batch_documents, dwindling=dwindling)))
            except UnavailableError as error:
                receipt.delayed = error

    def _close(self, tenant: str, receipt: Receipt, *notes: str) -> None:
        close_job(
            self.graph,
            tenant=tenant,
            id=receipt.job_id,
            total=receipt.received,
            unchanged=max(receipt.unchanged - receipt.ready_before, 0),
            unreadable=[*notes, *(error.message for error in receipt.errors[:1000])],
        )
        if receipt.delayed is not None:
            raise receipt.delayed

    def find(self, tenant: str, *, source_prefix: str | None = None, file: str | None = None) -> dict[str, str]:
        """Return id → source URI of documents, also of those on their way; all of the tenant's if neither is given.

        Args:
            tenant: the tenant that owns the documents.
            source_prefix: beginning of their source URIs, or an atom's address; beside ``file`` of those that came from no file.
            file: absolute path of the file that they came from, or of a folder around it.
        """
        atom = addressed_atom(source_prefix or "") or None
        rows = find_documents(self.graph, tenant=tenant, prefix=source_prefix, atom=atom, file=file)
        return {row.id: row.source_uri for row in rows}

    def delete(self, tenant: str, *, ids: Sequence[str] = (), everything: bool = False, owner: str = "") -> Receipt:
        """Enter deletions in the ledger, by id or of all of the tenant's documents.

        ``owner`` is as in ``receive``.

        Raises:
            NotFoundError: nothing matches.
            ConflictError, UnavailableError: as ``receive``.
        """
        Tenants(self.graph).check_not_removed(tenant)
        receipt = Receipt(_new_id(tenant))
        found = self.find(tenant) if everything else {}
        for some in chunked(ids, _RECEIVE_BATCH):
            found |= {row.id: row.source_uri for row in documents_by_id(self.graph, tenant=tenant, ids=some)}
        if not found:
            which = f"has the id {', '.join(sorted(ids))}" if ids else "matches"
            raise NotFoundError(f"No document {which}; `interlace documents list` lists them.")
        create_job(self.graph, tenant=tenant, id=receipt.job_id, kind="delete", owner=owner or None)
        for group in chunked(found.items(), _RECEIVE_BATCH):
            self._submit(tenant, receipt, [_deletion(*document, receipt.job_id) for document in group])
        self._close(tenant, receipt)
        return receipt


def _enter_records(tx: Transaction, tenant: str, job_id: str, entries: Sequence[dict[str, Any]]) -> None:
    """Enter uploads or deletions in the ledger.

    Raises:
        ConflictError: the job was cancelled or removed with its tenant; nothing is entered.
    """
    missing = list(entries)
    while missing:
        receive_records(tx, tenant=tenant, rows=missing)
        # A record that a worker finishes just then is gone once its lock is free, and what was set on it is lost without an error.
        compared = [{name: entry[name] for name in ("id", "operation", "checksum")} for entry in missing]
        held = set(received_records(tx, tenant=tenant, job_id=job_id, rows=compared))
        missing = [entry for entry in missing if entry["id"] not in held]
    # Locked last, like a worker does that counts what it has finished.
    cancelled = heartbeat_job(tx, tenant=tenant, id=job_id)
    if cancelled is None:
        raise ConflictError(
            f"Tenant {tenant} was removed while its documents arrived; send them again to start it afresh."
        )
    if cancelled:
        raise ConflictError(
            f"Job {job_id} was cancelled while its documents arrived; those that no worker had started are dropped."
        )


def tasks_of(records: Sequence[tuple[str, int]], max_records: int, *, dwindling: bool = False) -> Iterator[list[str]]:
    """Divide ingestion records among tasks by number and by size, so that a task's memory is bounded.

    Args:
        records: id and compressed bytes of each, in order.
        max_records: records a task may have.
        dwindling: each task takes a quarter of what is left, so that several workers end at about the same time; this is why no
            library's batching will do.
    """
    task: list[str] = []
    size = 0
    wanted = max_records
    for at, (document_id, bytes_) in enumerate(records):
        if not task and dwindling:
            wanted = min(max_records, max(_MIN_RECORDS, (len(records) - at) // 4))
        task.append(document_id)
        size += bytes_
        if len(task) >= wanted or size >= _TASK_BYTES:
            yield task
            task, size = [], 0
    if task:
        yield task


def grouped(sources: Iterable[Source | ParseError], errors: list[ParseError]) -> Iterator[list[Source]]:
    """Group sources by number and by size, so that memory is bounded; append those that could not be read to ``errors``.

    A group is yielded as soon as it is full, before the next source is requested: whatever was sent before a connection broke is
    received. ``more_itertools.constrained_batches`` looks one ahead.
    """
    group: list[Source] = []
    size = 0
    for source in sources:
        if isinstance(source, ParseError):
            errors.append(source)
            continue
        group.append(source)
        size += len(source.content)
        if len(group) >= _RECEIVE_BATCH or size >= _RECEIVED_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _entry(document_id: str, source: Source, job_id: str) -> dict[str, Any]:
    content = compress(source.content)
    return {
        "id": document_id,
        "jobId": job_id,
        "operation": "upsert",
        "sourceUri": source.uri,
        "mediaType": source.media_type,
        "checksum": source.checksum,
        "size": len(content),
        "content": content,
        "metadata": orjson.dumps(dict(source.metadata)).decode(),
        "file": source.metadata.get(LOCAL_FILE),
    }


def _deletion(document_id: str, source_uri: str, job_id: str) -> dict[str, Any]:
    return {
        "id": document_id,
        "jobId": job_id,
        "operation": "delete",
        "sourceUri": source_uri,
        "mediaType": "",
        "checksum": "",
        "size": 0,
        "content": None,
        "metadata": "{}",
        "file": None,
    }


def _new_id(tenant: str) -> str:
    return stable_id("job", tenant, str(time.time_ns()))
