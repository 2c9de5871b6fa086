"""Writes versions of documents: one transaction that turns the old graph into the new one, completely or not at all.

The transaction holds the tenant's write lock, so writers of one tenant run one after the other; everything slow (parsing, extraction,
embedding, projection to the vector index) happens before. Older chunks beyond the first two thousand are linked afterwards
(``older_chunks``).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.access.restricted_tenants import mark_restricted
from interlace.domain.documents import ACCESS
from interlace.domain.errors import ConflictError
from interlace.domain.ids import stable_id
from interlace.entities.identities import Transition
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.ingestion import relink
from interlace.ingestion.awaiting_models import await_model, generated_texts, removed_texts
from interlace.ingestion.change import EntityChange, GraphChange, entity_change
from interlace.ingestion.entity_entries import enter_entities
from interlace.ingestion.gazetteer_version import begin_version, log_version
from interlace.ingestion.ledger import fences
from interlace.ingestion.old_versions import read_old_versions
from interlace.ingestion.older_chunks import CHUNK_BATCH, FirstBatch, defer, first_batch, remove_unsupported
from interlace.ingestion.versions import Claim, NewVersion, OldVersion, Outcome
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.entities import read_entities, write_entities
from interlace.queries.facts import aggregate_relations, write_facts
from interlace.queries.ingestion_records import fence_records, finish_records
from interlace.queries.jobs import count_job
from interlace.queries.labels import write_tags
from interlace.queries.mentions import remove_links, write_mentions
from interlace.queries.outbox import clear_pending_points, write_outbox
from interlace.queries.references import link_documents, read_references, remove_unused_references, write_references
from interlace.queries.summaries import renew_texts
from interlace.queries.vectors import narrow_models
from interlace.queries.versions import (
    chain_chunks,
    place_chunks,
    remove_chunks,
    remove_documents,
    remove_structure,
    write_about,
    write_chunks,
    write_documents,
    write_sections,
)


@dataclass(frozen=True, slots=True)
class GraphWriter:
    """Applies new versions and deletions to the graph.

    Args:
        graph: the database.
        linkers: gazetteers of the tenants.
        models: embedding models whose vectors the new chunks' points have.
        batch_size: older chunks that a transaction links.
        extraction_key: key of the language model that new chunks then wait for; empty where there is none.
    """

    graph: GraphDatabase
    linkers: EntityLinkers
    models: Sequence[str]
    batch_size: int = CHUNK_BATCH
    extraction_key: str = ""

    def write(
        self, tenant: str, versions: Sequence[NewVersion], deletions: Sequence[Claim], outbox_entry: str | None = None
    ) -> Outcome:
        """Write and delete in one transaction; claims that were lost meanwhile are left alone.

        Args:
            tenant: the tenant that owns the documents.
            versions: documents to write.
            deletions: claims whose documents are removed.
            outbox_entry: id of the outbox entry with the new chunks' points, which were written before.

        Raises:
            UnavailableError: the database does not answer; nothing was written, or the ledger says that it was.
        """
        if any(ACCESS in version.parsed.metadata for version in versions):
            mark_restricted(self.graph, tenant)
        return self.transact(
            tenant,
            lambda linker: GraphWrite(
                tenant, linker, versions, deletions, outbox_entry, self.models, self.batch_size, self.extraction_key
            ),
        )

    def transact(self, tenant: str, make: Callable[[EntityLinker], "GraphWrite"]) -> Outcome:
        """Run a tenant's write in one transaction, with the gazetteer that it is given and changes.

        Raises:
            UnavailableError: the database does not answer; nothing was written, or it says that it was.
        """
        with self.linkers.changing:
            linker = self.linkers.of(tenant)
            while True:
                try:
                    return self.graph.transact(make(linker).run)
                except _ClaimsLostError:
                    linker.reset()
                except BaseException:
                    linker.reset()
                    raise


class _ClaimsLostError(Exception):
    """A document was received again, or its upload dropped, while the transaction ran; the rest is written again without its claim."""


class GraphWrite:
    """One transaction's work."""

    def __init__(
        self,
        tenant: str,
        linker: EntityLinker,
        versions: Sequence[NewVersion],
        deletions: Sequence[Claim],
        outbox_entry: str | None,
        models: Sequence[str],
        batch_size: int,
        extraction_key: str = "",
    ) -> None:
        self._extraction_key = extraction_key
        self._tenant = tenant
        self._models = models
        self._batch_size = batch_size
        self._linker = linker
        self._versions = versions
        self._deletions = deletions
        self._outbox_entry = outbox_entry
        self._runs = 0

    def run(self, tx: Transaction) -> Outcome:
        """Write everything, from scratch each time, so that a retry is safe."""
        claims = [version.claim for version in self._versions] + list(self._deletions)
        try:
            gazetteer = self._begin(tx, claims)
        except ConflictError:  # the tenant was removed meanwhile, and the claims with it
            return self._withdraw(tx, claims)
        held = self._held(tx, claims)
        versions = [version for version in self._versions if version.claim.id in held]
        deleted = [claim.id for claim in self._deletions if claim.id in held]
        old = read_old_versions(tx, self._tenant, versions, deleted)
        old_references = self._references(tx, sorted(old))
        change = _gather(self._tenant, self._linker.transition, versions, deleted, old)
        entities = self._entities(tx, change)
        batch = self._first_batch(tx, change, entities)
        links = self._relink(tx, batch, entities, gazetteer)
        texts = removed_texts(tx, self._tenant, change.removed_chunks)
        generated = generated_texts(tx, self._tenant, change.removed_chunks)
        self._remove(tx, change, links, sorted(old), deleted)
        remove_unsupported(tx, self._tenant, entities.removed, batch)
        self._add(tx, change, entities, links)
        await_model(tx, self._tenant, self._extraction_key, versions, deleted, texts)
        if generated:
            renew_texts(tx, tenant=self._tenant, ids=generated)
        if versions:
            link_documents(tx, tenant=self._tenant, ids=[version.claim.id for version in versions])
        if any(old_references):
            remove_unused_references(tx, tenant=self._tenant, tags=old_references[0], references=old_references[1])
        claims_held = [claim for claim in claims if claim.id in held]
        self._finish(tx, gazetteer, entities, change, claims_held)
        count_job(tx, rows=_job_rows(change, claims_held))
        if batch.after:
            jobs = {claim.job_id for claim in claims_held}
            defer(tx, self._tenant, gazetteer, entities.changed_names, batch.after, jobs)
        return Outcome(
            written=tuple(version.claim.id for version in versions),
            deleted=tuple(deleted),
            lost=tuple(claim.id for claim in claims if claim.id not in held),
            deferred=batch.after is not None,
        )

    def _begin(self, tx: Transaction, claims: Sequence[Claim] = ()) -> int:
        """Acquire the tenant's write lock; return the gazetteer version that this transaction creates."""
        self._runs += 1
        if self._runs > 1:
            self._linker.reset()
        version = begin_version(tx, self._tenant, lambda: bool(self._held(tx, claims)))
        self._linker.catch_up(tx, version - 1)
        return version

    def _held(self, tx: Transaction, claims: Sequence[Claim]) -> set[str]:
        return set(fence_records(tx, tenant=self._tenant, claims=fences(claims)))

    def _withdraw(self, tx: Transaction, claims: Sequence[Claim]) -> Outcome:
        """Write nothing, and have the points that were written before removed."""
        if self._outbox_entry:
            ids = sorted({chunk for version in self._versions for chunk in version.extractions})
            write_outbox(tx, tenant=self._tenant, id=self._outbox_entry, kind="chunks", ids=ids, jobs=[], due_ms=0)
        return Outcome(lost=tuple(claim.id for claim in claims))

    def _references(self, tx: Transaction, ids: list[str]) -> tuple[list[str], list[str]]:
        rows = read_references(tx, tenant=self._tenant, ids=ids) if ids else []
        tags = sorted({tag for row in rows for tag in row.tags})
        return tags, sorted({key for row in rows for key in row.references})

    def _entities(self, tx: Transaction, change: GraphChange) -> EntityChange:
        touched = change.touched_entities()
        stored = read_entities(tx, tenant=self._tenant, ids=touched)
        deltas = {entity: change.evidence[entity] for entity in touched}
        return entity_change(deltas, stored, self._linker.transition.after.names)

    def _first_batch(self, tx: Transaction, change: GraphChange, entities: EntityChange) -> FirstBatch:
        """Return the chunks of the graph that must be linked again and that this transaction links."""
        affected = relink.affected_chunks(tx, self._tenant, entities.changed_names)
        staying = [chunk for chunk in affected if chunk.id not in change.removed_chunks]
        return first_batch(staying, change.kept_chunks, self._batch_size)

    def _relink(self, tx: Transaction, batch: FirstBatch, entities: EntityChange, gazetteer: int) -> relink.Relinking:
        """Advance the gazetteer to its new version; return what changes in chunks that the graph already holds."""
        linking = relink.read_linking(tx, self._tenant, batch.chunks)
        self._linker.apply(entities.keys, gazetteer)
        return relink.relink(linking, self._linker, set(entities.removed))

    def _remove(
        self, tx: Transaction, change: GraphChange, links: relink.Relinking, old: list[str], deleted: list[str]
    ) -> None:
        if old:
            remove_structure(tx, tenant=self._tenant, ids=old)
        if change.removed_chunks:
            remove_chunks(tx, tenant=self._tenant, chunks=sorted(change.removed_chunks))
        if deleted:
            remove_documents(tx, tenant=self._tenant, ids=deleted)
        if links.remove:
            remove_links(tx, rows=links.remove)

    def _add(self, tx: Transaction, change: GraphChange, entities: EntityChange, links: relink.Relinking) -> None:
        if entities.rows:
            write_entities(tx, tenant=self._tenant, rows=entities.rows)
        if change.documents:
            self._add_documents(tx, change)
        write_mentions(tx, rows=change.mentions + self._new_links(change) + links.add)
        write_facts(tx, rows=change.facts)
        relations = change.relation_rows()
        if relations:
            aggregate_relations(tx, rows=relations)

    def _add_documents(self, tx: Transaction, change: GraphChange) -> None:
        write_documents(tx, rows=change.documents)
        write_sections(tx, rows=change.sections)
        write_chunks(tx, rows=[chunk for chunk in change.chunks if chunk["id"] in change.new_chunks])
        if change.kept_chunks:
            place_chunks(tx, rows=[chunk for chunk in change.chunks if chunk["id"] in change.kept_chunks])
        chained = [chunk for chunk in change.chunks if chunk["previous"]]
        if chained:
            chain_chunks(tx, rows=chained)
        write_about(tx, rows=change.about)
        write_tags(tx, tenant=self._tenant, rows=change.tags)
        write_references(tx, tenant=self._tenant, refers=change.refers, known=change.known)

    def _new_links(self, change: GraphChange) -> list[dict[str, Any]]:
        mentions: dict[str, list[dict[str, Any]]] = {}
        for mention in change.mentions:
            mentions.setdefault(mention["chunk"], []).append(mention)
        found: list[dict[str, Any]] = []
        for chunk in change.chunks:
            chunk_id = chunk["id"]
            if chunk_id in change.new_chunks:
                found += relink.new_links(
                    chunk_id, chunk["properties"]["text"], mentions.get(chunk_id, ()), self._linker, chunk["document"]
                )
        return found

    def _finish(
        self, tx: Transaction, gazetteer: int, entities: EntityChange, change: GraphChange, claims: Sequence[Claim]
    ) -> None:
        held = {claim.id for claim in claims}
        if self._outbox_entry:
            # The new points have vectors of these models only, so those of any other model are no longer complete.
            narrow_models(tx, tenant=self._tenant, models=self._models)
        log_version(
            tx,
            self._tenant,
            gazetteer,
            changed=sorted(entities.keys),
            chunks=len(change.new_chunks) - len(change.removed_chunks),
        )
        stale = sorted(
            change.removed_chunks
            | change.kept_chunks
            | change.relabelled_chunks
            | self._doubtful_points(tx, change, held)
        )
        if stale:
            entry = stable_id("outbox", self._tenant, str(gazetteer))
            jobs = sorted({claim.job_id for claim in claims})
            write_outbox(tx, tenant=self._tenant, id=entry, kind="chunks", ids=stale, jobs=jobs, due_ms=0)
        enter_entities(tx, self._tenant, gazetteer, change.described_entities())
        if held - set(finish_records(tx, tenant=self._tenant, claims=fences(claims))):
            raise _ClaimsLostError

    def _doubtful_points(self, tx: Transaction, change: GraphChange, held: set[str]) -> set[str]:
        """Return points written before that may differ from what this transaction commits; remove their outbox entry if it still exists."""
        # Points of documents that this transaction leaves alone, because their claims were lost.
        doubtful = {
            chunk for version in self._versions if version.claim.id not in held for chunk in version.extractions
        }
        # An entry that came due before its batch had finished may have had the new points removed.
        if self._outbox_entry and clear_pending_points(tx, tenant=self._tenant, id=self._outbox_entry) is None:
            doubtful |= change.new_chunks
        return doubtful


def _gather(
    tenant: str,
    transition: Transition,
    versions: Sequence[NewVersion],
    deleted: Sequence[str],
    old: dict[str, OldVersion],
) -> GraphChange:
    change = GraphChange(transition)
    for version in versions:
        change.replace_document(tenant, version, old.get(version.claim.id))
    for document in deleted:
        if document in old:
            change.subtract_document(old[document], frozenset())
            change.count_relation_documents(old[document].asserted, ())
    return change


def _job_rows(change: GraphChange, claims: Sequence[Claim]) -> list[dict[str, Any]]:
    jobs: dict[str, dict[str, Any]] = {}
    chunks = Counter(chunk["document"] for chunk in change.chunks)
    for claim in claims:
        counts = jobs.setdefault(claim.job_id, _no_counts(claim.job_id))
        counts["deleted" if claim.operation == "delete" else "ready"] += 1
        counts["chunks"] += chunks[claim.id]
    if jobs:
        # All but a few batches hold documents of one job; what the chunks contributed is counted for the first.
        first = next(iter(jobs.values()))
        first["extracted"] += len(change.new_chunks)
        first["mentions"] += len(change.mentions)
        first["facts"] += len(change.facts)
    return list(jobs.values())


def _no_counts(job_id: str) -> dict[str, Any]:
    counts = dict.fromkeys(("ready", "deleted", "failed", "chunks", "extracted", "mentions", "facts"), 0)
    return {"id": job_id, **counts}
