"""Writes versions of documents: one transaction that turns the old graph into the new one, whole or not at all.

The transaction holds the tenant's registry lock, so writers of one tenant follow each other; everything slow (parsing, extraction,
embedding, projection to the vector index) happened before.
"""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from interlace.cypher_files import query
from interlace.domain.ids import stable_id
from interlace.entities.evidence import Evidence, decode
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.ingestion import relink
from interlace.ingestion.change import EntityChange, GraphChange, entity_change
from interlace.ingestion.versions import Claim, NewVersion, OldVersion, Outcome, RelationKey
from interlace.ports.graph import GraphDatabase, Row, Transaction
from interlace.queries.tenants import begin_tenant

_LOCK = query("entities/lock_tenant")
_NARROW = query("vectors/narrow_models")
_LOG = query("entities/log_gazetteer_change")
_FENCE = query("ingestion_records/fence_records")
_READ_VERSIONS = query("documents/read_versions")
_READ_SUPPORT = query("documents/read_support")
_READ_LASTING = query("facts/read_remaining_relations")
_READ_NAMES = query("entities/read_aliases")
_READ_ENTITIES = query("entities/read_entities")
_REMOVE_CHUNKS = query("chunks/remove_chunks")
_REMOVE_STRUCTURE = query("documents/remove_structure")
_REMOVE_DOCUMENTS = query("documents/remove_documents")
_REMOVE_NAMES = query("documents/remove_unused_references")
_REMOVE_ENTITIES = query("entities/remove_entities")
_REMOVE_LINKS = query("documents/remove_links")
_WRITE_ENTITIES = query("entities/write_entities")
_WRITE_DOCUMENTS = query("documents/write_documents")
_WRITE_SECTIONS = query("chunks/write_sections")
_WRITE_CHUNKS = query("chunks/write_chunks")
_CHAIN_CHUNKS = query("chunks/chain_chunks")
_WRITE_MENTIONS = query("entities/write_mentions")
_WRITE_FACTS = query("facts/write_facts")
_FOLD_RELATIONS = query("facts/aggregate_relations")
_WRITE_ABOUT = query("documents/write_about")
_WRITE_TAGS = query("documents/write_tags")
_WRITE_REFERENCES = query("documents/write_references")
_LINK_DOCUMENTS = query("documents/link_documents")
_WRITE_OUTBOX = query("outbox/write_outbox")
_CLEAR_ANNOUNCEMENT = query("outbox/clear_pending_points")
_FINISH_INTAKES = query("ingestion_records/finish_records")
_COUNT_JOB = query("jobs/count_job")

KEPT_REGISTRY_CHANGES = 1000


class GraphWriter:
    """Applies new versions and deletions to the graph.

    Args:
        graph: the database.
        registries: all names.
        models: embedding models whose vectors the staged points have.
    """

    def __init__(self, graph: GraphDatabase, registries: EntityLinkers, models: Sequence[str]) -> None:
        self._graph = graph
        self._registries = registries
        self._models = list(models)
        self._turn = threading.Lock()

    def write(
        self, tenant: str, versions: Sequence[NewVersion], deletions: Sequence[Claim], staged: str | None = None
    ) -> Outcome:
        """Write and delete in one transaction; claims that were lost meanwhile are left alone.

        Args:
            tenant: whose documents.
            versions: documents to write.
            deletions: claims whose documents go.
            staged: id of the outbox entry that announced the new chunks' points; cleared with the transaction unless it is due.

        Raises:
            UnavailableError: the database does not answer; nothing was written, or the ledger says that it was.
        """
        with self._turn:
            registry = self._registries.of(tenant)
            write = _Write(tenant, registry, versions, deletions, staged, self._models)
            try:
                return self._graph.transact(write.run)
            except BaseException:
                registry.reset()
                raise


class _Write:
    """One transaction's work; ``run`` starts from nothing each time, so that a retry is safe."""

    def __init__(
        self,
        tenant: str,
        registry: EntityLinker,
        versions: Sequence[NewVersion],
        deletions: Sequence[Claim],
        staged: str | None,
        models: list[str],
    ) -> None:
        self._tenant = tenant
        self._models = models
        self._registry = registry
        self._versions = versions
        self._deletions = deletions
        self._staged = staged
        self._runs = 0

    def run(self, tx: Transaction) -> Outcome:
        self._runs += 1
        if self._runs > 1:
            self._registry.reset()
        number = self._lock(tx)
        self._registry.catch_up(tx, number - 1)
        claims = [version.claim for version in self._versions] + list(self._deletions)
        fenced = tx.run(_FENCE, tenant=self._tenant, claims=[claim.fence() for claim in claims])
        held = {row["id"] for row in fenced}
        versions = [version for version in self._versions if version.claim.id in held]
        gone = [claim.id for claim in self._deletions if claim.id in held]
        old = self._read_old(tx, versions, gone)
        names_before = self._names(tx, sorted(old))
        change = self._gather(versions, gone, old)
        entities = entity_change(
            {entity: change.evidence[entity] for entity in change.touched_entities()},
            tx.run(_READ_ENTITIES, tenant=self._tenant, ids=change.touched_entities()),
        )
        affected = relink.affected_chunks(tx, self._tenant, entities.moved)
        linking = relink.read_linking(tx, self._tenant, affected - change.removed_chunks)
        self._registry.apply(entities.keys, number)
        links = relink.relink(linking, self._registry, set(entities.removed))
        self._remove(tx, change, links, sorted(old), gone)
        self._add(tx, change, entities, links)
        self._tidy(tx, versions, names_before)
        self._finish(tx, number, entities, change, claims, held)
        return Outcome(
            written=tuple(version.claim.id for version in versions),
            deleted=tuple(gone),
            lost=tuple(claim.id for claim in claims if claim.id not in held),
        )

    def _lock(self, tx: Transaction) -> int:
        """Wait for the tenant's lock and return the version that this transaction makes."""
        # MERGE would take a shared lock first, and two that wait for each other's are a deadlock.
        rows = tx.run(_LOCK, tenant=self._tenant)
        if not rows:
            begin_tenant(tx, tenant=self._tenant)
            rows = tx.run(_LOCK, tenant=self._tenant)
        return int(rows[0]["version"])

    def _read_old(self, tx: Transaction, versions: Sequence[NewVersion], gone: Sequence[str]) -> dict[str, OldVersion]:
        kept = {version.claim.id: version.kept for version in versions} | dict.fromkeys(gone, frozenset())
        rows = tx.run(_READ_VERSIONS, tenant=self._tenant, ids=list(kept))
        leaving = {row["id"]: [chunk for chunk in row["chunks"] if chunk not in kept[row["id"]]] for row in rows}
        chunks = sorted(chunk for some in leaving.values() for chunk in some)
        support = tx.run(_READ_SUPPORT, tenant=self._tenant, chunks=chunks) if chunks else []
        supported = {row["id"]: row for row in support}
        lasting = self._read_lasting(tx, {row["id"]: kept[row["id"]].intersection(row["chunks"]) for row in rows})
        return {
            row["id"]: OldVersion(
                id=row["id"],
                version=row["version"],
                chunks=frozenset(row["chunks"]),
                about={item["entity"]: decode(item["evidence"]) for item in row["about"]},
                support={chunk: _evidence(supported[chunk]["mentions"]) for chunk in leaving[row["id"]]},
                relations={chunk: Counter(_relations(supported[chunk]["relations"])) for chunk in leaving[row["id"]]},
                lasting=lasting.get(row["id"], frozenset()),
            )
            for row in rows
        }

    def _read_lasting(
        self, tx: Transaction, staying: Mapping[str, frozenset[str]]
    ) -> dict[str, frozenset[RelationKey]]:
        rows = [{"document": document, "chunks": sorted(chunks)} for document, chunks in staying.items() if chunks]
        found = tx.run(_READ_LASTING, tenant=self._tenant, rows=rows) if rows else []
        return {row["document"]: frozenset(_relations(row["relations"])) for row in found}

    def _names(self, tx: Transaction, ids: list[str]) -> tuple[list[str], list[str]]:
        rows = tx.run(_READ_NAMES, tenant=self._tenant, ids=ids) if ids else []
        tags = sorted({tag for row in rows for tag in row["tags"]})
        return tags, sorted({key for row in rows for key in row["references"]})

    def _gather(self, versions: list[NewVersion], gone: list[str], old: dict[str, OldVersion]) -> GraphChange:
        change = GraphChange()
        for version in versions:
            before = old.get(version.claim.id)
            if before:
                change.subtract_document(before, version.kept)
            facts_from = len(change.facts)
            change.add_document(self._tenant, version, before)
            asserted = {
                (fact["subject"], fact["properties"]["predicate"], fact["object"])
                for fact in change.facts[facts_from:]
                if fact["object"] is not None and fact["object"] != fact["subject"]
            }
            if before:
                asserted |= before.lasting
            change.count_relation_documents(before.asserted if before else (), asserted)
        for document in gone:
            if document in old:
                change.subtract_document(old[document], frozenset())
                change.count_relation_documents(old[document].asserted, ())
        return change

    def _remove(
        self, tx: Transaction, change: GraphChange, links: relink.Relinking, old: list[str], gone: list[str]
    ) -> None:
        if old:
            tx.run(_REMOVE_STRUCTURE, tenant=self._tenant, ids=old)
        if change.removed_chunks:
            tx.run(_REMOVE_CHUNKS, tenant=self._tenant, chunks=sorted(change.removed_chunks))
        if gone:
            tx.run(_REMOVE_DOCUMENTS, tenant=self._tenant, ids=gone)
        if links.remove:
            tx.run(_REMOVE_LINKS, rows=links.remove)

    def _add(self, tx: Transaction, change: GraphChange, entities: EntityChange, links: relink.Relinking) -> None:
        if entities.rows:
            tx.run(_WRITE_ENTITIES, tenant=self._tenant, rows=entities.rows)
        if entities.removed:
            tx.run(_REMOVE_ENTITIES, tenant=self._tenant, ids=entities.removed)
        if change.documents:
            tx.run(_WRITE_DOCUMENTS, rows=change.documents)
            tx.run(_WRITE_SECTIONS, rows=change.sections)
            tx.run(_WRITE_CHUNKS, rows=change.chunks)
            chained = [row for row in change.chunks if row["previous"]]
            if chained:
                tx.run(_CHAIN_CHUNKS, rows=chained)
            tx.run(_WRITE_ABOUT, rows=change.about)
            tx.run(_WRITE_TAGS, tenant=self._tenant, rows=change.tags)
            tx.run(_WRITE_REFERENCES, tenant=self._tenant, refers=change.refers, known=change.known)
        tx.run(_WRITE_MENTIONS, rows=change.mentions + self._new_links(change) + links.add)
        tx.run(_WRITE_FACTS, rows=change.facts)
        relations = change.relation_rows()
        if relations:
            tx.run(_FOLD_RELATIONS, rows=relations)

    def _new_links(self, change: GraphChange) -> list[dict[str, Any]]:
        mentions: dict[str, list[dict[str, Any]]] = {}
        for row in change.mentions:
            mentions.setdefault(row["chunk"], []).append(row)
        found: list[dict[str, Any]] = []
        for row in change.chunks:
            if row["id"] in change.new_chunks:
                text = row["properties"]["text"]
                found += relink.new_links(row["id"], text, mentions.get(row["id"], ()), self._registry)
        return found

    def _tidy(self, tx: Transaction, versions: list[NewVersion], names: tuple[list[str], list[str]]) -> None:
        if versions:
            tx.run(_LINK_DOCUMENTS, tenant=self._tenant, ids=[version.claim.id for version in versions])
        if any(names):
            tx.run(_REMOVE_NAMES, tenant=self._tenant, tags=names[0], references=names[1])

    def _finish(
        self,
        tx: Transaction,
        number: int,
        entities: EntityChange,
        change: GraphChange,
        claims: list[Claim],
        held: set[str],
    ) -> None:
        if self._staged:
            # The new points have vectors of these models only: that another one's are complete holds no more.
            tx.run(_NARROW, tenant=self._tenant, models=self._models)
        tx.run(
            _LOG,
            tenant=self._tenant,
            version=number,
            entityIds=sorted(entities.keys),
            keep=KEPT_REGISTRY_CHANGES,
            chunks=len(change.new_chunks) - len(change.removed_chunks),
        )
        resync = sorted(change.removed_chunks | change.kept_chunks | self._doubtful_points(tx, change, held))
        if resync:
            entry = stable_id("outbox", self._tenant, str(number))
            tx.run(_WRITE_OUTBOX, tenant=self._tenant, id=entry, kind="chunks", ids=resync, dueAt=0)
        tx.run(_FINISH_INTAKES, tenant=self._tenant, ids=sorted(held))
        tx.run(_COUNT_JOB, rows=self._job_rows(change, claims, held))

    def _doubtful_points(self, tx: Transaction, change: GraphChange, held: set[str]) -> set[str]:
        """Return points written ahead that may not be what this transaction makes true; drop their announcement if it still stands."""
        doubtful = self._points_of_the_lost(held)
        if self._staged:
            now = int(time.time() * 1000)
            # One that fell due before its batch was through may have had the new points removed.
            if not tx.run(_CLEAR_ANNOUNCEMENT, tenant=self._tenant, id=self._staged, now=now):
                doubtful |= change.new_chunks
        return doubtful

    def _points_of_the_lost(self, held: set[str]) -> set[str]:
        """Return ids of points that were written ahead for documents which this transaction leaves alone."""
        return {chunk for version in self._versions if version.claim.id not in held for chunk in version.extractions}

    def _job_rows(self, change: GraphChange, claims: list[Claim], held: set[str]) -> list[dict[str, Any]]:
        jobs: dict[str, dict[str, Any]] = {}
        chunks = Counter(row["properties"]["documentId"] for row in change.chunks)
        for claim in claims:
            if claim.id not in held:
                continue
            row = jobs.setdefault(claim.job_id, _empty_counts(claim.job_id))
            row["deleted" if claim.operation == "delete" else "ready"] += 1
            row["chunks"] += chunks[claim.id]
        if jobs:
            # A batch has documents of one job in all but rare cases; what chunks brought is counted for the first.
            first = next(iter(jobs.values()))
            first["extracted"] += len(change.new_chunks)
            first["mentions"] += len(change.mentions)
            first["facts"] += len(change.facts)
        return list(jobs.values())


def _evidence(mentions: Sequence[Row]) -> dict[str, Counter[Evidence]]:
    """Add up what mentions are evidence for: a chunk may mention an entity in several ways."""
    found: dict[str, Counter[Evidence]] = defaultdict(Counter)
    for mention in mentions:
        found[mention["entity"]].update(decode(mention["evidence"]))
    return found


def _relations(facts: Sequence[Row]) -> list[RelationKey]:
    """Return what facts assert; one about a single name is no relation."""
    return [(fact["subject"], fact["predicate"], fact["object"]) for fact in facts if fact["subject"] != fact["object"]]


def _empty_counts(job: str) -> dict[str, Any]:
    counts = dict.fromkeys(("ready", "deleted", "failed", "chunks", "extracted", "mentions", "facts"), 0)
    return {"id": job, **counts}
