"""The driver of ingestion: claims batches of documents, reads them, projects them to the vector index, writes them to the graph.

A batch is written in the background while the next one is read: the models keep the cores busy while the servers work.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial

from structlog.contextvars import bound_contextvars

from interlace.domain.errors import SettingsError, UnavailableError
from interlace.ingestion.failures import Failures, TimeLimit
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.projector import ChunkProjector
from interlace.ingestion.reader import BatchReader, Models, ReadBatch
from interlace.ingestion.stopwatch import Stopwatch
from interlace.ingestion.versions import Claim, Outcome
from interlace.ingestion.writer import GraphWriter
from interlace.leases.heartbeat import Heartbeat
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex

_logger = logging.getLogger(__name__)


class BatchProcessor:
    """Processes batches of ledger entries; one instance per worker process, called from a single thread."""

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        ledger: Ledger,
        outbox: Outbox,
        writer: GraphWriter,
        older_chunks: OlderChunks,
        models: Models,
        limit: TimeLimit,
    ) -> None:
        self._vectors = vectors
        self._ledger = ledger
        self._outbox = outbox
        self._writer = writer
        self._older_chunks = older_chunks
        self._closing = threading.Event()
        self._reader = BatchReader(graph, ledger, models)
        self._heartbeat = Heartbeat(ledger.lease_seconds / 3)
        self._background = ThreadPoolExecutor(1, thread_name_prefix="writing")
        self._writing: Future[Outcome] | None = None
        self._failures = Failures(graph, vectors, ledger, limit)
        # Twenty lease terms: a batch that takes longer has lost its claims long before.
        self._projector = ChunkProjector(vectors, outbox, models.embedders, ledger.lease_seconds * 20)

    def process(self, tenant: str, ids: Sequence[str]) -> Outcome:
        """Process the given documents until they are ready, as far as this worker can claim them.

        A document that cannot be read is quarantined with its reason; documents that a server outage interrupts are released and
        retried later; the others continue. A failure caused by a document itself raises nothing.

        Raises:
            UnavailableError: a server does not answer.
            SettingsError: a server does not accept our credentials.
        """
        outcomes: list[Outcome] = []
        self._wait()
        self.begin(tenant, ids, outcomes.append)
        if self._writing:
            self._writing.result()
        return Outcome(
            written=tuple(entry for outcome in outcomes for entry in outcome.written),
            deleted=tuple(entry for outcome in outcomes for entry in outcome.deleted),
            lost=tuple(entry for outcome in outcomes for entry in outcome.lost),
            deferred=any(outcome.deferred for outcome in outcomes),
        )

    def begin(self, tenant: str, ids: Sequence[str], done: Callable[[Outcome], None]) -> None:
        """Read the given documents as ``process`` does, and return while their last batch is still being written in the background.

        This process renews their leases until they are written. If it dies first, the leases expire and the sweeper enqueues the documents again.

        Args:
            tenant: the tenant that owns the documents.
            ids: ids of their ingestion records.
            done: called in the background with the outcome of each batch that was written.

        Raises:
            UnavailableError: a server does not answer.
            SettingsError: a server does not accept our credentials.
        """
        self._failures.release()
        fresh, tried = self._ledger.split(tenant, ids)
        for batch in [fresh, *([entry] for entry in tried)]:
            if batch:
                self._attempt(tenant, batch, done)

    def is_done(self, tenant: str) -> bool:
        """Return whether no document of a tenant is on its way."""
        return self._ledger.is_done(tenant)

    def close(self) -> None:
        """Wait for the transaction in progress; older chunks that it has deferred are left to the sweeper."""
        self._closing.set()
        self._background.shutdown()
        self._heartbeat.close()

    def _attempt(self, tenant: str, ids: Sequence[str], done: Callable[[Outcome], None]) -> None:
        claims = self._ledger.claim(tenant, ids)
        if not claims:
            return
        # Nearly always one job; a later upload may have moved some of a task's records to another job.
        with bound_contextvars(tenant=tenant, job=",".join(sorted({claim.job_id for claim in claims}))):
            self._process(tenant, claims, done)

    def _process(self, tenant: str, claims: Sequence[Claim], done: Callable[[Outcome], None]) -> None:
        renew = partial(self._ledger.renew, tenant, claims)
        self._heartbeat.start(renew)
        with self._heartbeat.stopped_on_error(renew):
            batch = self._read(tenant, claims)
            # One batch read ahead is enough, and memory stays bounded.
            self._wait()

            def write() -> Outcome:
                try:
                    outcome = self._write(tenant, claims, batch) if batch else Outcome()
                except (UnavailableError, SettingsError) as error:
                    # Only ``process`` waits for this thread's result.
                    _logger.warning("A batch of %d documents is released: %s", len(claims), error.message)
                    raise
                finally:
                    self._heartbeat.stop(renew)
                if outcome.deferred:
                    self._older_chunks.finish_or_leave(tenant, lambda: not self._closing.is_set())
                done(outcome)
                return outcome

            # Log lines of the other thread name the same task and job.
            self._writing = self._background.submit(copy_context().run, write)

    def _wait(self) -> None:
        """Wait for the batch being written; if it failed, its own thread has handled that."""
        if self._writing:
            wait([self._writing])
            self._writing = None

    def _read(self, tenant: str, claims: Sequence[Claim]) -> ReadBatch | None:
        with self._failures.handled(tenant, claims):
            # First, because minutes of the models' work would be lost if the index did not answer afterwards.
            self._vectors.ping()
            return self._reader.read(tenant, [claim for claim in claims if claim.operation != "delete"])
        return None

    def _write(self, tenant: str, claims: Sequence[Claim], batch: ReadBatch) -> Outcome:
        with self._failures.handled(tenant, claims):
            stopwatch = Stopwatch()
            outbox_entry = self._projector.project(tenant, batch)
            self._ledger.advance(tenant, [version.claim for version in batch.versions], "projected")
            stopwatch.lap("project")
            deletions = [claim for claim in claims if claim.operation == "delete"]
            outcome = self._writer.write(tenant, batch.versions, deletions, outbox_entry)
            stopwatch.lap("write")
            self._outbox.dispatch(tenant)
            stopwatch.lap("dispatch")
            _logger.info("Wrote %d documents: %s", len(claims), stopwatch)
            return outcome
        return Outcome()
