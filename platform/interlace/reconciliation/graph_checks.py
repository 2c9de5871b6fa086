"""Invariants within the graph. Lost text cannot be restored; what other nodes count or repeat of it can be corrected."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from interlace.entities.evidence import decode
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.outbox import Outbox
from interlace.ports.graph import GraphDatabase
from interlace.queries.extraction_records import find_orphan_records
from interlace.queries.invariants import (
    CountChunksRow,
    check_entities,
    count_chunks,
    find_dangling_mentions,
    find_orphan_chunks,
    find_orphan_facts,
    read_evidence,
    read_relations,
)
from interlace.queries.outbox import stale_outbox
from interlace.queries.relinks import stalled_relinks
from interlace.reconciliation.graph_pages import broken_rows, confirmed, paged
from interlace.reconciliation.invariants import InvariantCheck, SimpleCheck
from interlace.reconciliation.repairs import GraphRepairs, counts_its_facts

OUTBOX_SECONDS: Final = 300
"""Seconds after which an entry that is due should have been applied, by a worker or by several sweeps."""
LINKING_SECONDS: Final = 300
"""Seconds after which a writer or a sweep should have linked another batch of older chunks."""


def graph_checks(graph: GraphDatabase, outbox: Outbox, older_chunks: OlderChunks) -> list[InvariantCheck]:
    """Return the checks of the graph alone, in the order in which they run."""
    repairs = GraphRepairs(graph, older_chunks)
    return [
        SimpleCheck(
            "stale outbox",
            lambda tenant: _stale(graph, tenant),
            lambda tenant, _: outbox.dispatch(tenant, limit=10_000),
            scheduled=True,
        ),
        SimpleCheck(
            "chunks not linked",
            lambda tenant: _stalled(graph, tenant),
            lambda tenant, _: older_chunks.finish(tenant),
            scheduled=True,
        ),
        SimpleCheck("chunk without document", paged(graph, find_orphan_chunks), repairs.orphan_chunks),
        SimpleCheck("fact without chunk", paged(graph, find_orphan_facts), repairs.orphan_facts),
        SimpleCheck(
            "extraction without chunk", paged(graph, find_orphan_records), repairs.orphan_records, scheduled=True
        ),
        SimpleCheck(
            "evidence miscounted",
            broken_rows(graph, check_entities, read_evidence, lambda row: decode(row.stored) != decode(row.found)),
            repairs.evidence,
        ),
        SimpleCheck("dangling mention", paged(graph, find_dangling_mentions), repairs.dangling_mentions),
        SimpleCheck(
            "relation miscounted",
            broken_rows(graph, check_entities, read_relations, lambda row: not counts_its_facts(row)),
            repairs.relations,
        ),
        SimpleCheck("chunks miscounted", lambda tenant: _miscounted_chunks(graph, tenant), repairs.chunk_count),
    ]


def _stale(graph: GraphDatabase, tenant: str) -> Iterator[Sequence[str]]:
    before = int((time.time() - OUTBOX_SECONDS) * 1000)
    if ids := stale_outbox(graph, tenant=tenant, before=before):
        yield ids


def _stalled(graph: GraphDatabase, tenant: str) -> Iterator[Sequence[str]]:
    before = int((time.time() - LINKING_SECONDS) * 1000)
    if ids := stalled_relinks(graph, tenant=tenant, before=before):
        yield ids


def _miscounted_chunks(graph: GraphDatabase, tenant: str) -> Iterator[Sequence[str]]:
    if _is_wrong(confirmed(graph, tenant, partial(count_chunks, tenant=tenant), _is_wrong)):
        yield [tenant]


def _is_wrong(row: CountChunksRow | None) -> bool:
    return row is not None and row.stored != row.found
