"""One run of a rebuild: passes over the chunks until every chunk has the vectors, then removal of orphaned points.

The vectors of a point are a function of its chunk and its id stays, so points are written again where they are. A model that is added later
gets a vector of its own in each point, which is not searched until the tenant's node says that every chunk has one. The node is changed
under its lock: a writer of chunks that lacks the model removes it from the list in the transaction that writes them.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from more_itertools import batched

from interlace.leases.lease import Lease
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, VectorIndex, windows_of
from interlace.queries.chunks import chunk_payloads
from interlace.queries.vectors import PageEmbeddingChunksRow, begin_pass, end_pass, page_embedding_chunks
from interlace.vectors.projection import KIND, chunk_payload, chunk_point, embed, ensure_collection, model_text

PAGE = 64
MAX_PASSES = 5
_ORPHAN_BATCH = 512

Progress = Callable[[int, int], None]
"""Called with the number of chunks done and the total."""

Reconcile = Callable[[str, Sequence[str]], None]
"""Synchronises the points of some chunks of a tenant with the graph."""


class PointProjection(Protocol):
    """Another kind of points, which its own service synchronises."""

    def __call__(self, tenant: str, *, everything: bool, renew: Callable[[], None]) -> None:
        """Write the points that are missing or stale, or all of them; ``renew`` is called before each batch."""
        ...


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """The result of a rebuild.

    Args:
        tenant: whose points.
        models: embedding models whose vectors were written.
        complete: whether every chunk has them now; a run without enough time leaves the rest to the next one.
        points: chunks that were read.
        embedded: chunks that were embedded.
        removed: orphaned points that were removed.
        seconds: duration.
    """

    tenant: str
    models: tuple[str, ...]
    complete: bool = False
    points: int = 0
    embedded: int = 0
    removed: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Begun:
    """A rebuild that holds the lease, with the number of chunks and the complete models at its beginning."""

    lease: Lease
    chunks: int
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores and models of a rebuild."""

    graph: GraphDatabase
    vectors: VectorIndex
    reconcile: Reconcile
    embedders: Mapping[str, Embedder]
    others: Mapping[str, PointProjection]


class RebuildRun:
    """One run.

    Args:
        stores: graph, vector index and models.
        begun: the lease, and the state at the beginning.
        models: models whose vectors are written.
        progress: called after each page.
        whole: write whole points, so that vectors of other models are removed.
        again: write vectors even where a point has them.
        use: model that questions use afterwards.
        deadline: reading of the monotonic clock at which the run stops.
    """

    def __init__(
        self,
        stores: Stores,
        begun: Begun,
        models: tuple[str, ...],
        progress: Progress,
        *,
        whole: bool = False,
        again: bool = False,
        use: str | None = None,
        deadline: float | None = None,
    ) -> None:
        self._stores = stores
        self._begun = begun
        self._lease = begun.lease
        self._tenant = begun.lease.tenant
        self._progress = progress
        self._whole = whole
        self._again = again
        self._use = use
        self._deadline = deadline
        self._report = RebuildReport(self._tenant, models)
        self._all = tuple(stores.embedders.values())
        self._wanted = tuple(stores.embedders[name] for name in models)

    def run(self) -> RebuildReport:
        """Make passes until one finds every vector, at most ``MAX_PASSES``."""
        started = time.monotonic()
        ensure_collection(self._stores.vectors, self._tenant, self._all)
        complete = False
        for _ in range(MAX_PASSES):
            # A whole point holds no vectors of models that this process lacks.
            kept = tuple(self._stores.embedders) if self._whole else self._begun.models
            self._stores.graph.transact(partial(self._begin_pass, kept))
            if not self._pass():
                break
            for project in self._stores.others.values():
                project(self._tenant, everything=self._whole, renew=self._lease.renew)
            complete = self._stores.graph.transact(self._end_pass)
            if complete:
                break
            # Only chunks that were written meanwhile still lack vectors.
            self._whole = self._again = False
        removed = self._remove_orphans() if complete else 0
        return replace(self._report, complete=complete, removed=removed, seconds=time.monotonic() - started)

    def _begin_pass(self, kept: Sequence[str], tx: Transaction) -> None:
        self._lease.renew(tx)
        begin_pass(tx, tenant=self._tenant, models=self._report.models, kept=kept)

    def _end_pass(self, tx: Transaction) -> bool:
        self._lease.renew(tx)
        return end_pass(tx, tenant=self._tenant, models=self._report.models, use=self._use)

    def _pass(self) -> bool:
        """Go through every chunk; return whether there was time for all of them."""
        done = 0
        for rows in self._pages():
            if self._deadline is not None and time.monotonic() > self._deadline:
                return False
            self._lease.renew()
            self._write_page(rows)
            done += len(rows)
            self._progress(done, max(done, self._begun.chunks))
        self._report = replace(self._report, points=done)
        return True

    def _pages(self) -> Iterator[list[PageEmbeddingChunksRow]]:
        after = ""
        while rows := page_embedding_chunks(self._stores.graph, tenant=self._tenant, after=after, limit=PAGE):
            yield rows
            after = rows[-1].id

    def _write_page(self, rows: Sequence[PageEmbeddingChunksRow]) -> None:
        ids = [row.id for row in rows]
        present = set() if self._whole else self._stores.vectors.existing_ids(self._tenant, KIND, ids)
        incomplete = present - self._with_vectors(present)
        missing = [row for row in rows if row.id not in present]
        stale = [row for row in rows if row.id in incomplete]
        if missing:
            self._write_points(missing)
        if stale:
            self._write_vectors(stale)
        self._report = replace(self._report, embedded=self._report.embedded + len(missing) + len(stale))

    def _with_vectors(self, ids: set[str]) -> set[str]:
        """Return the points that have all wanted vectors already."""
        if self._again:
            return set()
        for name in (vector for each in self._wanted for vector in (each.model, windows_of(each.model))):
            ids = self._stores.vectors.existing_ids(self._tenant, KIND, sorted(ids), name) if ids else ids
        return ids

    def _write_points(self, rows: Sequence[PageEmbeddingChunksRow]) -> None:
        """Write whole points, then reconcile those whose chunks were removed or changed meanwhile."""
        texts = [model_text(row.context, row.text) for row in rows]
        dense = embed(self._all, texts)
        written = {row.id: chunk_payload(row.document, row.section_type, row.position) for row in rows}
        points = [
            chunk_point(row.id, text, dense, place, written[row.id])
            for place, (row, text) in enumerate(zip(rows, texts, strict=True))
        ]
        self._stores.vectors.upsert(self._tenant, KIND, points)
        present = chunk_payloads(self._stores.graph, tenant=self._tenant, ids=list(written))
        same = {
            row.id for row in present if chunk_payload(row.document, row.section_type, row.position) == written[row.id]
        }
        if changed := sorted(written.keys() - same):
            self._stores.reconcile(self._tenant, changed)

    def _write_vectors(self, rows: Sequence[PageEmbeddingChunksRow]) -> None:
        """Add vectors to points; a point that is deleted meanwhile does not come back."""
        dense = embed(self._wanted, [model_text(row.context, row.text) for row in rows])
        points = [
            Point(row.id, dense={name: vectors[place] for name, vectors in dense.items()})
            for place, row in enumerate(rows)
        ]
        self._stores.vectors.set_vectors(self._tenant, KIND, points)

    def _remove_orphans(self) -> int:
        """Remove points without a chunk, except those of batches in progress; return how many were removed."""
        removed = 0
        points = (point.id for point in self._stores.vectors.scroll(self._tenant, KIND))
        for ids in batched(points, _ORPHAN_BATCH):
            self._lease.renew()
            rows = chunk_payloads(self._stores.graph, tenant=self._tenant, ids=list(ids))
            orphans = sorted(set(ids) - {row.id for row in rows})
            if orphans:
                self._stores.reconcile(self._tenant, orphans)
                removed += len(set(orphans) - self._stores.vectors.existing_ids(self._tenant, KIND, orphans))
        return removed
