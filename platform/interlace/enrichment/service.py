"""The enrichment of documents that are ready: a background loop in each worker process, started by a task or a sweep.

Provider calls take seconds, so the loop has its own thread and blocks no process that could ingest. Unfinished work
is in the graph as ``PendingExtraction``, with the time at which it is due again.
"""

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interlace.enrichment.reader import Text, TextReader
from interlace.enrichment.setup import ExtractionSetup
from interlace.enrichment.write import EvidenceWrite
from interlace.entities.linker import EntityLinker
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.writer import GraphWriter
from interlace.language_models.background import TenantLoop
from interlace.language_models.pauses import Pause
from interlace.ports.graph import GraphDatabase
from interlace.queries import extractions as queries

_DOCUMENTS = 16
"""Documents that a process leases at once."""
_CHUNKS = 32
"""Chunks whose evidence is written together: a crash then costs no more than writing it again."""
_BUSY_SECONDS = 2.0
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Documents leased by this process: id to the job that asked for them."""

    tenant: str
    owner: str
    jobs: dict[str, str]

    def of(self, pause: Pause) -> list[str]:
        """Return the documents that a pause affects."""
        return [document for document, job in self.jobs.items() if pause.job in {"", job}]


class Enricher(TenantLoop):
    """Lets a language model read the documents that wait for it, and adds its evidence to the graph.

    Args:
        graph: the graph.
        writer: adds the evidence.
        older_chunks: does the linking that a transaction has deferred.
        setup: what the model is asked.
        reader: asks the model.
        lease_seconds: time after which another process takes over the documents of one that died.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        writer: GraphWriter,
        older_chunks: OlderChunks,
        setup: ExtractionSetup,
        reader: TextReader,
        *,
        lease_seconds: float,
    ) -> None:
        self._graph = graph
        self._writer = writer
        self._older_chunks = older_chunks
        self._setup = setup
        self._reader = reader
        self._lease_ms = int(lease_seconds * 1000)
        super().__init__("enrichment", self.run, "A language model read %d chunks of tenant %s")

    def run(self, tenant: str) -> int:
        """Process a tenant's documents until none is due, or the provider must be paused; return how many chunks were read.

        Raises:
            UnavailableError: the graph does not answer; existing records are kept.
        """
        read = 0
        while not self.closing.is_set() and not self._reader.paused:
            owner = uuid.uuid4().hex
            rows = queries.claim_extractions(
                self._graph, tenant=tenant, owner=owner, lease_ms=self._lease_ms, limit=_DOCUMENTS
            )
            if not rows:
                break
            read += self._read_batch(_Batch(tenant, owner, {row.id: row.job_id for row in rows}))
        return read

    def _read_batch(self, batch: _Batch) -> int:
        """Read the chunks of a batch, some at a time; return how many were."""
        read = 0
        while batch.jobs:
            if self.closing.is_set():
                self._release(batch, list(batch.jobs), 0.0, None)
                break
            chunks = queries.unextracted_chunks(
                self._graph,
                tenant=batch.tenant,
                documents=sorted(batch.jobs),
                key=self._setup.interpretation_key,
                limit=_CHUNKS,
            )
            pauses = self._reader.read(batch.tenant, batch.owner, _texts(chunks, batch.jobs), self.closing)
            # Even without chunks: this is where the documents are marked as finished.
            done = self._add([chunk.id for chunk in chunks], batch)
            read += done
            for pause in pauses:
                self._wait(batch, pause)
            if not chunks:
                break
            if not self._keep(batch) and not done and not pauses:
                self._release(batch, list(batch.jobs), _BUSY_SECONDS, None)
                break
        return read

    def _keep(self, batch: _Batch) -> bool:
        """Renew the leases of a batch; return whether documents are no longer to be read, which then leave it."""
        held = queries.renew_extractions(
            self._graph, tenant=batch.tenant, ids=sorted(batch.jobs), owner=batch.owner, lease_ms=self._lease_ms
        )
        lost = batch.jobs.keys() - set(held)
        # Those of a paused tenant are due as soon as it is resumed; the leases of others are gone, and nothing happens.
        self._release(batch, sorted(lost), 0.0, None)
        return bool(lost)

    def _add(self, chunks: Sequence[str], batch: _Batch) -> int:
        """Write the evidence of those chunks whose texts are recorded; return how many these were."""
        if not chunks:
            self._finish(batch)
            return 0
        writes: list[EvidenceWrite] = []

        def make(linker: EntityLinker) -> EvidenceWrite:
            batch_size = self._older_chunks.batch_size
            writes.append(EvidenceWrite(batch.tenant, linker, self._setup, chunks, batch.jobs, batch_size))
            return writes[-1]

        if self._writer.transact(batch.tenant, make).deferred:
            self._older_chunks.finish_or_leave(batch.tenant, lambda: not self.closing.is_set())
        return writes[-1].read

    def _finish(self, batch: _Batch) -> None:
        rows: list[Mapping[str, object]] = [
            {"id": document, "job": job, "read": 0, "failed": 0} for document, job in sorted(batch.jobs.items())
        ]
        queries.finish_extractions(self._graph, tenant=batch.tenant, rows=rows, key=self._setup.interpretation_key)

    def _wait(self, batch: _Batch, pause: Pause) -> None:
        documents = batch.of(pause)
        _logger.warning(
            "%d documents of tenant %s wait for a language model: %s", len(documents), batch.tenant, pause.reason
        )
        self._release(batch, documents, pause.seconds, pause.reason)
        if not pause.job:
            # The others would only hit the same pause.
            queries.delay_extractions(
                self._graph, tenant=batch.tenant, delay_ms=int(pause.seconds * 1000), reason=pause.reason
            )

    def _release(self, batch: _Batch, documents: Sequence[str], seconds: float, reason: str | None) -> None:
        queries.release_extractions(
            self._graph,
            tenant=batch.tenant,
            ids=documents,
            owner=batch.owner,
            delay_ms=int(seconds * 1000),
            reason=reason,
        )
        for document in documents:
            batch.jobs.pop(document, None)


def _texts(chunks: Sequence[queries.UnextractedChunksRow], jobs: Mapping[str, str]) -> list[Text]:
    """Return the texts of chunks, each once."""
    found = {chunk.checksum: Text(chunk.checksum, chunk.text, jobs[chunk.document]) for chunk in reversed(chunks)}
    return list(reversed(found.values()))
