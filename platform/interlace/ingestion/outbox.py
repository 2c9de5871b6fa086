"""The outbox: points whose projection must be brought in step with the graph, noted in the graph and applied to the vector index.

An entry names ids only. Applying it asks the graph what is true: points of nodes that are gone are deleted, the others get the
payload their document has now. Applying an entry twice, or late, is therefore harmless.
"""

import time
from collections.abc import Sequence
from typing import Any

import orjson

from interlace.cypher_files import query
from interlace.ingestion.rows import payload_of
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex

_DUE = query("ingest/due_outbox")
_STAGE = query("ingest/write_outbox")
_CLEAR = query("ingest/clear_outbox")
_PAYLOADS = query("ingest/chunk_payloads")
_ANNOUNCED = query("ingest/announced_points")


class Outbox:
    """Announces and applies projections."""

    def __init__(self, graph: GraphDatabase, vectors: VectorIndex) -> None:
        self._graph = graph
        self._vectors = vectors

    def announce(self, tenant: str, entry: str, ids: Sequence[str], *, due_in: float) -> None:
        """Note that points are about to be written for nodes that the graph does not hold yet.

        If their transaction never comes, the entry falls due after ``due_in`` seconds and the points are removed.
        """
        due = _now() + int(due_in * 1000)
        self._graph.write(_STAGE, tenant=tenant, id=entry, kind="chunks", ids=list(ids), dueAt=due)

    def dispatch(self, tenant: str | None = None, limit: int = 100) -> int:
        """Apply entries that are due, oldest first; return how many were applied."""
        applied = 0
        for row in self._graph.read(_DUE, tenant=tenant, now=_now(), limit=limit):
            self.apply(row["tenant"], row["kind"], row["ids"])
            self._graph.write(_CLEAR, ids=[row["id"]])
            applied += 1
        return applied

    def apply(self, tenant: str, kind: str, ids: Sequence[str]) -> None:
        """Bring the points of these nodes in step with the graph; those of a batch under way are left to its own entry."""
        # In this order: a batch that commits between the two reads is then seen by the second.
        announced = self._graph.read(_ANNOUNCED, tenant=tenant, kind=kind, ids=list(ids), now=_now())
        rows = self._graph.read(_PAYLOADS, tenant=tenant, ids=list(ids))
        kept = {row["id"] for row in announced} | {row["id"] for row in rows}
        gone = [node for node in ids if node not in kept]
        if gone:
            self._vectors.delete(tenant, kind, gone)
        groups: dict[bytes, tuple[dict[str, Any], list[str]]] = {}
        for row in rows:
            fields = payload_of(row)
            key = orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
            groups.setdefault(key, (fields, []))[1].append(row["id"])
        for fields, members in groups.values():
            self._vectors.set_payload(tenant, kind, members, fields)


def _now() -> int:
    return int(time.time() * 1000)
