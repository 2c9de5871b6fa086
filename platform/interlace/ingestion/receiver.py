"""Takes documents in: enters them in the ledger, then asks workers to process them.

The ledger is written before the queue hears of it, so a queue that is away delays work and loses none.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

import orjson

from interlace.cypher_files import query
from interlace.domain.documents import Source
from interlace.domain.errors import NotFoundError, ParseError, UnavailableError
from interlace.domain.ids import document_id, stable_id
from interlace.ingestion.difference import known_documents
from interlace.ingestion.ledger import pack
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue

T = TypeVar("T")
_CREATE_JOB = query("jobs/create_job")
_SEAL_JOB = query("jobs/close_job")
_HEAR_JOB = query("jobs/heartbeat_job")
_RECEIVE = query("ingestion_records/receive_records")
_DROP_UNCHANGED = query("ingestion_records/drop_superseded")
_FIND_DOCUMENTS = query("documents/find_documents")
# What one receiving transaction holds at most.
_RECEIVED_AT_ONCE = 256
_RECEIVED_BYTES = 8_000_000
# Compressed bytes after which a task takes no more documents.
_LEAST = 16
_TASK_BYTES = 300_000


@dataclass(slots=True)
class Receipt:
    """What came of handing documents in.

    Args:
        job_id: the job that will process them.
        received: documents entered in the ledger.
        unchanged: documents that the graph already holds, same bytes, same pipeline.
        errors: sources that could not even be read, with their sentences.
        delayed: why workers were not told: the sweeper will tell them when the queue is back.
    """

    job_id: str
    received: int = 0
    unchanged: int = 0
    errors: list[ParseError] = field(default_factory=list)
    delayed: UnavailableError | None = None


class DocumentReceiver:
    """Receives and deletes documents of a tenant.

    Args:
        graph: where the ledger lives.
        queue: whom to tell.
        fingerprint: the pipeline's fingerprint, to know what is unchanged.
        batch_documents: documents a task takes.
    """

    def __init__(self, graph: GraphDatabase, queue: TaskQueue, *, fingerprint: str, batch_documents: int) -> None:
        self._graph = graph
        self._queue = queue
        self._fingerprint = fingerprint
        self._batch = batch_documents

    def receive(self, tenant: str, sources: Iterable[Source | ParseError], job_id: str | None = None) -> Receipt:
        """Enter documents in the ledger and enqueue them as they come.

        Args:
            tenant: whose documents.
            sources: an iterator is consumed in bounded memory.
            job_id: id for the job (an idempotency key makes the same job); a new one if not given.

        Raises:
            UnavailableError: the graph does not answer, and the rest was not received; or the queue does not, and all was. What the
                ledger holds will be processed when they are back.
        """
        receipt = Receipt(job_id or _new_id(tenant))
        self._graph.run(_CREATE_JOB, tenant=tenant, id=receipt.job_id, kind="ingest")
        for group in grouped(sources, receipt.errors):
            self._enter(tenant, receipt, group)
        self._seal(tenant, receipt)
        return receipt

    def _enter(self, tenant: str, receipt: Receipt, group: Sequence[Source]) -> None:
        self._graph.run(_HEAR_JOB, tenant=tenant, id=receipt.job_id)
        rows = {document_id(tenant, source.uri): source for source in group}
        same = known_documents(self._graph, tenant, self._fingerprint, rows).unchanged
        if same:
            self._graph.run(_DROP_UNCHANGED, tenant=tenant, ids=sorted(same))
        fresh = [_entry(identity, source, receipt.job_id) for identity, source in rows.items() if identity not in same]
        receipt.unchanged += len(same)
        # One that is not full is most likely the last.
        self._submit(tenant, receipt, fresh, dwindling=len(group) < _RECEIVED_AT_ONCE)

    def _submit(
        self, tenant: str, receipt: Receipt, entries: Sequence[dict[str, Any]], *, dwindling: bool = False
    ) -> None:
        if not entries:
            return
        self._graph.run(_RECEIVE, tenant=tenant, rows=list(entries))
        receipt.received += len(entries)
        if receipt.delayed is None:
            try:
                self._queue.ingest(tenant, list(tasks_of(entries, self._batch, dwindling=dwindling)))
            except UnavailableError as error:
                receipt.delayed = error

    def _seal(self, tenant: str, receipt: Receipt) -> None:
        self._graph.run(
            _SEAL_JOB,
            tenant=tenant,
            id=receipt.job_id,
            total=receipt.received,
            unchanged=receipt.unchanged,
            unreadable=[error.message for error in receipt.errors[:1000]],
        )
        if receipt.delayed is not None:
            raise receipt.delayed

    def delete(
        self, tenant: str, *, ids: Sequence[str] = (), source_prefix: str | None = None, everything: bool = False
    ) -> Receipt:
        """Enter deletions in the ledger: by id, by source URI or path prefix, or all of the tenant's documents.

        Raises:
            NotFoundError: nothing matches.
            UnavailableError: as ``receive``.
        """
        receipt = Receipt(_new_id(tenant))
        found = self._graph.run(
            _FIND_DOCUMENTS, tenant=tenant, ids=list(ids), prefix=source_prefix, everything=everything
        )
        if not found:
            raise NotFoundError("No document matches; `interlace documents list` shows what there is.")
        self._graph.run(_CREATE_JOB, tenant=tenant, id=receipt.job_id, kind="delete")
        for group in _batched(found, _RECEIVED_AT_ONCE):
            self._submit(tenant, receipt, [_deletion(row, receipt.job_id) for row in group])
        self._seal(tenant, receipt)
        return receipt


def tasks_of(entries: Sequence[Mapping[str, Any]], most: int, *, dwindling: bool = False) -> Iterator[list[str]]:
    """Divide entries (``id``, ``size``) among tasks by number and by size, so that a task's memory is bounded whatever it is handed.

    Args:
        entries: in order.
        most: entries a task may have.
        dwindling: each task takes a quarter of what is left, so that several workers end at about the same time.
    """
    task: list[str] = []
    size = 0
    wanted = most
    for at, entry in enumerate(entries):
        if not task and dwindling:
            wanted = min(most, max(_LEAST, (len(entries) - at) // 4))
        task.append(entry["id"])
        size += entry["size"]
        if len(task) >= wanted or size >= _TASK_BYTES:
            yield task
            task, size = [], 0
    if task:
        yield task


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def grouped(sources: Iterable[Source | ParseError], errors: list[ParseError]) -> Iterator[list[Source]]:
    """Yield sources in groups that one transaction holds, bounded by number and bytes; add what cannot be read to ``errors``."""
    group: list[Source] = []
    size = 0
    for source in sources:
        if isinstance(source, ParseError):
            errors.append(source)
            continue
        group.append(source)
        size += len(source.content)
        if len(group) >= _RECEIVED_AT_ONCE or size >= _RECEIVED_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _entry(identity: str, source: Source, job_id: str) -> dict[str, Any]:
    content = pack(source.content)
    return {
        "id": identity,
        "jobId": job_id,
        "operation": "upsert",
        "sourceUri": source.uri,
        "mediaType": source.media_type,
        "checksum": source.checksum,
        "size": len(content),
        "content": content,
        "metadata": orjson.dumps(dict(source.metadata)).decode(),
    }


def _deletion(row: Any, job_id: str) -> dict[str, Any]:
    return {
        "id": row["id"],
        "jobId": job_id,
        "operation": "delete",
        "sourceUri": row["sourceUri"],
        "mediaType": "",
        "checksum": "",
        "size": 0,
        "content": None,
        "metadata": "{}",
    }


def _new_id(tenant: str) -> str:
    return stable_id("job", tenant, str(time.time_ns()))
