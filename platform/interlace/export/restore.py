"""Restores tenants from a backup: each whole or not at all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from interlace.cypher_files import query
from interlace.domain.errors import ConflictError, InterlaceError, InvalidInputError
from interlace.export.backup_format import Contents, check, read, restored
from interlace.export.kinds import LABELS, PAGE, PAGES, REMADE, REMOVAL
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex

_REGISTRY = query("export/read_tenant")
_BEGIN = query("export/begin_restore")
_FINISH = query("export/finish_restore")
_WRITE_NODES = query("export/write_nodes")
_WRITE_RELATIONSHIPS = query("export/write_relationships")
_REMOVE = query("export/remove_nodes")
_REMOVE_REST = query("export/remove_rest")
_COUNT = query("export/count_all")
_KINDS = ("chunks", "communities")
_BATCH = 500
_BATCH_CHARACTERS = 2_000_000

Row = dict[str, Any]
Done = Callable[[int], None]
"""Told the nodes and relationships written since the last time."""


def restore(
    graph: GraphDatabase,
    vectors: VectorIndex,
    source: Path,
    *,
    replace: bool = False,
    checked: Callable[[Contents], None] = lambda _: None,
    done: Done = lambda _: None,
) -> Contents:
    """Write what a backup holds; the vectors are to be made anew afterwards.

    The file is read to its end before anything is touched. Uploads that waited come last, so that no worker begins before the rest is
    there. A restore that fails leaves its tenant empty; one that was killed leaves it marked, and the next one begins again.

    Raises:
        InvalidInputError: the file is no backup, or damaged.
        ConflictError: a tenant of the file has something already and ``replace`` was not asked for.
        UnavailableError: a server does not answer.
    """
    contents = check(source)
    for tenant in contents.tenants:
        _check_empty(graph, tenant, replace=replace)
    checked(contents)
    for tenant in contents.tenants:
        graph.run(_BEGIN, tenant=tenant)
        try:
            _empty(graph, vectors, tenant)
            _write(graph, source, tenant, done)
        except BaseException:
            with suppress(InterlaceError):  # the mark stays, and the next restore begins again
                _empty(graph, vectors, tenant)
            raise
    return contents


def _check_empty(graph: GraphDatabase, tenant: str, *, replace: bool) -> None:
    rows = graph.run(_REGISTRY, tenant=tenant)
    if replace or (rows and rows[0]["properties"].get("restoring")):
        return
    for label in LABELS:
        if graph.run(PAGES[label], tenant=tenant, after="", limit=1, labels=LABELS):
            raise ConflictError(
                f"Tenant {tenant!r} is not empty: it has nodes labelled {label}. --replace removes what it has and restores the backup."
            )


def _empty(graph: GraphDatabase, vectors: VectorIndex, tenant: str) -> None:
    for label in REMOVAL:
        while rows := graph.run(PAGES[label], tenant=tenant, after="", limit=PAGE, labels=LABELS):
            graph.run(_REMOVE, tenant=tenant, label=label, keys=[row["key"] for row in rows])
    graph.run(_REMOVE_REST, tenant=tenant)
    for kind in _KINDS:
        vectors.drop(tenant, kind)


def _write(graph: GraphDatabase, source: Path, tenant: str, done: Done) -> None:
    registry = next(line["registry"] for line in _of(source, tenant) if "registry" in line)
    nodes = relationships = 0
    for rows in _batches(_node(line) for line in _nodes(source, tenant) if line["label"] != "IngestionRecord"):
        graph.run(_WRITE_NODES, tenant=tenant, rows=rows)
        nodes += len(rows)
        done(len(rows))
    for rows in _batches(row for line in _nodes(source, tenant) for row in _relationships(line)):
        graph.run(_WRITE_RELATIONSHIPS, tenant=tenant, rows=rows)
        relationships += len(rows)
        done(len(rows))
    _verify(graph, tenant, nodes, relationships)
    graph.run(_FINISH, tenant=tenant, properties=registry)
    for rows in _batches(_node(line) for line in _nodes(source, tenant) if line["label"] == "IngestionRecord"):
        graph.run(_WRITE_NODES, tenant=tenant, rows=rows)
        done(len(rows))


def _verify(graph: GraphDatabase, tenant: str, nodes: int, relationships: int) -> None:
    rows = [row for row in graph.run(_COUNT, tenant=tenant) if not REMADE.intersection(row["labels"])]
    found = (sum(row["nodes"] for row in rows), sum(row["relationships"] for row in rows))
    if found != (nodes, relationships):
        raise ConflictError(
            f"Tenant {tenant!r} has {found[0]} nodes and {found[1]} relationships after its restore, the backup {nodes} and "
            f"{relationships}; was something written to it meanwhile? Nothing was kept: run the restore again."
        )


def _of(source: Path, tenant: str) -> Iterator[Row]:
    """Yield the lines of one tenant: from its registry's line to the next one's."""
    mine = False
    for line in read(source):
        if "registry" in line:
            mine = line["tenant"] == tenant
        if mine:
            yield line


def _nodes(source: Path, tenant: str) -> Iterator[Row]:
    for line in _of(source, tenant):
        if "label" in line:
            if line["label"] not in PAGES:
                raise InvalidInputError(
                    f"{source} has nodes labelled {line['label']}, which this version does not know."
                )
            yield line


def _node(line: Row) -> Row:
    return {
        "label": line["label"],
        "key": line["key"],
        "labels": line["labels"],
        "properties": restored(line["properties"]),
    }


def _relationships(line: Row) -> Iterator[Row]:
    for relationship in line["relationships"]:
        yield {
            "startLabel": line["label"],
            "startKey": line["key"],
            "endLabel": relationship["label"],
            "endKey": relationship["key"],
            "type": relationship["type"],
            "properties": restored(relationship["properties"]),
        }


def _batches(rows: Iterable[Row]) -> Iterator[Sequence[Row]]:
    """Group rows by number and by size, so that a transaction's memory is bounded."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row["properties"].values() if isinstance(value, str | bytes))
        if len(batch) >= _BATCH or size >= _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
