"""Re-enqueues documents that a dead worker, a queue that lost its tasks or an outage left behind; finishes deferred linking; dispatches the outbox."""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from interlace.access.audit import remove_old_audit
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.receiver import BROKEN_OFF, tasks_of
from interlace.jobs.retention import remove_old_jobs
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue
from interlace.queries.extractions import extracting_tenants
from interlace.queries.ingestion_records import (
    AbandonedRecordsRow,
    abandoned_records,
    interrupted_records,
)
from interlace.queries.jobs import close_silent_jobs
from interlace.queries.summaries import summarising_tenants
from interlace.queries.tenants import tenants_being_removed
from interlace.queries.vectors import tenants_with_missing_vectors
from interlace.vectors.entity_vectors import EntityVectors

_logger = logging.getLogger(__name__)
_Enqueue = Callable[[str, Sequence[Sequence[str]]], None]
_SWEEP_BATCH = 2000
_ASK_AGAIN_SECONDS = 60
# Tasks wait for the process that sweeps; the next sweep continues.
_LINKING_SECONDS = 20.0
SILENT_SECONDS = 900
"""Seconds after which a job that receives nothing more is closed: longer than reading a group of documents takes."""


class PendingDecisions(Protocol):
    """The decisions about entities that are still being applied."""

    def tenants(self) -> Sequence[str]:
        """Return the tenants that have one."""
        ...

    def finish_or_leave(self, tenant: str, should_continue: Callable[[], bool]) -> None:
        """Apply what is left of a tenant's decision; what a failure interrupts is left to the next sweep."""
        ...


@dataclass(frozen=True, slots=True)
class Sweeper:
    """Enqueues work that no worker has a lease on; closes abandoned jobs; links older chunks; dispatches outbox entries.

    Args:
        graph: the database.
        queue: where tasks are enqueued.
        outbox: dispatched at the end of each sweep.
        older_chunks: links what a writer has deferred and not finished.
        decisions: applies what is left of decisions about entities.
        entity_vectors: knows which entities wait to be embedded.
        batch_documents: documents per task.
        models: embedding models whose vectors every chunk should have.
        job_days: days after which finished jobs are deleted.
        audit_days: days after which audit entries are deleted.
        extracts: whether a language model extracts.
        summaries_key: key of what a language model writes about entities and communities; empty where none does.
    """

    graph: GraphDatabase
    queue: TaskQueue
    outbox: Outbox
    older_chunks: OlderChunks
    decisions: PendingDecisions
    entity_vectors: EntityVectors
    batch_documents: int
    models: Sequence[str]
    job_days: float
    audit_days: float
    extracts: bool = False
    summaries_key: str = ""

    def sweep(self) -> int:
        """Return how many ingestion records were enqueued again.

        A second task for the same record is harmless, because claiming is a compare-and-set. Jobs whose sender has fallen silent are
        closed. The vector index comes last (outbox, then entities), so that a vector index that does not answer delays nothing else.
        """
        now = int(time.time() * 1000)
        close_silent_jobs(self.graph, before=now - SILENT_SECONDS * 1000, message=BROKEN_OFF)
        self._remove_outdated()
        for tenant in tenants_being_removed(self.graph):
            self.queue.enqueue("remove_tenant", tenant)
        swept = self._enqueue()
        if self.models:
            self._enqueue_rebuilds()
        self._enqueue_enrichment()
        self._link_older_chunks()
        self.outbox.dispatch()
        # Last, because entities whose entries were just dispatched now wait too; waiting documents come first.
        if self.models and not self.queue.depth():
            for tenant in self.entity_vectors.tenants():
                self.queue.enqueue("embed_entities", tenant)
        return swept

    def _remove_outdated(self) -> None:
        """Remove jobs and entries of the audit log past their retention; the log is the only trace of it."""
        jobs = remove_old_jobs(self.graph, self.job_days)
        entries = remove_old_audit(self.graph, self.audit_days)
        if jobs or entries:
            _logger.info("Removed %d finished jobs and %d entries of the audit log past their retention", jobs, entries)

    def _link_older_chunks(self) -> None:
        until = time.monotonic() + _LINKING_SECONDS
        for tenant in self.decisions.tenants():
            self.decisions.finish_or_leave(tenant, lambda: time.monotonic() < until)
        for tenant in self.older_chunks.tenants():
            self.older_chunks.finish(tenant, lambda: time.monotonic() < until)

    def _enqueue_rebuilds(self) -> None:
        """Enqueue the embedding of chunks by models that were enabled after the chunks were ingested."""
        for tenant in tenants_with_missing_vectors(self.graph, models=self.models, seconds=_ASK_AGAIN_SECONDS):
            self.queue.enqueue("rebuild_vectors", tenant)

    def _enqueue_enrichment(self) -> None:
        """Enqueue documents that wait for a language model, and changed communities to be described, if they are due."""
        tenants = set[str]()
        if self.extracts:
            tenants.update(extracting_tenants(self.graph, limit=_SWEEP_BATCH))
        if self.summaries_key:
            tenants.update(summarising_tenants(self.graph, key=self.summaries_key, limit=_SWEEP_BATCH))
        for tenant in sorted(tenants):
            self.queue.enqueue("enrich", tenant)

    def _enqueue(self) -> int:
        """Enqueue records that no worker has a lease on, and return how many.

        As long as tasks wait, a record that was never taken most likely has one among them. One that was taken has none any more, and
        must not wait until an import of hours is over. While such retries wait, none are added, so that tasks do not pile up; they hold up
        nothing else, because only workers of an older version may run, which do not take them.
        """
        retries = self.queue.retries()
        if self.queue.depth() == retries:
            return self._put(abandoned_records(self.graph, limit=_SWEEP_BATCH), self.queue.ingest)
        if not retries:
            return self._put(interrupted_records(self.graph, limit=_SWEEP_BATCH), self.queue.retry)
        return 0

    def _put(self, rows: Sequence[AbandonedRecordsRow], enqueue: _Enqueue) -> int:
        found: dict[tuple[str, bool], list[tuple[str, int]]] = defaultdict(list)
        for row in rows:
            found[row.tenant, row.attempt > 0].append((row.id, row.size))
        for (tenant, tried), records in found.items():
            enqueue(tenant, list(tasks_of(records, 1 if tried else self.batch_documents)))
        return len(rows)
