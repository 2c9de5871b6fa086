"""The canonical dump: what the graph holds as sorted JSON Lines, the same for every order in which documents came.

A line is a node ``{"kind": "node", "id", "labels", "properties"}`` or a relationship ``{"kind": "relationship", "start", "type",
"end", "properties"}``. Times and counters that depend on the history are left out; a tag is called by its name, a reference by its
key, a community by a digest of its level and its members.
"""

import hashlib
import heapq
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import orjson

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase, Query, Row

OMITTED: Final = frozenset({"createdAt", "indexedAt", "updatedAt", "modifiedAt", "version", "jobId", "attempt", "file"})
"""Properties that tell of the history, or of the place on one machine. Metadata of documents has a prefix, so that its times stay."""

PAGE: Final = 500
"""Nodes a query brings; a chunk's text is some kilobytes."""

RUN_BYTES: Final = 32_000_000
"""Bytes of lines that are sorted at once, in memory."""

_NODES: Final = (
    query("export/dump_documents"),
    query("export/dump_sections"),
    query("export/dump_chunks"),
    query("export/dump_entities"),
    query("export/dump_facts"),
    query("export/dump_tags"),
    query("export/dump_references"),
)
_COMMUNITIES: Final = query("export/dump_communities")
_MEMBERS: Final = query("export/dump_members")


def dump(graph: GraphDatabase, tenant: str, target: Path, *, communities: bool = False) -> int:
    """Write the canonical dump of a tenant's graph to a file, which appears only when it is whole; return its lines.

    Memory stays bounded by ``RUN_BYTES``, besides one short name for each community.

    Raises:
        OSError: the file cannot be written.
        UnavailableError: the graph database does not answer.
    """
    lines = _lines(graph, tenant, communities=communities)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
        whole = Path(folder) / "whole"
        count = _write_sorted(lines, whole)
        whole.replace(target)
    return count


def _lines(graph: GraphDatabase, tenant: str, *, communities: bool) -> Iterator[bytes]:
    for nodes in _NODES:
        for row in _rows(graph, nodes, tenant):
            yield _node(row["id"], row["labels"], row["properties"])
            yield from _relationships(row["id"], row["relationships"])
    if communities:
        yield from _community_lines(graph, tenant)


def _community_lines(graph: GraphDatabase, tenant: str) -> Iterator[bytes]:
    names = {row["id"]: _community_name(row) for row in _rows(graph, _COMMUNITIES, tenant)}
    for row in _rows(graph, _COMMUNITIES, tenant):
        name = names[row["id"]]
        yield _node(name, row["labels"], {**row["properties"], "id": name, "members": row["members"]})
        yield from _relationships(
            name, [{"type": "PARENT", "end": names[parent], "properties": {}} for parent in row["parents"]]
        )
    for row in _rows(graph, _MEMBERS, tenant):
        yield from _relationships(
            row["id"], [{**membership, "end": names[membership["end"]]} for membership in row["relationships"]]
        )


def _community_name(row: Row) -> str:
    members = hashlib.sha256("\n".join(row["members"]).encode()).hexdigest()
    return f"community-{row['properties'].get('level')}-{members}"


def _rows(graph: GraphDatabase, page: Query, tenant: str) -> Iterator[Row]:
    """Read page after page by key: each is a new transaction, so dump a graph that nobody writes to."""
    after = ""
    while rows := graph.run(page, tenant=tenant, after=after, limit=PAGE):
        yield from rows
        after = rows[-1]["id"]


def _node(name: str, labels: Iterable[str], properties: dict[str, Any]) -> bytes:
    return _line({"kind": "node", "id": name, "labels": sorted(labels), "properties": _kept(properties)})


def _relationships(start: str, rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield _line(
            {
                "kind": "relationship",
                "start": start,
                "type": row["type"],
                "end": row["end"],
                "properties": _kept(row["properties"]),
            }
        )


def _kept(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key not in OMITTED}


def _line(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _write_sorted(lines: Iterable[bytes], target: Path) -> int:
    """Merge-sort the lines through files beside the target; return their number."""
    count = 0
    with ExitStack() as stack:
        runs: list[IO[bytes]] = []
        for number, part in enumerate(_sorted_runs(lines)):
            run = stack.enter_context((target.parent / f"run-{number}").open("w+b"))
            run.writelines(part)
            run.seek(0)
            runs.append(run)
        with target.open("wb") as out:
            for line in heapq.merge(*runs):
                out.write(line)
                count += 1
            out.flush()
            os.fsync(out.fileno())
    return count


def _sorted_runs(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    run: list[bytes] = []
    size = 0
    for line in lines:
        run.append(line)
        size += len(line)
        if size >= RUN_BYTES:
            yield sorted(run)
            run, size = [], 0
    yield sorted(run)
