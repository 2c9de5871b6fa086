"""Reads what the graph holds of documents that a transaction is about to change: chunks, evidence and relations to subtract."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from interlace.domain.relations import confidence_level
from interlace.entities.evidence import Evidence, decided, decode
from interlace.ingestion.labels import LabelPatch
from interlace.ingestion.versions import Assertion, NewVersion, OldVersion, RelationKey
from interlace.ports.graph import Transaction
from interlace.queries.facts import ReadRemainingRelationsRelation, read_remaining_relations
from interlace.queries.versions import (
    ReadSupportMention,
    ReadSupportRelation,
    ReadSupportRow,
    read_support,
    read_versions,
)


def read_old_versions(
    transaction: Transaction, tenant: str, versions: Iterable[NewVersion], deleted: Sequence[str]
) -> dict[str, OldVersion]:
    """Return the versions that the graph holds, by document id.

    Args:
        transaction: holds the tenant's write lock.
        tenant: the tenant that owns the documents.
        versions: those about to be written; chunks that they keep are not subtracted.
        deleted: ids of documents about to be removed.
    """
    kept = {version.claim.id: version.kept for version in versions} | dict.fromkeys(deleted, frozenset[str]())
    rows = read_versions(transaction, tenant=tenant, ids=list(kept))
    removed = {row.id: [chunk for chunk in row.chunks if chunk not in kept[row.id]] for row in rows}
    support = _support(transaction, tenant, sorted(chunk for chunks in removed.values() for chunk in chunks))
    remaining = _remaining(transaction, tenant, {row.id: kept[row.id].intersection(row.chunks) for row in rows})
    return {
        row.id: OldVersion(
            id=row.id,
            version=row.version,
            chunks=frozenset(row.chunks),
            about={
                item.entity: decided(decode(item.evidence), item.origin or item.entity, item.entity)
                for item in row.about
            },
            support={chunk: _evidence(support[chunk].mentions) for chunk in removed[row.id]},
            relations={chunk: _assertions(support[chunk].relations) for chunk in removed[row.id]},
            remaining=remaining.get(row.id, frozenset()),
            patch=LabelPatch.decode(row.patch),
        )
        for row in rows
    }


def _support(transaction: Transaction, tenant: str, chunks: Sequence[str]) -> dict[str, ReadSupportRow]:
    if not chunks:
        return {}
    return {row.id: row for row in read_support(transaction, tenant=tenant, chunks=chunks)}


def _remaining(
    transaction: Transaction, tenant: str, kept: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[RelationKey]]:
    rows = [{"document": document, "chunks": sorted(chunks)} for document, chunks in kept.items() if chunks]
    found = read_remaining_relations(transaction, tenant=tenant, rows=rows) if rows else []
    return {row.document: frozenset(_relations(row.relations)) for row in found}


def _evidence(mentions: Sequence[ReadSupportMention]) -> dict[str, Counter[Evidence]]:
    """Add up what mentions are evidence for: a chunk may mention an entity in several ways."""
    found: dict[str, Counter[Evidence]] = defaultdict(Counter)
    for mention in mentions:
        origin = mention.origin or mention.entity
        found[mention.entity].update(decided(decode(mention.evidence), origin, mention.entity))
    return found


def _assertions(facts: Sequence[ReadSupportRelation]) -> Counter[Assertion]:
    """Count what facts assert; one about a single entity is not a relation."""
    return Counter(
        (fact.subject, fact.predicate, fact.object, confidence_level(fact.confidence))
        for fact in facts
        if fact.subject != fact.object
    )


def _relations(facts: Sequence[ReadRemainingRelationsRelation]) -> list[RelationKey]:
    """Return the relations that facts assert."""
    return [(fact.subject, fact.predicate, fact.object) for fact in facts if fact.subject != fact.object]
