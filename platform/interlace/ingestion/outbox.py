"""Transactional outbox: points that must be synchronised with the graph, recorded there and dispatched to the vector index.

An entry holds only ids. Dispatching it compares the index with the graph: points of nodes that are gone are deleted, the others get their
document's current payload, and those that the index has lost are recreated. Dispatching an entry twice, or late, is harmless.

The two stores share no transaction, so what was read from the graph may be stale by the time it is written to the index. Every writer to the
index therefore reads the graph again, until it matches what was written last. Of all writers of one point, the last one also reads after all
others have written, and its entry stays until that read agrees. Any later change in the graph comes with an entry of its own.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries import outbox as queries
from interlace.queries.chunks import chunk_payloads
from interlace.vectors.entity_points import KIND as ENTITIES
from interlace.vectors.entity_points import drop_stale
from interlace.vectors.projection import chunk_payload
from interlace.vectors.restoration import Restorer

# Exceeded only if a document changes this often while one entry is dispatched; the entry then stays for the next dispatch.
_ROUNDS = 8

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _GraphState:
    """What the graph says about some points.

    Args:
        payloads: by id, for the points whose nodes it holds.
        pending: ids of nodes that a batch in progress will write.
    """

    payloads: dict[str, Payload]
    pending: frozenset[str]

    def encoded(self, node: str) -> bytes | None:
        """Return the payload that the index must have, or None if it must have no point."""
        payload = self.payloads.get(node)
        return None if payload is None else orjson.dumps(payload, option=orjson.OPT_SORT_KEYS)


@dataclass(frozen=True, slots=True)
class Outbox:
    """Writes and dispatches outbox entries.

    Args:
        graph: holds the entries; the source of truth.
        vectors: the index to synchronise.
        restorer: recreates points of chunks.
        embeds: whether entities are embedded: if so, their entries wait for that once no stale point is left.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    restorer: Restorer
    embeds: bool = False

    def enter(self, tenant: str, entry: str, ids: Sequence[str], *, due_in: float) -> None:
        """Write an entry for points of nodes that are not in the graph yet, before the points are written.

        If the nodes' transaction never commits, the entry comes due after ``due_in`` seconds, and the points are removed.
        """
        queries.write_outbox(
            self.graph, tenant=tenant, id=entry, kind="chunks", ids=ids, jobs=[], due_ms=int(due_in * 1000)
        )

    def reconcile(self, tenant: str, ids: Sequence[str]) -> None:
        """Synchronise the points of these chunks, whatever is wrong with them; if this process dies, the sweeper takes over."""
        entry = uuid.uuid4().hex
        queries.write_outbox(self.graph, tenant=tenant, id=entry, kind="chunks", ids=ids, jobs=[], due_ms=0)
        if self.apply(tenant, "chunks", ids):
            queries.clear_outbox(self.graph, ids=[entry])

    def dispatch(self, tenant: str | None = None, limit: int = 100) -> int:
        """Apply entries that are due, oldest first, of one tenant or all; return how many were applied: others wait for batches in progress."""
        applied = 0
        for row in queries.due_outbox(self.graph, tenant=tenant, limit=limit):
            if row.kind == ENTITIES:
                drop_stale(self.graph, self.vectors, row.tenant, row.ids)
                keep = queries.await_embedding if self.embeds else queries.clear_outbox
                keep(self.graph, ids=[row.id])
            elif self.apply(row.tenant, row.kind, row.ids):
                queries.clear_outbox(self.graph, ids=[row.id])
            else:
                queries.defer_outbox(self.graph, id=row.id)
                continue
            applied += 1
        return applied

    def enter_entities(self, tenant: str, ids: Sequence[str]) -> None:
        """Delete stale points of these entities, and have all of them embedded again."""
        entry = uuid.uuid4().hex
        queries.write_outbox(self.graph, tenant=tenant, id=entry, kind=ENTITIES, ids=ids, jobs=[], due_ms=0)
        self.dispatch(tenant)

    def apply(self, tenant: str, kind: str, ids: Sequence[str]) -> bool:
        """Synchronise the points of these nodes with the graph; those of a batch in progress are left to it.

        Returns:
            Whether nothing remains to be done. False while a batch in progress writes a point that may have been deleted here just after it
            was written: the entry must then be applied again when that batch has finished.
        """
        written: dict[str, bytes | None] = {}
        for _ in range(_ROUNDS):
            state = self._read(tenant, kind, ids)
            due = [
                node
                for node in ids
                if node not in state.pending and (node not in written or written[node] != state.encoded(node))
            ]
            if not due:
                return not state.pending
            self._write(tenant, kind, due, state)
            written.update((node, state.encoded(node)) for node in due)
        return False

    def _read(self, tenant: str, kind: str, ids: Sequence[str]) -> _GraphState:
        # In this order: a batch that commits between the two reads is then seen by the second.
        pending = queries.pending_points(self.graph, tenant=tenant, kind=kind, ids=ids)
        payloads = {
            row.id: chunk_payload(row.document, row.section_type, row.position)
            for row in chunk_payloads(self.graph, tenant=tenant, ids=ids)
        }
        return _GraphState(payloads, frozenset(pending) - payloads.keys())

    def _write(self, tenant: str, kind: str, ids: Sequence[str], state: _GraphState) -> None:
        orphans = [node for node in ids if node not in state.payloads]
        if orphans:
            self.vectors.delete(tenant, kind, orphans)
        known = [node for node in ids if node in state.payloads]
        present = self.vectors.existing_ids(tenant, kind, known) if known else set()
        missing = {node: state.payloads[node] for node in known if node not in present}
        if missing:
            self.restorer.restore(tenant, missing)
        if present:
            self.vectors.set_payloads(tenant, kind, {node: state.payloads[node] for node in sorted(present)})
