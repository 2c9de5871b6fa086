"""The difference between old and new versions of documents, and its effect on the entities and relations they share.

Pure functions: given what the graph holds, they return what to write. Shared nodes (entities, relations, tags) are updated through counted evidence,
so the work is proportional to the documents, whatever the degree of the entities they mention.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interlace.domain.relations import relation_type
from interlace.entities.evidence import Evidence, decided, decode, describe, encode
from interlace.entities.identities import Transition
from interlace.ingestion.document_rows import chunk_rows, document_row, section_rows
from interlace.ingestion.references import known_as_rows, reference_rows
from interlace.ingestion.support_rows import chunk_support, title_entity, with_origin
from interlace.ingestion.versions import Assertion, NewVersion, OldVersion, RelationKey
from interlace.queries.entities import ReadEntitiesRow


@dataclass(slots=True)
class GraphChange:
    """Everything that one transaction will write, collected beforehand.

    ``evidence`` and ``relations`` hold deltas: negative counts are subtractions.

    Args:
        transition: the identities of entities under decisions; None if there are no decisions.
    """

    transition: Transition | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    sections: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[dict[str, Any]] = field(default_factory=list)
    mentions: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    about: list[dict[str, Any]] = field(default_factory=list)
    tags: list[dict[str, Any]] = field(default_factory=list)
    refers: list[dict[str, Any]] = field(default_factory=list)
    known: list[dict[str, Any]] = field(default_factory=list)
    removed_chunks: set[str] = field(default_factory=set)
    kept_chunks: set[str] = field(default_factory=set)
    new_chunks: set[str] = field(default_factory=set)
    relabelled_chunks: set[str] = field(default_factory=set)
    evidence: dict[str, Counter[Evidence]] = field(default_factory=lambda: defaultdict(Counter))
    relations: Counter[Assertion] = field(default_factory=Counter)
    relation_documents: Counter[RelationKey] = field(default_factory=Counter)

    def subtract_document(self, old: OldVersion, keep: frozenset[str]) -> None:
        """Subtract what a document's old version contributed, except for the chunks that its new version keeps."""
        for entity, evidence in old.about.items():
            self.evidence[entity].subtract(evidence)
        for chunk in old.chunks - keep:
            self.removed_chunks.add(chunk)
            for entity, evidence in old.support.get(chunk, {}).items():
                self.evidence[entity].subtract(evidence)
            self.relations.subtract(old.relations.get(chunk, {}))

    def add_document(self, tenant: str, version: NewVersion, old: OldVersion | None) -> None:
        """Add what a document's new version contributes; chunks that the old version had stay as they are."""
        old_chunks = old.chunks if old else frozenset()
        title, title_evidence = title_entity(tenant, version.parsed)

        def resolve(origin: str) -> str:
            return self.transition.resolve(origin, version.claim.id) if self.transition else origin

        about = resolve(title)
        self.evidence[about].update(decided(title_evidence, title, about))
        self.documents.append(document_row(tenant, version, (old.version if old else 0) + 1))
        self.sections += section_rows(tenant, version)
        self.chunks += chunk_rows(tenant, version, old_chunks & version.kept)
        self.about.append(
            {
                "document": version.claim.id,
                "entity": about,
                "properties": {"kind": "title", "evidence": encode(title_evidence)} | with_origin(title, about),
            }
        )
        self.tags += [{"document": version.claim.id, "name": tag} for tag in version.parsed.tags]
        self.refers += reference_rows(version)
        self.known += known_as_rows(version)
        for chunk in version.chunks:
            if chunk.id in old_chunks and chunk.id not in version.extractions:
                self.kept_chunks.add(chunk.id)
                continue
            self.new_chunks.add(chunk.id)
            support = chunk_support(tenant, chunk, version.extractions[chunk.id], title, resolve)
            self.mentions += support.mentions
            self.facts += support.facts
            self.relations.update(support.relations)
            for entity, evidence in support.evidence.items():
                self.evidence[entity].update(evidence)

    def replace_document(self, tenant: str, version: NewVersion, old: OldVersion | None) -> None:
        """Subtract what a document's old version contributed, and add what its new version contributes."""
        if old:
            version = version.labelled(old.patch)
            self.subtract_document(old, version.kept)
            # Their points were written before the transaction, with the file's labels only.
            self.relabelled_chunks.update(chunk.id for chunk in version.chunks if old.patch)
        facts_from = len(self.facts)
        self.add_document(tenant, version, old)
        asserted = {
            (fact["subject"], fact["properties"]["predicate"], fact["object"])
            for fact in self.facts[facts_from:]
            if fact["object"] is not None and fact["object"] != fact["subject"]
        }
        if old:
            asserted |= old.remaining
        self.count_relation_documents(old.asserted if old else (), asserted)

    def count_relation_documents(self, before: Iterable[RelationKey], after: Iterable[RelationKey]) -> None:
        """Update document counts for the relations that one document asserted before and asserts now."""
        self.relation_documents.subtract(Counter(set(before)))
        self.relation_documents.update(Counter(set(after)))

    def described_entities(self) -> list[str]:
        """Return the ids of entities whose names or describing sentences may change, sorted."""
        return sorted(self.evidence.keys() | {fact["subject"] for fact in self.facts})

    def touched_entities(self) -> list[str]:
        """Return the ids of entities whose evidence changes, sorted."""
        return sorted(entity for entity, delta in self.evidence.items() if any(delta.values()))

    def relation_rows(self) -> list[dict[str, Any]]:
        """Return the changes of aggregated relations, sorted."""
        evidence: dict[RelationKey, Counter[str]] = defaultdict(Counter)
        for (subject, predicate, target, level), count in self.relations.items():
            if count:
                evidence[subject, predicate, target][level] = count
        keys = evidence.keys() | {key for key, count in self.relation_documents.items() if count}
        return [relation_row(key, evidence[key], self.relation_documents[key]) for key in sorted(keys)]


def relation_row(key: RelationKey, evidence: Mapping[str, int], documents: int) -> dict[str, Any]:
    """Return the change of one relation.

    Args:
        key: the relation.
        evidence: level of confidence to the change in the number of facts, which may be negative.
        documents: the change in the number of documents.
    """
    subject, predicate, target = key
    return {
        "subject": subject,
        "predicate": predicate,
        "object": target,
        "type": relation_type(predicate),
        "evidence": [f"{level}\t{count}" for level, count in sorted(evidence.items())],
        "documents": documents,
    }


@dataclass(frozen=True, slots=True)
class EntityChange:
    """The effect on the entities whose evidence changed.

    Args:
        rows: entities to write.
        removed: ids of entities that no evidence supports any more.
        keys: normalised forms of every entity whose names changed; none for those removed.
        changed_names: normalised forms that an entity gained or lost; chunks that contain one must be linked again.
    """

    rows: list[dict[str, Any]]
    removed: list[str]
    keys: dict[str, tuple[str, ...]]
    changed_names: set[str]


def entity_change(
    deltas: Mapping[str, Counter[Evidence]], stored: Sequence[ReadEntitiesRow], names: Mapping[str, Collection[str]]
) -> EntityChange:
    """Apply evidence deltas to the entities as the graph holds them; ``names`` are the forms that decisions give to some (``Identities.names``)."""
    before = {row.id: row for row in stored}
    change = EntityChange([], [], {}, set())
    for entity in sorted(deltas):
        row = before.get(entity)
        evidence = decode(row.evidence) if row else Counter()
        evidence.update(deltas[entity])
        evidence = +evidence
        old_keys = tuple(row.keys) if row else ()
        new_keys = _entity_row(change, entity, evidence, names.get(entity, ()))
        if new_keys != old_keys:
            change.keys[entity] = new_keys
            change.changed_names.update(set(new_keys) ^ set(old_keys))
    return change


def _entity_row(
    change: EntityChange, entity_id: str, evidence: Counter[Evidence], decided_names: Collection[str]
) -> tuple[str, ...]:
    if not evidence:
        change.removed.append(entity_id)
        return ()
    state = describe(evidence, decided_names)
    properties = {
        "name": state.name,
        "aliases": list(state.aliases),
        "key": state.keys[0] if state.keys else "",
        "keys": list(state.keys),
        "confidence": state.confidence,
        "evidence": encode(evidence),
    }
    if state.agreed:
        properties["agreed"] = state.agreed
    change.rows.append({"id": entity_id, "type": state.type, "properties": properties})
    return state.keys
