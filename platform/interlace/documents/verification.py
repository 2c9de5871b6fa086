"""File references: which file on this machine a document came from, what its bytes were then, and whether they still are.

A document sent over the API came from no file here and is not checked. One that is a record of a file (``all.jsonl#7``) is compared with that
record, so that a change elsewhere in the file does not count.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

from interlace.domain.documents import Source
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources, root_uri
from interlace.ports.graph import GraphDatabase
from interlace.queries.references import file_references

_PAGE = 500
_BLOCK = 1 << 20

State = Literal["same", "changed", "vanished", "unreadable", "no file"]


@dataclass(frozen=True, slots=True)
class FileReference:
    """A document and its file.

    Args:
        id: the document.
        source_uri: where it came from, as documents are named.
        file: the file's path on the machine that read it; none for what was sent as bytes.
        checksum: SHA-256 of the bytes that were indexed.
        indexed_at: when, an instant.
        access: the groups of readers that it is for; none for everybody.
    """

    id: str
    source_uri: str
    file: str | None
    checksum: str
    indexed_at: str
    access: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of a document's file; ``found`` is the SHA-256 of its bytes now, null where there are none to read."""

    reference: FileReference
    state: State
    found: str | None = None

    @property
    def differs(self) -> bool:
        """Whether the document differs from its file."""
        return self.state not in ("same", "no file")


def verify(
    graph: GraphDatabase, tenant: str, *, source: str = "", limits: ParseLimits | None = None
) -> Iterator[Verdict]:
    """Compare a tenant's documents with their files, by source.

    Args:
        graph: the graph.
        tenant: the tenant that owns the documents.
        source: beginning of their source URIs.
        limits: bounds for files of records, as at ingestion.
    """
    # Records of one file follow each other, and the file is read once for all of them.
    for file, together in groupby(file_references_of(graph, tenant, source), key=lambda reference: reference.file):
        references = list(together)
        records = [_record_of(reference.source_uri, file) if file else "" for reference in references]
        now = _records(file, limits or ParseLimits()) if file and any(records) else {}
        for reference, record in zip(references, records, strict=True):
            yield _verdict(reference, now.get(record)) if record else _whole_file(reference)


def file_references_of(graph: GraphDatabase, tenant: str, source: str, root: str = "") -> Iterator[FileReference]:
    """Yield the files of a tenant's ready documents by source URI, one page per query.

    Args:
        graph: the graph.
        tenant: whose documents.
        source: what their source URIs begin with.
        root: what the paths of their files begin with; empty also for documents without a file.
    """
    after = ""
    while True:
        rows = file_references(graph, tenant=tenant, prefix=source, root=root, after=after, limit=_PAGE)
        for row in rows:
            yield FileReference(row.id, row.source, row.file, row.checksum, row.indexed, tuple(row.access or ()))
        if len(rows) < _PAGE:
            return
        after = rows[-1].source


def _whole_file(reference: FileReference) -> Verdict:
    if reference.file is None:
        return Verdict(reference, "no file")
    try:
        found = _digest(reference.file)
    except (FileNotFoundError, NotADirectoryError):
        return Verdict(reference, "vanished")
    except (OSError, ValueError):
        return Verdict(reference, "unreadable")
    return _compared(reference, found)


def _verdict(reference: FileReference, found: str | None) -> Verdict:
    """Compare a record of a file with the checksum that it has now; it has none where the file no longer holds it."""
    whole = _whole_file(reference)
    if whole.state in ("vanished", "unreadable"):
        return whole
    return Verdict(reference, "vanished") if found is None else _compared(reference, found)


def _record_of(uri: str, file: str) -> str:
    """Return which record of its file a document is; empty if it is the whole file."""
    _, mark, record = uri.rpartition(f"{root_uri(Path(file))}#")
    return record if mark else ""


def _compared(reference: FileReference, found: str) -> Verdict:
    return Verdict(reference, "same" if found == reference.checksum else "changed", found)


def _records(file: str, limits: ParseLimits) -> dict[str, str]:
    """Return record to SHA-256 for a file of records."""
    found = (item for item in find_sources([Path(file)], limits=limits) if isinstance(item, Source))
    return {_record_of(source.uri, file): source.checksum for source in found}


def _digest(file: str) -> str:
    """Return the SHA-256 of a file's bytes.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ValueError: it is a pipe or device, which might never end.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{file} is not a regular file.")
        digest = hashlib.sha256()
        while block := opened.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
