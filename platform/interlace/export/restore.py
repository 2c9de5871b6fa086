"""Restore: tenants from a backup, each completely or not at all."""

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
from more_itertools import constrained_batches, peekable

from interlace.domain.errors import ConflictError, InterlaceError, InvalidInputError
from interlace.export.backup_format import OLDEST_SCHEMA, Contents, check, decode_properties, read
from interlace.export.removal import remove_all
from interlace.export.schema import COMMUNITY, DERIVED, JOB, KINDS, LABELS, NodeKind, schema_version
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries import export as queries

_BATCH = 500
_BATCH_CHARACTERS = 2_000_000
_SOURCE = "restoredFrom"
"""Property of a tenant: digest of the backup that it was restored from, until its vectors are there."""

Line = dict[str, Any]
OnRows = Callable[[int], None]
"""Called with the number of nodes and relationships written since the last call."""


@dataclass(frozen=True, slots=True)
class TenantRows:
    """The data to write for a tenant.

    Args:
        properties: properties of the tenant itself.
        nodes: rows of nodes, read when they are written.
        relationships: rows of relationships between them.
    """

    properties: Line
    nodes: Callable[[], Iterator[Line]]
    relationships: Callable[[], Iterator[Line]]


def restore(
    graph: GraphDatabase,
    vectors: VectorIndex,
    source: Path,
    *,
    replace: bool = False,
    checked: Callable[[Contents], None] = lambda _: None,
    progress: OnRows = lambda _: None,
) -> Contents:
    """Write what a backup holds; the caller rebuilds the vectors afterwards.

    The whole file is read and checked before anything is changed. A restore that fails leaves its tenant empty; one that is killed leaves it
    marked, so that no worker takes its waiting uploads, and the next restore starts it over. Tenants that are complete but for their vectors
    are left to the caller.

    Args:
        graph: the database.
        vectors: the index from which the tenants' points are deleted.
        source: the file.
        replace: whether to remove what the tenants have, be it from this file or not.
        checked: called with the contents of the file before anything is changed; what it raises stops the restore.
        progress: called after each batch.

    Raises:
        InvalidInputError: the file is not a backup, is damaged, or was saved with a schema that this version cannot take.
        ConflictError: a tenant is not empty and ``replace`` is false.
        UnavailableError: a server does not answer.
    """
    contents = check(source)
    _check_schema(graph, source, contents.schema)
    done = () if replace else restored_tenants(graph, contents)
    for tenant in () if replace else contents.tenants:
        if tenant not in done:
            _check_empty(graph, tenant)
    checked(contents)
    lines = peekable(read(source))
    for tenant in contents.tenants:
        # The file is read once, however many tenants it holds; of each, the lines are needed twice.
        with TemporaryFile() as section:
            rows = _rows(source, lines, section, contents.digest)
            if tenant not in done:
                write_tenant(graph, vectors, tenant, rows, progress)
    return contents


def restored_tenants(graph: GraphDatabase, contents: Contents) -> Sequence[str]:
    """Return the tenants that a restore of the same file wrote before it was interrupted: only their vectors may be incomplete."""
    stored = {tenant: queries.read_tenant(graph, tenant=tenant) or {} for tenant in contents.tenants}
    return [tenant for tenant, properties in stored.items() if properties.get(_SOURCE) == contents.digest]


def write_tenant(
    graph: GraphDatabase, vectors: VectorIndex, tenant: str, rows: TenantRows, progress: OnRows = lambda _: None
) -> None:
    """Write a tenant's data, whatever it has now; the caller rebuilds the vectors afterwards.

    Args:
        graph: the database.
        vectors: the index from which the tenant's points are deleted.
        tenant: the tenant.
        rows: its new data.
        progress: called after each batch.

    Raises:
        ConflictError: it has other data afterwards.
        UnavailableError: a server does not answer.
    """
    queries.begin_restore(graph, tenant=tenant)
    try:
        remove_all(graph, vectors, tenant)
        _write(graph, tenant, rows, progress)
    except BaseException:
        with suppress(InterlaceError):  # the tenant stays marked, and the next restore starts over
            remove_all(graph, vectors, tenant)
        raise


def _check_schema(graph: GraphDatabase, source: Path, schema: int) -> None:
    here = schema_version(graph)
    if schema > here:
        raise InvalidInputError(
            f"{source} was saved with version {schema} of the database's schema, and this database has {here}; nothing was changed. "
            "Run `interlace migrate`, with a newer Interlace if it changes nothing, and restore again."
        )
    if 0 < schema < OLDEST_SCHEMA:
        raise InvalidInputError(
            f"{source} was saved with version {schema} of the database's schema; since then, version {OLDEST_SCHEMA} changed what is stored, "
            "and nothing was changed here. Restore it into an empty database with the Interlace that saved it, update that one, and save it again."
        )


def _check_empty(graph: GraphDatabase, tenant: str) -> None:
    found = first_label(graph, tenant)
    if found:
        raise ConflictError(
            f"Tenant {tenant!r} is not empty: it has nodes labelled {found}. --replace removes what it has and restores the backup."
        )


def first_label(graph: GraphDatabase, tenant: str) -> str | None:
    """Return a label of nodes that a tenant has; None if it is empty, or if a restore of it was interrupted.

    Finished jobs, which outlive the documents that they were about, and communities, which are detected again, do not count.
    """
    properties = queries.read_tenant(graph, tenant=tenant)
    if properties is not None and properties.get("restoring"):
        return None
    kinds = (kind for kind in KINDS if kind != COMMUNITY)
    return next((kind.label for kind in kinds if _has_nodes(graph, tenant, kind)), None)


def _has_nodes(graph: GraphDatabase, tenant: str, kind: NodeKind) -> bool:
    if kind == JOB:
        return any(job.properties.get("heartbeatAt") is not None for job in JOB.nodes(graph, tenant))
    return any(kind.pages(graph, tenant, limit=1))


def _write(graph: GraphDatabase, tenant: str, source: TenantRows, progress: OnRows) -> None:
    nodes = _write_nodes(graph, tenant, source.nodes(), progress)
    relationships = 0
    for rows in _batches(source.relationships()):
        queries.write_relationships(graph, tenant=tenant, rows=rows)
        relationships += len(rows)
        progress(len(rows))
    _verify(graph, tenant, nodes, relationships)
    queries.finish_restore(graph, tenant=tenant, properties=source.properties)


def _rows(source: Path, lines: peekable[Line], section: IO[bytes], digest: str) -> TenantRows:
    """Take the next tenant's lines, the first of which is its own, and keep those of its nodes in a file."""
    properties = {**next(lines)["properties"], _SOURCE: digest}
    with gzip.open(section, "wb", compresslevel=1) as copy:
        while "label" in lines.peek({}):
            copy.write(orjson.dumps(next(lines)) + b"\n")
    return TenantRows(
        properties,
        lambda: _nodes(source, section),
        lambda: (row for line in _lines(section) for row in _relationships(line)),
    )


def _lines(section: IO[bytes]) -> Iterator[Line]:
    section.seek(0)
    return map(orjson.loads, gzip.open(section))


def _write_nodes(graph: GraphDatabase, tenant: str, nodes: Iterator[Line], progress: OnRows) -> int:
    written = 0
    for rows in _batches(nodes):
        queries.write_nodes(graph, tenant=tenant, rows=rows)
        written += len(rows)
        progress(len(rows))
    return written


def _verify(graph: GraphDatabase, tenant: str, nodes: int, relationships: int) -> None:
    rows = [row for row in queries.count_all(graph, tenant=tenant) if not DERIVED.intersection(row.labels)]
    found = (sum(row.nodes for row in rows), sum(row.relationships for row in rows))
    if found != (nodes, relationships):
        raise ConflictError(
            f"Tenant {tenant!r} has {found[0]} nodes and {found[1]} relationships after its restore, the backup {nodes} and "
            f"{relationships}; was something written to it meanwhile? Nothing was kept: run the restore again."
        )


def _nodes(source: Path, section: IO[bytes]) -> Iterator[Line]:
    """Yield rows for the nodes of a tenant."""
    for line in _lines(section):
        label = line["label"]
        if label not in LABELS:
            raise InvalidInputError(f"{source} has nodes labelled {label}, which this version does not know.")
        yield {
            "label": label,
            "key": line["key"],
            "labels": [label, *line["labels"]],
            "properties": decode_properties(line["properties"]),
        }


def _relationships(line: Line) -> Iterator[Line]:
    for relationship in line["relationships"]:
        yield {
            "startLabel": line["label"],
            "startKey": line["key"],
            "endLabel": relationship["label"],
            "endKey": relationship["key"],
            "type": relationship["type"],
            "properties": decode_properties(relationship["properties"]),
        }


def _batches(rows: Iterator[Line]) -> Iterator[Sequence[Line]]:
    """Group rows by number and size, so that the memory of a transaction is bounded."""
    return constrained_batches(rows, _BATCH_CHARACTERS, max_count=_BATCH, get_len=_size, strict=False)


def _size(line: Line) -> int:
    return sum(len(value) for value in line["properties"].values() if isinstance(value, str | bytes))
