"""Repairs of the graph: each one transaction under the tenant's lock, as a writer of documents runs it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.domain.relations import confidence_level, decode_levels
from interlace.entities.evidence import Evidence, decode
from interlace.entities.linker import EntityLinker
from interlace.ingestion import relink
from interlace.ingestion.change import entity_change, relation_row
from interlace.ingestion.entity_entries import enter_entities
from interlace.ingestion.gazetteer_version import log_version
from interlace.ingestion.older_chunks import OlderChunks, defer, first_batch, remove_unsupported
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.entities import read_entities, write_entities
from interlace.queries.extraction_records import remove_orphan_records
from interlace.queries.facts import aggregate_relations
from interlace.queries.invariants import (
    ReadEvidenceRow,
    ReadRelationsAggregated,
    ReadRelationsRow,
    count_chunks,
    read_evidence,
    read_relations,
    remove_dangling_mentions,
    remove_orphan_chunks,
    remove_orphan_facts,
)
from interlace.queries.mentions import remove_links, write_mentions
from interlace.queries.tenants import lock_tenant


@dataclass(slots=True)
class RepairTransaction:
    """A transaction that holds the tenant's lock and raises the version of its gazetteer.

    Args:
        tenant: the tenant whose graph is repaired.
        version: the gazetteer version that this transaction creates.
        renamed: ids of entities whose aliases the repair changes.
        chunks: by how much the chunk count grows.
    """

    tenant: str
    version: int
    renamed: Sequence[str] = ()
    chunks: int = 0

    def linker(self, transaction: Transaction) -> EntityLinker:
        """Return a linker as of before the repair, read for it alone: a shared one must not see what may be rolled back."""
        linker = EntityLinker(self.tenant)
        linker.catch_up(transaction, self.version - 1)
        return linker


@dataclass(frozen=True, slots=True)
class GraphRepairs:
    """Repairs what the checks of the graph find. Every method takes the tenant and the ids of the broken nodes."""

    graph: GraphDatabase
    older_chunks: OlderChunks

    def orphan_chunks(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove chunks without a document; later checks find the evidence and the points that they leave behind."""
        self._run(tenant, lambda tx, _: remove_orphan_chunks(tx, tenant=tenant, ids=ids))

    def orphan_facts(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove facts without a chunk; a later check finds the relations that counted them."""
        self._run(tenant, lambda tx, _: remove_orphan_facts(tx, tenant=tenant, ids=ids))

    def orphan_records(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove what a language model extracted from texts that no chunk has."""
        self._run(tenant, lambda tx, _: remove_orphan_records(tx, tenant=tenant, ids=ids))

    def evidence(self, tenant: str, ids: Sequence[str]) -> None:
        """Derive entities again from the evidence in the graph, as a writer would, and link the chunks that contain their aliases."""

        def work(tx: Transaction, repair: RepairTransaction) -> None:
            linker = repair.linker(tx)
            change = entity_change(
                {row.id: _difference(row) for row in read_evidence(tx, tenant=tenant, ids=ids)},
                read_entities(tx, tenant=tenant, ids=ids),
                linker.transition.after.names,
            )
            affected = relink.affected_chunks(tx, tenant, change.changed_names)
            batch = first_batch(affected, (), self.older_chunks.batch_size)
            linking = relink.read_linking(tx, tenant, batch.chunks)
            linker.apply(change.keys, repair.version)
            links = relink.relink(linking, linker, set(change.removed))
            remove_links(tx, rows=links.remove)
            write_entities(tx, tenant=tenant, rows=change.rows)
            remove_unsupported(tx, tenant, change.removed, batch)
            write_mentions(tx, rows=links.add)
            if batch.after:
                defer(tx, tenant, repair.version, change.changed_names, batch.after, ())
            enter_entities(tx, tenant, repair.version, sorted(ids))
            repair.renamed = sorted(change.keys)

        self._run(tenant, work)
        self.older_chunks.finish(tenant)

    def dangling_mentions(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove mentions that nothing supports, and link their chunks again."""

        def work(tx: Transaction, repair: RepairTransaction) -> None:
            remove_dangling_mentions(tx, tenant=tenant, ids=ids)
            links = relink.relink(relink.read_linking(tx, tenant, ids), repair.linker(tx), set())
            remove_links(tx, rows=links.remove)
            write_mentions(tx, rows=links.add)

        self._run(tenant, work)

    def relations(self, tenant: str, ids: Sequence[str]) -> None:
        """Make relations count the facts that are in the graph."""

        def work(tx: Transaction, _: RepairTransaction) -> None:
            rows = read_relations(tx, tenant=tenant, ids=ids)
            aggregate_relations(tx, rows=[change for row in rows for change in _corrections(row)])

        self._run(tenant, work)

    def chunk_count(self, tenant: str, ids: Sequence[str]) -> None:
        """Count the tenant's chunks."""
        del ids

        def work(tx: Transaction, repair: RepairTransaction) -> None:
            if row := count_chunks(tx, tenant=tenant):
                repair.chunks = row.found - row.stored

        self._run(tenant, work)

    def _run(self, tenant: str, work: Callable[[Transaction, RepairTransaction], None]) -> None:
        """Run a repair in one transaction while the tenant's writers wait; a tenant without a node has nothing to repair."""

        def run(tx: Transaction) -> None:
            version = lock_tenant(tx, tenant=tenant)
            if version is None:
                return
            repair = RepairTransaction(tenant, version)
            work(tx, repair)
            log_version(tx, tenant, repair.version, changed=repair.renamed, chunks=repair.chunks)

        self.graph.transact(run)


def counts_its_facts(row: ReadRelationsRow) -> bool:
    """Return whether the relations of an entity are those that its facts give."""
    return next(_corrections(row), None) is None


def _difference(row: ReadEvidenceRow) -> Counter[Evidence]:
    found = decode(row.found)
    found.subtract(decode(row.stored))
    return found


def _corrections(row: ReadRelationsRow) -> Iterator[dict[str, Any]]:
    """Yield what must be added to a relation so that it counts its facts."""
    stored = {(each.predicate, each.object): each for each in row.aggregated}
    asserted = {(each.predicate, each.object): each for each in row.asserted}
    for predicate, target in sorted(stored.keys() | asserted.keys()):
        old, new = stored.get((predicate, target)), asserted.get((predicate, target))
        found = Counter(map(confidence_level, new.confidences if new else ()))
        difference = found.copy()
        difference.subtract(decode_levels(old.evidence if old else ()))
        documents = (new.documents if new else 0) - (old.documents if old else 0)
        if any(difference.values()) or documents or _is_described_wrong(old, found):
            yield relation_row((row.id, predicate, target), difference, documents)


def _is_described_wrong(relation: ReadRelationsAggregated | None, found: Counter[str]) -> bool:
    """Return whether weight or confidence of a relation are not those of its evidence, from which every change makes them again."""
    if relation is None:
        return False
    return (relation.weight, relation.confidence) != (found.total(), float(max(found, default="0")))
