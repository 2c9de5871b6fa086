"""Versions of a document: the one about to be written, and what the graph holds of the one before."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import Extraction
from interlace.domain.instants import now
from interlace.entities.evidence import Evidence
from interlace.ingestion.labels import LabelPatch

RelationKey = tuple[str, str, str]
"""Subject id, predicate, object id."""
Assertion = tuple[str, str, str, str]
"""What a fact adds to a relation: subject id, predicate, object id, and the level of its confidence."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An ingestion record on which this worker has a lease.

    Args:
        id: the document's id.
        generation: number of the upload; a newer upload invalidates older claims.
        attempt: how often work on this upload was started, this time included.
        owner: the lease's owner, unique for each claim.
        job_id: the job that brought it.
        operation: ``upsert`` or ``delete``.
        source_uri: the document's source URI.
        media_type: as uploaded.
        checksum: SHA-256 of the bytes.
        content: the bytes (empty for a deletion).
        metadata: as uploaded.
    """

    id: str
    generation: int
    attempt: int
    owner: str
    job_id: str
    operation: str
    source_uri: str
    media_type: str = ""
    checksum: str = ""
    content: bytes = b""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def fence(self) -> dict[str, str | int]:
        """Return what a compare-and-set of this record compares."""
        return {"id": self.id, "generation": self.generation, "attempt": self.attempt, "owner": self.owner}


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A document ready to be written.

    Args:
        claim: the ingestion record it fulfils.
        fingerprint: what parsed, chunked, extracted and embedded it.
        parsed: the parsed document.
        chunks: all its chunks, in order.
        extractions: what was found in the chunks that the graph does not hold yet, by chunk id.
        indexed_at: when it was read, an instant; the same in graph and vector index.
        patch: label changes made by people; already applied to ``parsed``.
    """

    claim: Claim
    fingerprint: str
    parsed: ParsedDocument
    chunks: tuple[Chunk, ...]
    extractions: Mapping[str, Extraction]
    indexed_at: str = field(default_factory=now)
    patch: LabelPatch = field(default_factory=LabelPatch)

    def labelled(self, patch: LabelPatch) -> "NewVersion":
        """Return the version with a patch applied to the document's labels."""
        return replace(self, parsed=patch.apply(self.parsed), patch=patch) if patch else self

    @property
    def kept(self) -> frozenset[str]:
        """Ids of the chunks that stay as the graph holds them."""
        return frozenset(chunk.id for chunk in self.chunks if chunk.id not in self.extractions)


@dataclass(frozen=True, slots=True)
class OldVersion:
    """What the graph holds of a document, as far as subtraction needs it.

    Args:
        id: the document's id.
        version: its version number.
        chunks: ids of its chunks.
        about: evidence that its title gives, by entity id.
        support: evidence that mentions in removed chunks give: chunk id → entity id → evidence.
        relations: what facts of removed chunks assert: chunk id → relation and confidence → number of facts.
        remaining: relations that the chunks that stay assert.
        patch: label changes made by people.
    """

    id: str
    version: int
    chunks: frozenset[str]
    about: Mapping[str, Counter[Evidence]]
    support: Mapping[str, Mapping[str, Counter[Evidence]]]
    relations: Mapping[str, Counter[Assertion]]
    remaining: frozenset[RelationKey]
    patch: LabelPatch = field(default_factory=LabelPatch)

    @property
    def asserted(self) -> set[RelationKey]:
        """Every relation that the document asserts."""
        return {each[:3] for relations in self.relations.values() for each in relations} | self.remaining


@dataclass(frozen=True, slots=True)
class Outcome:
    """What writing a batch did.

    Args:
        written: ids of the documents that are now ready.
        deleted: ids of the documents that are now gone.
        lost: ids whose ingestion record another worker or a newer upload had taken.
        deferred: whether older chunks must still be linked after names were added or removed.
    """

    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    deferred: bool = False
