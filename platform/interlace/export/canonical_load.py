"""Reads a canonical dump back: the same graph in an empty tenant.

What a dump leaves out starts afresh: a document has its first version, indexed now; there are no jobs, ingestion records or communities.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.errors import ConflictError, InvalidInputError
from interlace.domain.instants import now
from interlace.export.restore import OnRows, TenantRows, first_label, write_tenant
from interlace.export.schema import CHUNK, COMMUNITY, DOCUMENT, KINDS, REFERENCE, TAG
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex

_LABELS = frozenset(kind.label for kind in KINDS if kind.canonical)
_COMMUNITY = "community-"
_BY_TYPE = {"TAGGED": TAG.label, "REFERS_TO": REFERENCE.label, "KNOWN_AS": REFERENCE.label}


@dataclass(frozen=True, slots=True)
class DumpSize:
    """What a canonical dump holds, communities left out.

    Args:
        tenant: the tenant that owns the graph.
        nodes: number of nodes.
        relationships: number of relationships.
        chunks: number of chunks among the nodes.
    """

    tenant: str
    nodes: int
    relationships: int
    chunks: int


def load(graph: GraphDatabase, vectors: VectorIndex, source: Path, progress: OnRows = lambda _: None) -> DumpSize:
    """Write the graph of a canonical dump into its tenant, which must be empty; the caller rebuilds the vectors afterwards.

    The whole file is read and checked before anything is changed. Memory holds the ids of all nodes. A load that fails leaves the tenant
    empty; one that is killed leaves it marked, and the next one starts over.

    Args:
        graph: the database.
        vectors: the index; the tenant's points, if any, are deleted.
        source: the file.
        progress: called with the number of nodes and relationships written since the last call.

    Raises:
        InvalidInputError: the file is not a canonical dump, or holds several tenants or a relationship without its ends.
        ConflictError: the tenant is not empty.
        UnavailableError: a server does not answer.
    """
    dump = _Dump(source)
    size = dump.check()
    found = first_label(graph, size.tenant)
    if found:
        raise ConflictError(
            f"Tenant {size.tenant!r}, whose graph {source} holds, is not empty: it has nodes labelled {found}. "
            f"`interlace tenants remove {size.tenant}` removes all its data."
        )
    properties = {"tenant": size.tenant, "version": 1, "chunks": size.chunks}
    write_tenant(graph, vectors, size.tenant, TenantRows(properties, dump.nodes, dump.relationships), progress)
    return size


class _Dump:
    """The lines of a dump; relationships come before nodes, because lines are sorted."""

    def __init__(self, source: Path) -> None:
        self._source = source
        self._labels: dict[str, str] = {}
        self._tenants: set[str] = set()

    def check(self) -> DumpSize:
        nodes = chunks = 0
        for line in self._lines("node"):
            nodes += 1
            chunks += CHUNK.label in line["labels"]
            self._tenants.add(str(line["properties"].get("tenant")))
            label = self._label(line)
            if label not in {TAG.label, REFERENCE.label}:
                self._labels[line["id"]] = label
        if len(self._tenants) != 1:
            raise InvalidInputError(
                f"{self._source} holds the graphs of {len(self._tenants)} tenants; a canonical dump has one. "
                "`interlace graph dump --canonical` writes it."
            )
        relationships = sum(1 for _ in self.relationships())
        return DumpSize(self._tenants.pop(), nodes, relationships, chunks)

    def nodes(self) -> Iterator[dict[str, Any]]:
        for line in self._lines("node"):
            label, properties = self._label(line), line["properties"]
            if label == DOCUMENT.label:
                properties = {**properties, "version": 1, "indexedAt": now()}
            yield {"label": label, "key": line["id"], "labels": line["labels"], "properties": properties}

    def relationships(self) -> Iterator[dict[str, Any]]:
        for line in self._lines("relationship"):
            if line["end"].startswith(_COMMUNITY) or line["start"].startswith(_COMMUNITY):
                continue
            kind = _BY_TYPE.get(line["type"])
            yield {
                "startLabel": self._known(line["start"]),
                "startKey": line["start"],
                "endLabel": kind or self._known(line["end"]),
                "endKey": line["end"],
                "type": line["type"],
                "properties": line["properties"],
            }

    def _known(self, key: str) -> str:
        label = self._labels.get(key)
        if label is None:
            raise InvalidInputError(
                f"{self._source} has a relationship with {key!r}, but no such node; it is truncated. Nothing was changed."
            )
        return label

    def _label(self, line: dict[str, Any]) -> str:
        label: str | None = next((label for label in line["labels"] if label in _LABELS), None)
        if label is None:
            raise InvalidInputError(
                f"{self._source} has a node labelled {', '.join(line['labels'])}, which this version does not know."
            )
        return label

    def _lines(self, kind: str) -> Iterator[dict[str, Any]]:
        with self._source.open("rb") as lines:
            for number, text in enumerate(lines, start=1):
                try:
                    line = orjson.loads(text)
                    found = line["kind"]
                except (orjson.JSONDecodeError, TypeError, KeyError) as error:
                    raise InvalidInputError(
                        f"Line {number} of {self._source} is not a line of a canonical dump; `interlace graph dump --canonical` writes one."
                    ) from error
                if found == kind and not (kind == "node" and COMMUNITY.label in line["labels"]):
                    yield line
