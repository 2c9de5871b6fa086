"""The outbox: points whose projection must be brought in step with the graph, noted in the graph and applied to the vector index.

An entry names ids only. Applying it asks the graph what is true: points of nodes that are gone are deleted, the others get the
payload their document has now, and those that the index has lost are made anew. Applying an entry twice, or late, is harmless.

The two stores share no transaction, so what a look at the graph said may be false by the time the index is told. Therefore whoever
told the index something looks again, until a look says what he told last. Of all who tell the index about one point, the last one
also looks after all others have acted, and his entry stays until that look agrees. What changes in the graph after it comes with an
entry, or an announcement, of its own.
"""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries.chunks import chunk_payloads
from interlace.vectors.projection import chunk_payload
from interlace.vectors.restoration import Restorer

_DUE = query("outbox/due_outbox")
_STAGE = query("outbox/write_outbox")
_CLEAR = query("outbox/clear_outbox")
_ANNOUNCED = query("outbox/pending_points")
# A document would have to change as often while one entry is applied; the entry then stays for the next time.
_LOOKS = 8

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Truth:
    """What the graph says of some points: payloads of those whose nodes it holds, and those that a batch under way will bring."""

    payloads: dict[str, Fields]
    coming: frozenset[str]

    def of(self, node: str) -> bytes | None:
        """Return what the index must say of a point: its payload, or None if there must be none."""
        fields = self.payloads.get(node)
        return None if fields is None else orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)


class Outbox:
    """Announces and applies projections."""

    def __init__(self, graph: GraphDatabase, vectors: VectorIndex, restorer: Restorer) -> None:
        self._graph = graph
        self._vectors = vectors
        self._restorer = restorer

    def announce(self, tenant: str, entry: str, ids: Sequence[str], *, due_in: float) -> None:
        """Note that points are about to be written for nodes that the graph does not hold yet.

        If their transaction never comes, the entry falls due after ``due_in`` seconds and the points are removed.
        """
        due = _now() + int(due_in * 1000)
        self._graph.run(_STAGE, tenant=tenant, id=entry, kind="chunks", ids=list(ids), dueAt=due)

    def reconcile(self, tenant: str, ids: Sequence[str]) -> None:
        """Bring the points of these chunks in step, whatever is wrong with them; should this process die, the sweeper goes on."""
        entry = uuid.uuid4().hex
        self._graph.run(_STAGE, tenant=tenant, id=entry, kind="chunks", ids=list(ids), dueAt=0)
        if self.apply(tenant, "chunks", ids):
            self._graph.run(_CLEAR, ids=[entry])

    def dispatch(self, tenant: str | None = None, limit: int = 100) -> int:
        """Apply entries that are due, oldest first; return how many were applied."""
        rows = self._graph.run(_DUE, tenant=tenant, now=_now(), limit=limit)
        for row in rows:
            if self.apply(row["tenant"], row["kind"], row["ids"]):
                self._graph.run(_CLEAR, ids=[row["id"]])
        return len(rows)

    def apply(self, tenant: str, kind: str, ids: Sequence[str]) -> bool:
        """Bring the points of these nodes in step with the graph; those of a batch under way are left to it.

        Returns:
            Whether nothing remains to be done. It does while a batch under way brings a point that may have been deleted here just
            after it was written: then the entry must be applied again when that batch is through.
        """
        told: dict[str, bytes | None] = {}
        for _ in range(_LOOKS):
            truth = self._look(tenant, kind, ids)
            due = [
                node for node in ids if node not in truth.coming and (node not in told or told[node] != truth.of(node))
            ]
            if not due:
                return not truth.coming
            self._tell(tenant, kind, due, truth)
            told.update((node, truth.of(node)) for node in due)
        return False

    def _look(self, tenant: str, kind: str, ids: Sequence[str]) -> _Truth:
        # In this order: a batch that commits between the two reads is then seen by the second.
        announced = self._graph.run(_ANNOUNCED, tenant=tenant, kind=kind, ids=list(ids), now=_now())
        payloads = {
            row.id: chunk_payload(row.document, row.section_type)
            for row in chunk_payloads(self._graph, tenant=tenant, ids=list(ids))
        }
        return _Truth(payloads, frozenset(row["id"] for row in announced) - payloads.keys())

    def _tell(self, tenant: str, kind: str, ids: Sequence[str], truth: _Truth) -> None:
        gone = [node for node in ids if node not in truth.payloads]
        if gone:
            self._vectors.delete(tenant, kind, gone)
        held = [node for node in ids if node in truth.payloads]
        present = self._vectors.holding(tenant, kind, held) if held else set()
        lost = {node: truth.payloads[node] for node in held if node not in present}
        if lost:
            self._restorer.restore(tenant, lost)
        groups: dict[bytes | None, list[str]] = {}
        for node in sorted(present):
            groups.setdefault(truth.of(node), []).append(node)
        for members in groups.values():
            self._vectors.set_payload(tenant, kind, members, truth.payloads[members[0]])


def _now() -> int:
    return int(time.time() * 1000)
