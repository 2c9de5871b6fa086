"""The canonical dump: the graph as sorted JSON Lines, the same for every order in which documents were ingested.

A line is a node ``{"kind": "node", "id", "labels", "properties"}`` or a relationship ``{"kind": "relationship", "start", "type",
"end", "properties"}``. Times and counters that depend on the history are left out. The id of a tag is its name, that of a reference
its key, that of a community a digest of its level and its members.
"""

import hashlib
import heapq
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

import orjson

from interlace.export.schema import COMMUNITY, HISTORY, KINDS, PAGE, NodeKind
from interlace.ports.graph import GraphDatabase
from interlace.queries.export import CommunityMembersRow, PageNodesRelationship, community_members

RUN_BYTES: Final = 32_000_000
"""Bytes of lines that are sorted at once, in memory."""


def dump(graph: GraphDatabase, tenant: str, target: Path, *, communities: bool = False) -> int:
    """Write the canonical dump of a tenant's graph to a file, which appears only when it is complete; return its number of lines.

    Memory is bounded by ``RUN_BYTES``, apart from one name per community. Each page is a query of its own, so the graph
    must not be written to meanwhile.

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
    # Communities are named by their level and members, because their ids depend on the history.
    names = {row.key: _community_name(row) for row in _communities(graph, tenant)} if communities else {}
    for kind in KINDS:
        if kind.canonical:
            yield from _kind_lines(graph, tenant, kind, names)
    if communities:
        yield from _community_lines(graph, tenant, names)


def _kind_lines(graph: GraphDatabase, tenant: str, kind: NodeKind, names: Mapping[str, str]) -> Iterator[bytes]:
    for node in kind.nodes(graph, tenant):
        yield _node(node.key, node.labels, node.properties)
        yield from _relationships(node.key, node.relationships, names)


def _community_lines(graph: GraphDatabase, tenant: str, names: Mapping[str, str]) -> Iterator[bytes]:
    for node, row in zip(COMMUNITY.nodes(graph, tenant), _communities(graph, tenant), strict=True):
        name = names[node.key]
        yield _node(name, node.labels, {**node.properties, "id": name, "members": row.members})
        yield from _relationships(name, node.relationships, names)


def _communities(graph: GraphDatabase, tenant: str) -> Iterator[CommunityMembersRow]:
    after = ""
    while rows := community_members(graph, tenant=tenant, after=after, limit=PAGE):
        yield from rows
        after = rows[-1].key


def _community_name(row: CommunityMembersRow) -> str:
    members = hashlib.sha256("\n".join(row.members).encode()).hexdigest()
    return f"community-{row.level}-{members}"


def _node(name: str, labels: Iterable[str], properties: Mapping[str, Any]) -> bytes:
    return _line({"kind": "node", "id": name, "labels": sorted(labels), "properties": _without_history(properties)})


def _relationships(
    start: str, found: Iterable[PageNodesRelationship], communities: Mapping[str, str]
) -> Iterator[bytes]:
    """Yield the lines of relationships; those to communities only if these have names."""
    for each in found:
        end = communities.get(each.key) if each.label == COMMUNITY.label else each.key
        if end is not None:
            properties = _without_history(each.properties)
            yield _line(
                {"kind": "relationship", "start": start, "type": each.type, "end": end, "properties": properties}
            )


def _without_history(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key not in HISTORY}


def _line(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _write_sorted(lines: Iterable[bytes], target: Path) -> int:
    """Merge-sort the lines through files next to the target; return their number."""
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
