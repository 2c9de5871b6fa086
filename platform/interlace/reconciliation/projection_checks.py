"""Invariants between graph and vector index: both sides are streams in order of id, compared as they pass."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final, Literal

from more_itertools import chunked

from interlace.domain.errors import ConflictError
from interlace.ingestion.outbox import Outbox
from interlace.leases.tenant_lock import while_writers_wait
from interlace.ports.graph import GraphDatabase, QueryRunner
from interlace.ports.vectors import VectorIndex
from interlace.queries.community_refreshes import find_empty_communities, forget_communities, settled_communities
from interlace.queries.invariants import check_chunks, check_communities, known_chunks, recorded_points
from interlace.reconciliation.graph_pages import PAGE, FindIds, confirmed, ids_of, paged
from interlace.reconciliation.invariants import Found, InvariantCheck, SimpleCheck

Side = Literal["graph", "index"]
_SIDES: Final[tuple[Side, Side]] = ("graph", "index")


def one_sided(nodes: Iterable[str], points: Iterable[str]) -> Iterator[tuple[Side, str]]:
    """Yield the ids that only one of two ascending streams has, with its side; memory does not grow."""
    merged = heapq.merge(((name, 0) for name in nodes), ((name, 1) for name in points))
    for name, group in groupby(merged, key=itemgetter(0)):
        sides = {side for _, side in group}
        if len(sides) == 1:
            yield _SIDES[sides.pop()], name


@dataclass(frozen=True, slots=True)
class _Compared:
    """Ids of points without a chunk, and by id of a chunk without a point the ready document that has it."""

    orphans: list[str]
    missing: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class ChunkProjection:
    """Chunks and their points."""

    scheduled = True

    graph: GraphDatabase
    vectors: VectorIndex
    outbox: Outbox

    def find(self, tenant: str) -> Found:
        """Yield points without chunks, chunks without points, and the documents of the latter; only ids of reported documents are kept."""
        nodes = (name for ids in ids_of(self.graph, check_chunks, tenant) for name in ids)
        points = (point.id for point in self.vectors.scroll(tenant, "chunks"))
        documents: set[str] = set()
        for suspects in chunked((name for _, name in one_sided(nodes, points)), PAGE):
            yield from self._broken(tenant, suspects, documents)

    def repair(self, tenant: str, invariant: str, ids: Sequence[str]) -> None:
        """Bring the points in line with the graph; documents are repaired with their chunks."""
        if invariant != "ready without projection":
            self.outbox.reconcile(tenant, ids)

    def _broken(self, tenant: str, ids: list[str], reported: set[str]) -> Found:
        """Yield what is still wrong when read again, first beside the writers of documents and then while they wait."""
        read = partial(self._compared, tenant=tenant, ids=ids)
        result = confirmed(self.graph, tenant, read, lambda found: found.orphans or found.missing)
        if result.orphans:
            yield "point without chunk", result.orphans
        if result.missing:
            yield "chunk without point", sorted(result.missing)
            documents = sorted({document for document in result.missing.values() if document} - reported)
            reported.update(documents)
            if documents:
                yield "ready without projection", documents

    def _compared(self, runner: QueryRunner, *, tenant: str, ids: list[str]) -> _Compared:
        """Compare these chunks with their points; what has an outbox entry is not wrong.

        The order counts. A point that is written before its chunk has an entry until the chunk is there, so the second read of chunks finds
        it. A deleted chunk has an entry until its point is gone, so the read of points finds that. A point whose batch began only then got
        its entry before it was written: the entry is still there afterwards, or the chunk is.
        """
        before = known_chunks(runner, tenant=tenant, ids=ids)
        recorded = set(recorded_points(runner, tenant=tenant, ids=ids))
        after = known_chunks(runner, tenant=tenant, ids=ids)
        points = self.vectors.existing_ids(tenant, "chunks", ids)
        recorded.update(recorded_points(runner, tenant=tenant, ids=ids))
        last = known_chunks(runner, tenant=tenant, ids=ids)
        chunks = {row.id: row.document for row in (*before, *after, *last)}
        present = {row.id for row in before} & {row.id for row in after}
        return _Compared(
            sorted(points - chunks.keys() - recorded), {name: chunks[name] for name in present - points - recorded}
        )


def community_checks(
    graph: GraphDatabase, vectors: VectorIndex, refresh: Callable[[str], object]
) -> list[InvariantCheck]:
    """Return the checks of communities; they run only while nothing has changed since the last refresh, and another refresh repairs everything."""

    def correct(tenant: str, ids: Sequence[str]) -> None:
        del ids
        if _settled(tenant, graph):
            forget_communities(graph, tenant=tenant)
            with suppress(ConflictError):  # a refresh that is running repairs the same
                refresh(tenant)

    return [
        SimpleCheck("community without members", _when_settled(graph, paged(graph, find_empty_communities)), correct),
        SimpleCheck(
            "community point without community", _when_settled(graph, _one_side(graph, vectors, "index")), correct
        ),
        SimpleCheck("community without point", _when_settled(graph, _one_side(graph, vectors, "graph")), correct),
    ]


def _settled(tenant: str, runner: QueryRunner) -> bool:
    return settled_communities(runner, tenant=tenant) is not None


def _when_settled(graph: GraphDatabase, search: FindIds) -> FindIds:
    """Return a search whose findings count only if no refresh was running or due when they were made."""

    def settled(tenant: str) -> Iterator[Sequence[str]]:
        if _settled(tenant, graph):
            for ids in search(tenant):
                if while_writers_wait(graph, tenant, partial(_settled, tenant)):
                    yield ids

    return settled


def _one_side(graph: GraphDatabase, vectors: VectorIndex, wanted: Side) -> FindIds:
    def search(tenant: str) -> Iterator[Sequence[str]]:
        nodes = (name for ids in ids_of(graph, check_communities, tenant) for name in ids)
        points = (point.id for point in vectors.scroll(tenant, "communities"))
        yield from chunked((name for side, name in one_sided(nodes, points) if side == wanted), PAGE)

    return search
