"""Takes claimed documents from bytes to ready: reads them, projects them to the vector index, writes them to the graph.

A batch is written in the background while the next one is read: the models keep the cores busy, and the servers are waited for
meanwhile.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import Any

from interlace.domain.errors import InterlaceError, NoSpaceError, SettingsError, UnavailableError
from interlace.ingestion import rows
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.reader import BatchReader, Models, ReadBatch, model_input
from interlace.ingestion.versions import Claim, Outcome
from interlace.ingestion.watch import Watch
from interlace.ingestion.writer import GraphWriter
from interlace.leases.heartbeat import Heartbeat
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.vectors.projection import KIND, chunk_point, ensure_collection

_log = logging.getLogger(__name__)


class BatchProcessor:
    """Processes batches of ledger entries; one instance a worker process, whose methods one thread calls."""

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        ledger: Ledger,
        outbox: Outbox,
        writer: GraphWriter,
        models: Models,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._ledger = ledger
        self._outbox = outbox
        self._writer = writer
        self._models = models
        self._reader = BatchReader(graph, ledger, models)
        self._heartbeat = Heartbeat(ledger.lease_seconds / 3)
        self._background = ThreadPoolExecutor(1, thread_name_prefix="writing")
        self._writing: Future[Outcome] | None = None
        self._ensured: set[str] = set()
        # Documents of outages in which the graph could not even be told that they are given back.
        self._owed: list[tuple[str, Sequence[Claim], str]] = []
        self._settling = threading.Lock()

    def process(self, tenant: str, ids: Sequence[str]) -> Outcome:
        """Bring the named documents to ready, as far as this worker may claim them.

        A document that cannot be read is quarantined with its reason; one whose turn a server's outage spoilt is given back and tried
        again later; the others go on. Raises nothing for a document's own fault.

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
        )

    def begin(self, tenant: str, ids: Sequence[str], done: Callable[[Outcome], None]) -> None:
        """Read the named documents as ``process`` does, and leave the last batch of them to be written in the background.

        Until that is done this process holds its leases; should it die before, the leases run out and the sweeper has the documents
        processed again.

        Args:
            tenant: whose documents.
            ids: ids of their ledger entries.
            done: called with the outcome of each batch that was written, in the background.

        Raises:
            UnavailableError: a server does not answer.
            SettingsError: a server does not accept our credentials.
        """
        self._settle()
        fresh, tried = self._ledger.split(tenant, ids)
        for batch in [fresh, *([entry] for entry in tried)]:
            if batch:
                self._attempt(tenant, batch, done)

    def close(self) -> None:
        """Wait for what is being written."""
        self._background.shutdown()
        self._heartbeat.close()

    def _attempt(self, tenant: str, ids: Sequence[str], done: Callable[[Outcome], None]) -> None:
        claims = self._ledger.claim(tenant, ids)
        if not claims:
            return
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
                    # Nobody waits for this thread's answer but ``process``.
                    _log.warning("A batch of %d documents is given back: %s", len(claims), error.message)
                    raise
                finally:
                    self._heartbeat.stop(renew)
                done(outcome)
                return outcome

            self._writing = self._background.submit(write)

    def _wait(self) -> None:
        """Wait for what is being written; if it failed, its own thread has dealt with that."""
        if self._writing:
            wait([self._writing])
            self._writing = None

    def _read(self, tenant: str, claims: Sequence[Claim]) -> ReadBatch | None:
        with self._answering_for(tenant, claims):
            # Asked first, because what models read for minutes would be read in vain.
            self._vectors.ping()
            return self._reader.read(tenant, [claim for claim in claims if claim.operation != "delete"])
        return None

    def _write(self, tenant: str, claims: Sequence[Claim], batch: ReadBatch) -> Outcome:
        with self._answering_for(tenant, claims):
            watch = Watch()
            staged = self._project(tenant, batch)
            self._ledger.advance(tenant, [version.claim for version in batch.versions], "projected")
            watch.passed("project")
            deletions = [claim for claim in claims if claim.operation == "delete"]
            outcome = self._writer.write(tenant, batch.versions, deletions, staged)
            watch.passed("write")
            self._outbox.dispatch(tenant)
            watch.passed("dispatch")
            _log.info("Wrote %d documents: %s", len(claims), watch)
            return outcome
        return Outcome()

    @contextmanager
    def _answering_for(self, tenant: str, claims: Sequence[Claim]) -> Iterator[None]:
        """Give documents back or put them aside when work on them fails; only what is a server's fault is raised again."""
        try:
            yield
        except (UnavailableError, SettingsError) as error:
            if isinstance(error, NoSpaceError) or self._is_outage():
                self._owed.append((tenant, claims, error.message))
                self._settle()
            else:
                self._retry_later(tenant, claims, error.message)
            raise
        except Exception as error:  # noqa: BLE001 - whatever a document brings about is its own fault, and logged
            _log.exception("A batch of %d documents failed", len(claims))
            message = error.message if isinstance(error, InterlaceError) else f"{type(error).__name__}: {error}"
            # The culprit among several is found next time, when each is tried alone.
            self._retry_later(tenant, claims, message)

    def _is_outage(self) -> bool:
        """Tell whether a server is away. If none is, the documents themselves may be what it does not digest."""
        try:
            self._graph.ping()
            self._vectors.ping()
        except InterlaceError:
            return True
        return False

    def _retry_later(self, tenant: str, claims: Sequence[Claim], message: str) -> None:
        for claim in claims:
            self._ledger.retry_later(tenant, claim, message)

    def _settle(self) -> None:
        """Give back what outages have left in our hands, as soon as the graph can be told."""
        with self._settling:
            while self._owed:
                try:
                    self._ledger.release(*self._owed[0])
                except InterlaceError as error:
                    _log.warning("Could not give %d documents back yet: %s", len(self._owed[0][1]), error.message)
                    return
                self._owed.pop(0)

    def _project(self, tenant: str, batch: ReadBatch) -> str | None:
        """Write the new chunks' points; nobody sees them until the graph holds their chunks."""
        if not batch.fresh:
            return None
        self._ensure(tenant)
        entry = uuid.uuid4().hex
        ids = sorted(chunk.id for chunk in batch.fresh)
        self._outbox.announce(tenant, entry, ids, due_in=self._ledger.lease_seconds * 20)
        payloads: dict[str, dict[str, Any]] = {}
        for version in batch.versions:
            fresh = [chunk for chunk in version.chunks if chunk.id in version.extractions]
            payloads |= rows.payloads(tenant, version, fresh)
        points = [
            chunk_point(chunk.id, model_input(chunk), batch.vectors, place, payloads[chunk.id])
            for place, chunk in enumerate(batch.fresh)
        ]
        self._vectors.upsert(tenant, KIND, points)
        return entry

    def _ensure(self, tenant: str) -> None:
        if tenant not in self._ensured:
            ensure_collection(self._vectors, tenant, self._models.embedders)
            self._ensured.add(tenant)
