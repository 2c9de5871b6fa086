"""Changes of tags and metadata without a new upload: one transaction on the graph, an outbox entry for the payloads.

Nothing is read, extracted or embedded again. The transaction takes the tenant's write lock and starts a revision of its documents, which marks
the copies of the links that processes keep as outdated.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from interlace.access.restricted_tenants import mark_restricted
from interlace.documents.atom_fields import tag_terms
from interlace.domain.documents import ACCESS, TAGS
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError
from interlace.domain.reader import group_names
from interlace.ingestion.document_rows import metadata_properties
from interlace.ingestion.gazetteer_version import log_version
from interlace.ingestion.labels import READING_KEYS, LabelPatch, check_spelling, merged
from interlace.ingestion.outbox import Outbox
from interlace.parsing.metadata import check_tags, tags_of
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.labels import ReadLabelsRow, read_labels, untag_documents, write_labels, write_tags
from interlace.queries.outbox import write_outbox
from interlace.queries.references import remove_unused_references
from interlace.queries.tenants import lock_tenant
from interlace.vectors.projection import TIMES

_METADATA = "metadata."
_ATOM = "atomTags"
_MAX_TAGS = 1000


@dataclass(frozen=True, slots=True)
class LabelChange:
    """A requested change of labels.

    Args:
        tags: the complete new tags; None to keep the current ones, apart from ``add`` and ``remove``.
        add: tags to add.
        remove: tags to remove.
        metadata: a JSON merge patch of their metadata.
        clear_metadata: whether keys that ``metadata`` does not name are removed.
        access: the groups of readers that may see the documents, empty for everyone; None to leave it unchanged.
    """

    tags: Sequence[str] | None = None
    add: Sequence[str] = ()
    remove: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    clear_metadata: bool = False
    access: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class DocumentLabels:
    """Changes tags and metadata of documents."""

    graph: GraphDatabase
    outbox: Outbox

    def change(self, tenant: str, ids: Sequence[str], change: LabelChange) -> None:
        """Change the labels of all the documents or of none; payloads follow at once, or as soon as the vector index answers.

        Raises:
            NotFoundError: the graph does not hold one of the documents.
            InvalidInputError: a key decides how documents are read, or a tag has no letter.
            ConflictError: the description of an atom is part of what it is searched by.
            UnavailableError: the graph does not answer, and nothing was changed; or the vector index does not, and everything was.
        """
        check_change(change)
        if change.access:
            mark_restricted(self.graph, tenant)
        self.graph.transact(lambda tx: _relabel(tx, tenant, ids, change))
        self.outbox.dispatch(tenant)

    def carry(self, tenant: str, renamed: Mapping[str, str]) -> set[str]:
        """Carry label changes made by people over to the documents that replace the labelled ones.

        Args:
            tenant: the tenant that owns the documents.
            renamed: id of the former document → id of the one that has its bytes now.

        Returns:
            The former documents that were replaced; those whose successor is not ready are left out.
        """
        rows = {row.id: row for row in read_labels(self.graph, tenant=tenant, ids=[*renamed, *renamed.values()])}
        taken = {former for former, successor in renamed.items() if former in rows and successor in rows}
        for former in sorted(taken):
            patch = LabelPatch.decode(rows[former].properties.get("patch"))
            if patch:
                self.change(tenant, [renamed[former]], _as_change(patch))
        return taken


def _as_change(patch: LabelPatch) -> LabelChange:
    metadata = {key: value for key, value in patch.metadata.items() if key != ACCESS}
    access = (patch.metadata[ACCESS] or ()) if ACCESS in patch.metadata else None
    return LabelChange(add=sorted(patch.added), remove=sorted(patch.removed), metadata=metadata, access=access)


def check_change(change: LabelChange) -> None:
    """Refuse a change that is invalid for every document.

    Raises:
        InvalidInputError: see ``DocumentLabels.change``.
    """
    for key in READING_KEYS & set(change.metadata or ()):
        hint = f"send `{key}` beside `metadata`" if key in (TAGS, ACCESS) else "another upload changes it"
        raise InvalidInputError(f"metadata.{key} is not a label of a document: {hint}.")
    check_spelling(change.metadata or ())
    group_names(change.access or ())
    check_tags((*(change.tags or ()), *change.add, *change.remove))
    if len(change.tags or ()) + len(change.add) > _MAX_TAGS:
        raise InvalidInputError(f"A document has at most {_MAX_TAGS} tags.")


def _relabel(tx: Transaction, tenant: str, ids: Sequence[str], change: LabelChange) -> None:
    version = lock_tenant(tx, tenant=tenant)
    rows = {row.id: row for row in read_labels(tx, tenant=tenant, ids=list(ids))}
    missing = [each for each in ids if each not in rows]
    if version is None or missing:
        raise NotFoundError(
            f"There is no document {(missing or ids)[0]} to label; `interlace documents list` lists them. "
            "A pending one can be labelled when it is ready."
        )
    changed = {row.id: _labelled(row, change) for row in rows.values()}
    write_labels(tx, tenant=tenant, rows=[{"id": each, "properties": found} for each, found in changed.items()])
    untag_documents(tx, tenant=tenant, ids=list(changed))
    tags = [{"document": each, "name": tag} for each, found in changed.items() for tag in found["tags"]]
    write_tags(tx, tenant=tenant, rows=tags)
    former = sorted({tag for row in rows.values() for tag in row.properties.get("tags") or ()})
    remove_unused_references(tx, tenant=tenant, tags=former, references=[])
    log_version(tx, tenant, version)
    chunks = [chunk for row in rows.values() for chunk in row.chunks]
    write_outbox(tx, tenant=tenant, id=uuid.uuid4().hex, kind="chunks", ids=chunks, jobs=[], due_ms=0)


def _labelled(row: ReadLabelsRow, change: LabelChange) -> dict[str, Any]:
    """Return the properties that a document's new labels give it; null for those to be removed."""
    stored = row.properties
    if _ATOM in stored and "description" in (change.metadata or ()):
        raise ConflictError(f"{stored['title']} is an atom, searched by its description; change that in its file.")
    before = tuple(stored.get("tags") or ())
    base = before if change.tags is None else tags_of(change.tags)
    tags = tuple(sorted((set(base) | set(tags_of(change.add))) - set(tags_of(change.remove))))
    values = _new_values(stored, change)
    patch = LabelPatch.decode(stored.get("patch")).then(set(tags) - set(before), set(before) - set(tags), values)
    properties: dict[str, Any] = {"tags": list(tags), "patch": patch.encode() if patch else None}
    if change.access is not None:
        properties["access"] = list(group_names(change.access)) or None
        values = {key: value for key, value in values.items() if key != ACCESS}
    for key, value in values.items():
        properties |= dict.fromkeys((f"{_METADATA}{key}", f"instant.{key}"))
        properties |= {name: None for name, time in TIMES.items() if time == key}
        properties |= metadata_properties({key: value})
    if _ATOM in stored:
        properties[_ATOM] = tag_terms(tags)
    return properties


def _new_values(stored: Mapping[str, Any], change: LabelChange) -> dict[str, Any]:
    """Return the new value of each key that changes; None for a key to be removed."""
    current = {key.removeprefix(_METADATA): value for key, value in stored.items() if key.startswith(_METADATA)}
    current |= {time: stored[name] for name, time in TIMES.items() if name in stored}
    values: dict[str, Any] = {}
    if change.clear_metadata:
        values = dict.fromkeys(key for key in current if key not in READING_KEYS)
    for key, value in (change.metadata or {}).items():
        values[key] = merged(_object(current.get(key)), value)
    if change.access is not None:
        values[ACCESS] = list(group_names(change.access)) or None
    return values


def _object(value: Any) -> Any:
    """Return a value as it was before it was stored: Neo4j keeps an object as its JSON text."""
    if not (isinstance(value, str) and value.startswith("{")):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value
