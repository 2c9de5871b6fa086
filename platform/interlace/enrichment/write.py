"""Adds a language model's evidence to chunks: one transaction, composed of the steps that write document versions."""

from collections.abc import Sequence
from dataclasses import replace

from interlace.enrichment.evidence_change import EvidenceChange, evidence_change
from interlace.enrichment.setup import ExtractionSetup
from interlace.entities.linker import EntityLinker
from interlace.ingestion import relink
from interlace.ingestion.change import EntityChange
from interlace.ingestion.entity_entries import enter_entities
from interlace.ingestion.gazetteer_version import log_version
from interlace.ingestion.older_chunks import CHUNK_BATCH, FirstBatch, defer, remove_unsupported
from interlace.ingestion.versions import Outcome
from interlace.ingestion.writer import GraphWrite
from interlace.ports.graph import Transaction
from interlace.queries import extractions as queries
from interlace.queries.extraction_records import read_extraction_records
from interlace.queries.mentions import remove_links


class EvidenceWrite(GraphWrite):
    """One transaction that adds the evidence recorded for the texts of some chunks.

    It is fenced by the tenant's write lock: chunks that are gone, or that another process has handled, are left alone.

    Args:
        tenant: whose chunks.
        linker: the tenant's gazetteer.
        setup: what the model was asked.
        chunks: ids.
        jobs: the job that each document's chunks count for.
        batch_size: older chunks that the transaction links.

    ``read`` is the number of chunks that gained evidence.
    """

    def __init__(
        self,
        tenant: str,
        linker: EntityLinker,
        setup: ExtractionSetup,
        chunks: Sequence[str],
        jobs: dict[str, str],
        batch_size: int = CHUNK_BATCH,
    ) -> None:
        super().__init__(tenant, linker, (), (), None, [], batch_size)
        self._setup = setup
        self._chunks = sorted(chunks)
        self._jobs = jobs
        self.read = 0

    def run(self, tx: Transaction) -> Outcome:
        """Add the evidence; rebuilds all state on each call, so that a retry is safe."""
        gazetteer = self._begin(tx)
        found = self._evidence(tx)
        self.read = found.read.total()
        entities = self._entities(tx, found.change)
        batch = self._enriched_batch(tx, found, entities)
        linking = relink.read_linking(tx, self._tenant, batch.chunks)
        self._linker.apply(entities.keys, gazetteer)
        links = relink.relink(linking, self._linker, set(entities.removed), found.mentions)
        if found.renewed:
            queries.remove_model_evidence(tx, tenant=self._tenant, chunks=found.renewed)
        if links.remove:
            remove_links(tx, rows=links.remove)
        remove_unsupported(tx, self._tenant, entities.removed, batch)
        self._add(tx, found.change, entities, links)
        self._conclude(tx, found, entities, gazetteer)
        if batch.after:
            jobs = {self._jobs[document] for document in found.read}
            defer(tx, self._tenant, gazetteer, entities.changed_names, batch.after, jobs)
        return Outcome(written=tuple(found.read), deferred=batch.after is not None)

    def _evidence(self, tx: Transaction) -> EvidenceChange:
        rows = queries.read_enrichment(tx, tenant=self._tenant, chunks=self._chunks, key=self._setup.interpretation_key)
        records = sorted({self._setup.record_id(self._tenant, row.checksum) for row in rows})
        outputs = {row.id: row.output for row in read_extraction_records(tx, tenant=self._tenant, ids=records)}
        documents = sorted({row.document for row in rows})
        relations = queries.document_relations(tx, tenant=self._tenant, documents=documents)
        return evidence_change(self._tenant, rows, outputs, relations, self._setup, self._linker.transition)

    def _enriched_batch(self, tx: Transaction, found: EvidenceChange, entities: EntityChange) -> FirstBatch:
        """Return the chunks to link again: older ones that contain a changed name, and all those whose own mentions change."""
        batch = self._first_batch(tx, found.change, entities)
        return replace(batch, chunks=sorted({*batch.chunks, *found.mentions}))

    def _conclude(self, tx: Transaction, found: EvidenceChange, entities: EntityChange, gazetteer: int) -> None:
        if found.confirmed:
            queries.confirm_facts(tx, rows=found.confirmed)
        queries.write_model_evidence(tx, rows=found.records)
        enter_entities(tx, self._tenant, gazetteer, found.change.described_entities())
        log_version(tx, self._tenant, gazetteer, changed=sorted(entities.keys))
        rows = [
            {"id": document, "job": job, "read": found.read[document], "failed": found.failed[document]}
            for document, job in sorted(self._jobs.items())
        ]
        queries.finish_extractions(tx, tenant=self._tenant, rows=rows, key=self._setup.interpretation_key)
