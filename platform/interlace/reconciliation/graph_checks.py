"""Invariants within the graph. What the graph has lost cannot be made up; what others count or repeat of it can be put right."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from interlace.cypher_files import query
from interlace.entities.evidence import Evidence, decode
from interlace.ingestion import relink
from interlace.ingestion.change import entity_change
from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase, Row, Transaction
from interlace.queries.entities import read_entities
from interlace.reconciliation.graph_pages import judged, steady, violating
from interlace.reconciliation.invariants import Check, SimpleCheck
from interlace.reconciliation.turn import Turn, in_turn

_FIND_LOOSE_CHUNKS = query("invariants/find_orphan_chunks")
_REMOVE_LOOSE_CHUNKS = query("invariants/remove_orphan_chunks")
_FIND_LOOSE_FACTS = query("invariants/find_orphan_facts")
_REMOVE_LOOSE_FACTS = query("invariants/remove_orphan_facts")
_FIND_DANGLING = query("invariants/find_dangling_mentions")
_REMOVE_DANGLING = query("invariants/remove_dangling_mentions")
_ENTITIES = query("invariants/check_entities")
_EVIDENCE = query("invariants/read_evidence")
_RELATIONS = query("invariants/read_relations")
_CHUNKS = query("invariants/count_chunks")
_STALE = query("outbox/stale_outbox")
_WRITE_ENTITIES = query("entities/write_entities")
_REMOVE_ENTITIES = query("entities/remove_entities")
_REMOVE_LINKS = query("documents/remove_links")
_WRITE_MENTIONS = query("entities/write_mentions")
_FOLD_RELATIONS = query("facts/aggregate_relations")
OUTBOX_SECONDS: Final = 300
"""Seconds after which an entry that is due should have been applied, by a worker or by several sweeps."""

Relation = tuple[str, str]
"""Predicate and object's id."""


def graph_checks(graph: GraphDatabase, outbox: Outbox) -> list[Check]:
    """Return the checks of what the graph says of itself, in order."""
    repairs = _Repairs(graph)
    return [
        SimpleCheck(
            "stale outbox",
            lambda tenant: _stale(graph, tenant),
            lambda tenant, _: _dispatch(outbox, tenant),
            scheduled=True,
        ),
        SimpleCheck("chunk without document", violating(graph, _FIND_LOOSE_CHUNKS), repairs.loose_chunks),
        SimpleCheck("fact without chunk", violating(graph, _FIND_LOOSE_FACTS), repairs.loose_facts),
        SimpleCheck("evidence miscounted", judged(graph, _ENTITIES, _EVIDENCE, _is_miscounted), repairs.evidence),
        SimpleCheck("dangling mention", violating(graph, _FIND_DANGLING), repairs.dangling),
        SimpleCheck("relation miscounted", judged(graph, _ENTITIES, _RELATIONS, _is_misfolded), repairs.relations),
        SimpleCheck("chunks miscounted", lambda tenant: _miscounted_chunks(graph, tenant), repairs.chunks),
    ]


def _stale(graph: GraphDatabase, tenant: str) -> Iterator[Sequence[str]]:
    before = int((time.time() - OUTBOX_SECONDS) * 1000)
    if ids := [row["id"] for row in graph.run(_STALE, tenant=tenant, before=before)]:
        yield ids


def _dispatch(outbox: Outbox, tenant: str) -> None:
    outbox.dispatch(tenant, limit=10_000)


def _miscounted_chunks(graph: GraphDatabase, tenant: str) -> Iterator[Sequence[str]]:
    rows = steady(graph, tenant, lambda: graph.run(_CHUNKS, tenant=tenant))
    if rows and rows[0]["stored"] != rows[0]["found"]:
        yield [tenant]


def _is_miscounted(row: Row) -> bool:
    return decode(row["stored"]) != decode(row["found"])


def _is_misfolded(row: Row) -> bool:
    return _counted(row["folded"]) != _counted(row["asserted"])


def _counted(relations: Sequence[Row]) -> dict[Relation, tuple[int, int]]:
    return {(each["predicate"], each["object"]): (each["weight"], each["documents"]) for each in relations}


class _Repairs:
    """Repairs of the graph, each in one transaction that keeps writers of the tenant's documents waiting."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def loose_chunks(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove chunks without a document; what they supported is found miscounted after, their points are found without chunk."""
        in_turn(self._graph, tenant, lambda tx, _: _run(tx, _REMOVE_LOOSE_CHUNKS, tenant=tenant, ids=list(ids)))

    def loose_facts(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove facts without a chunk; the relations that counted them are found miscounted after."""
        in_turn(self._graph, tenant, lambda tx, _: _run(tx, _REMOVE_LOOSE_FACTS, tenant=tenant, ids=list(ids)))

    def evidence(self, tenant: str, ids: Sequence[str]) -> None:
        """Derive entities anew from the evidence that is there, as a writer would, and link chunks by their names anew."""

        def work(tx: Transaction, turn: Turn) -> None:
            registry = turn.registry(tx)
            change = entity_change(
                {row["id"]: _difference(row) for row in tx.run(_EVIDENCE, tenant=tenant, ids=list(ids))},
                read_entities(tx, tenant=tenant, ids=ids),
            )
            held = relink.read_linking(tx, tenant, relink.affected_chunks(tx, tenant, change.changed_names))
            registry.apply(change.keys, turn.version)
            links = relink.relink(held, registry, set(change.removed))
            tx.run(_REMOVE_LINKS, rows=links.remove)
            tx.run(_WRITE_ENTITIES, tenant=tenant, rows=change.rows)
            tx.run(_REMOVE_ENTITIES, tenant=tenant, ids=change.removed)
            tx.run(_WRITE_MENTIONS, rows=links.add)
            turn.renamed = sorted(change.keys)

        in_turn(self._graph, tenant, work)

    def dangling(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove mentions that nothing supports, and link the chunks anew."""

        def work(tx: Transaction, turn: Turn) -> None:
            tx.run(_REMOVE_DANGLING, tenant=tenant, ids=list(ids))
            links = relink.relink(relink.read_linking(tx, tenant, ids), turn.registry(tx), set())
            tx.run(_REMOVE_LINKS, rows=links.remove)
            tx.run(_WRITE_MENTIONS, rows=links.add)

        in_turn(self._graph, tenant, work)

    def relations(self, tenant: str, ids: Sequence[str]) -> None:
        """Make relations count the facts that are there."""

        def work(tx: Transaction, _: Turn) -> None:
            rows = tx.run(_RELATIONS, tenant=tenant, ids=list(ids))
            tx.run(_FOLD_RELATIONS, rows=[change for row in rows for change in _refolded(row)])

        in_turn(self._graph, tenant, work)

    def chunks(self, tenant: str, ids: Sequence[str]) -> None:
        """Count the chunks."""
        del ids

        def work(tx: Transaction, turn: Turn) -> None:
            for row in tx.run(_CHUNKS, tenant=tenant):
                turn.chunks = row["found"] - row["stored"]

        in_turn(self._graph, tenant, work)


def _run(tx: Transaction, query: Any, **params: Any) -> None:
    tx.run(query, **params)


def _difference(row: Row) -> Counter[Evidence]:
    found = decode(row["found"])
    found.subtract(decode(row["stored"]))
    return found


def _refolded(row: Row) -> Iterator[dict[str, Any]]:
    folded, asserted = _counted(row["folded"]), _counted(row["asserted"])
    for predicate, target in sorted(folded.keys() | asserted.keys()):
        old, new = folded.get((predicate, target), (0, 0)), asserted.get((predicate, target), (0, 0))
        if old != new:
            yield {
                "subject": row["id"],
                "predicate": predicate,
                "object": target,
                "weight": new[0] - old[0],
                "documents": new[1] - old[1],
            }
