"""Stable identifiers: UUIDv5 of what a thing is, so that the same input always names the same node and point."""

import hashlib
import uuid
from collections.abc import Sequence

_NAMESPACE = uuid.UUID("6f2d1f0e-0d0c-5d6b-9b1e-1a7e3c0a51ce")
_SEPARATOR = "\x1f"


def stable_id(*parts: str) -> str:
    """Return the UUIDv5 (lower-case text) of the parts joined by a separator that occurs in no name."""
    return str(uuid.uuid5(_NAMESPACE, _SEPARATOR.join(parts)))


def checksum(content: bytes | str) -> str:
    """Return the SHA-256 of the bytes (text is UTF-8) as 64 hexadecimal digits."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def document_id(tenant: str, source_uri: str) -> str:
    """Return the id of a document: its tenant and source URI."""
    return stable_id("document", tenant, source_uri)


def section_id(document_id: str, path: Sequence[str], ordinal: int) -> str:
    """Return the id of a section: its document, its heading path and its place in the document."""
    return stable_id("section", document_id, *path, str(ordinal))


def chunk_id(document_id: str, path: Sequence[str], text: str, occurrence: int) -> str:
    """Return the id of a chunk: content-addressed, so that it stays when text around it moves.

    Args:
        document_id: id of the document.
        path: title and headings above the chunk.
        text: the chunk's text.
        occurrence: 0 for the first chunk with this path and text in the document, then 1, 2, …
    """
    return stable_id("chunk", document_id, *path, checksum(text), str(occurrence))


def entity_id(tenant: str, key: str, declared_type: str = "") -> str:
    """Return the id of an entity: its tenant, its normalised name and, for declared kinds (``Skill``), its type.

    What a text calls a name has no reliable type, so entities found in text are identified by name alone (docs/adr).
    """
    return stable_id("entity", tenant, declared_type, key)


def fact_id(chunk_id: str, subject: str, predicate: str, obj: str) -> str:
    """Return the id of a fact: the chunk that asserts it and its three parts."""
    return stable_id("fact", chunk_id, subject, predicate, obj)
