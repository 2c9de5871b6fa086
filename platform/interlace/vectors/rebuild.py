"""Makes the vector index anew from the graph, beside what is there: readers are served all the while.

A point's vectors are a function of its chunk and its id stays, so every point can be written anew where it is. A model that joins
later gets a vector of its own in each point, which nobody asks for until the graph says that every chunk has one: that fact is the
switch. It is kept on the tenant's registry node under its lock, so that whoever writes chunks without the model takes it back in the
same transaction.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Protocol

from interlace.cypher_files import query
from interlace.domain.errors import InvalidInputError
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.reader import model_text
from interlace.ingestion.rows import payload_of
from interlace.leases.lease import Lease, acquired
from interlace.ports.graph import GraphDatabase, Row, Transaction
from interlace.ports.models import Embedder
from interlace.ports.vectors import Point, VectorIndex
from interlace.queries.tenants import begin_tenant
from interlace.queries.vectors import begin_pass, end_pass
from interlace.vectors.projection import KIND, chunk_point, embed, ensure_collection

_USE = query("vectors/use_model")
_CHUNKS = query("vectors/page_embedding_chunks")
_PAYLOADS = query("chunks/chunk_payloads")
_REGISTRY = query("entities/gazetteer_version")
PAGE = 64
LEASE_SECONDS = 60
MOST_PASSES = 5
_STRAYS_AT_ONCE = 512


class Projection(Protocol):
    """Another kind of points, which brings itself in step."""

    def __call__(self, tenant: str, *, anew: bool) -> None:
        """Write what is missing or, anew, everything."""
        ...


Progressing = Callable[[int, int], None]
"""Told the chunks done and those there are."""


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild did.

    Args:
        tenant: whose points.
        models: embedding models whose vectors were to be made.
        complete: whether every chunk has them now; a run that was given too few seconds leaves the rest to the next.
        points: chunks looked at.
        embedded: chunks that were embedded.
        removed: points without a chunk.
        seconds: how long it took.
    """

    tenant: str
    models: tuple[str, ...]
    complete: bool = False
    points: int = 0
    embedded: int = 0
    removed: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelState:
    """An embedding model of a tenant: whether all chunks have its vectors, whether this process has it, whether questions use it."""

    name: str
    complete: bool
    configured: bool
    used: bool


def _silent(_done: int, _total: int) -> None:
    """Tell nobody."""


class VectorRebuild:
    """Rebuilds points.

    Args:
        graph: the truth.
        vectors: its projection.
        outbox: brings points in step that changed meanwhile.
        embedders: the models of this process, the first one first.
        others: kinds of points besides chunks, by collection.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        outbox: Outbox,
        embedders: Mapping[str, Embedder],
        others: Mapping[str, Projection],
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._outbox = outbox
        self._embedders = embedders
        self._others = others

    def states(self, tenant: str) -> list[ModelState]:
        """Return the models of this process and those whose vectors the tenant's chunks have, by name."""
        rows = self._graph.run(_REGISTRY, tenant=tenant)
        complete: Sequence[str] = rows[0]["models"] if rows else ()
        chosen = (rows[0]["model"] if rows else None) or next(iter(self._embedders), None)
        return [
            ModelState(name, name in complete, name in self._embedders, used=name == chosen)
            for name in sorted({*complete, *self._embedders})
        ]

    def use(self, tenant: str, model: str) -> None:
        """Let questions use a model unless they choose another.

        Raises:
            InvalidInputError: there is no such model, or not all chunks have its vectors yet.
        """
        self._known(model)
        if not self._graph.run(_USE, tenant=tenant, model=model):
            raise InvalidInputError(
                f"Not every chunk of tenant {tenant!r} has a vector of {model}: `interlace vectors rebuild --model {model}` makes them."
            )

    def anew(self, tenant: str, progress: Progressing = _silent) -> RebuildReport:
        """Write every point anew with the vectors of all models of this process; what other models left goes.

        Raises:
            ConflictError: another run is rebuilding this tenant's vectors.
            UnavailableError: a server does not answer; what there was is still served, and the next run begins again.
        """
        with self._begin(tenant) as begun:
            return _Run(self._services(), begun, tuple(self._embedders), progress, whole=True).run()

    def build(self, tenant: str, model: str, progress: Progressing = _silent) -> RebuildReport:
        """Make the vectors of one model, those it lacks if it is not complete, else all; then let questions use it.

        Raises:
            InvalidInputError: there is no such model.
            ConflictError: another run is rebuilding this tenant's vectors.
            UnavailableError: a server does not answer; the next run goes on from there.
        """
        self._known(model)
        with self._begin(tenant) as begun:
            return _Run(self._services(), begun, (model,), progress, again=model in begun.models, use=model).run()

    def fill(self, tenant: str, seconds: float) -> RebuildReport:
        """Make the vectors that chunks lack of any model of this process, for no longer than these seconds.

        Raises:
            ConflictError: another run is rebuilding this tenant's vectors.
            UnavailableError: a server does not answer.
        """
        with self._begin(tenant) as begun:
            lacking = tuple(name for name in self._embedders if name not in begun.models)
            if not lacking:
                return RebuildReport(tenant, (), complete=True)
            return _Run(self._services(), begun, lacking, _silent, deadline=time.monotonic() + seconds).run()

    def _known(self, model: str) -> None:
        if model not in self._embedders:
            names = ", ".join(self._embedders) or "none, because embeddings are off (INTERLACE_EMBEDDING__ENABLED)"
            raise InvalidInputError(
                f"There is no embedding model {model!r} here; there are: {names}. INTERLACE_EMBEDDING__MODELS adds models."
            )

    def _services(self) -> "_Services":
        return _Services(self._graph, self._vectors, self._outbox, self._embedders, self._others)

    @contextmanager
    def _begin(self, tenant: str) -> Iterator["_Begun"]:
        busy = f"The vectors of tenant {tenant!r} are being rebuilt"
        with acquired(self._graph, tenant, "vectors", seconds=LEASE_SECONDS, busy=busy) as lease:
            begin_tenant(self._graph, tenant=tenant)
            row = self._graph.run(_REGISTRY, tenant=tenant)[0]
            yield _Begun(lease, row["chunks"], tuple(row["models"]))


@dataclass(frozen=True, slots=True)
class _Begun:
    """A rebuild that holds the lease, and what the graph said when it began."""

    lease: Lease
    chunks: int
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Services:
    graph: GraphDatabase
    vectors: VectorIndex
    outbox: Outbox
    embedders: Mapping[str, Embedder]
    others: Mapping[str, Projection]


class _Run:
    """One rebuild.

    Args:
        services: what it works with.
        begun: the lease, and what there was when it was taken.
        models: whose vectors are to be made.
        progress: told after each page.
        whole: write every point as a whole.
        again: make vectors also where there are some.
        use: the model that questions use afterwards.
        deadline: reading of the monotonic clock at which to stop.
    """

    def __init__(
        self,
        services: _Services,
        begun: _Begun,
        models: tuple[str, ...],
        progress: Progressing,
        *,
        whole: bool = False,
        again: bool = False,
        use: str | None = None,
        deadline: float | None = None,
    ) -> None:
        self._services = services
        self._begun = begun
        self._lease = begun.lease
        self._tenant = begun.lease.tenant
        self._progress = progress
        self._whole = whole
        self._again = again
        self._use = use
        self._deadline = deadline
        self._report = RebuildReport(self._tenant, models)
        self._all = tuple(services.embedders.values())
        self._wanted = tuple(services.embedders[name] for name in models)

    def run(self) -> RebuildReport:
        started = time.monotonic()
        ensure_collection(self._services.vectors, self._tenant, self._all)
        complete = False
        for _ in range(MOST_PASSES):
            # A whole point holds nothing of models that this process lacks.
            kept = tuple(self._services.embedders) if self._whole else self._begun.models
            self._services.graph.transact(partial(self._begin_pass, kept))
            if not self._pass():
                break
            for project in self._services.others.values():
                project(self._tenant, anew=self._whole)
            complete = self._services.graph.transact(self._end_pass)
            if complete:
                break
            self._whole = self._again = False  # what came in meanwhile lacks vectors; the rest has them
        removed = self._remove_strays() if complete else 0
        return replace(self._report, complete=complete, removed=removed, seconds=time.monotonic() - started)

    def _begin_pass(self, kept: Sequence[str], tx: Transaction) -> None:
        self._lease.renew(tx)
        begin_pass(tx, tenant=self._tenant, models=self._report.models, kept=kept)

    def _end_pass(self, tx: Transaction) -> bool:
        self._lease.renew(tx)
        return end_pass(tx, tenant=self._tenant, models=self._report.models, use=self._use).complete

    def _pass(self) -> bool:
        """Look at every chunk; tell whether there was time for all."""
        after, done = "", 0
        while rows := self._services.graph.run(_CHUNKS, tenant=self._tenant, after=after, limit=PAGE):
            if self._deadline is not None and time.monotonic() > self._deadline:
                return False
            self._lease.renew()
            self._page(rows)
            after, done = rows[-1]["id"], done + len(rows)
            self._progress(done, max(done, self._begun.chunks))
        self._report = replace(self._report, points=done)
        return True

    def _page(self, rows: Sequence[Row]) -> None:
        ids = [row["id"] for row in rows]
        there = set() if self._whole else self._services.vectors.holding(self._tenant, KIND, ids)
        bare = there - self._with_vectors(there)
        missing = [row for row in rows if row["id"] not in there]
        lacking = [row for row in rows if row["id"] in bare]
        self._upsert(missing)
        self._add(lacking)
        self._report = replace(self._report, embedded=self._report.embedded + len(missing) + len(lacking))

    def _with_vectors(self, ids: set[str]) -> set[str]:
        """Return the points that have the vectors already."""
        if self._again:
            return set()
        for embedder in self._wanted:
            ids = self._services.vectors.holding(self._tenant, KIND, sorted(ids), embedder.model) if ids else ids
        return ids

    def _upsert(self, rows: Sequence[Row]) -> None:
        """Write whole points, then look whether their chunks went or changed meanwhile."""
        if not rows:
            return
        texts = [model_text(row["context"], row["text"]) for row in rows]
        dense = embed(self._all, texts)
        points = [
            chunk_point(row["id"], text, dense, place, payload_of(row))
            for place, (row, text) in enumerate(zip(rows, texts, strict=True))
        ]
        self._services.vectors.upsert(self._tenant, KIND, points)
        written = {row["id"]: payload_of(row) for row in rows}
        present = self._services.graph.run(_PAYLOADS, tenant=self._tenant, ids=list(written))
        same = {row["id"] for row in present if payload_of(row) == written[row["id"]]}
        if changed := sorted(written.keys() - same):
            self._services.outbox.reconcile(self._tenant, changed)

    def _add(self, rows: Sequence[Row]) -> None:
        """Add vectors to points; a point that goes meanwhile stays away."""
        if not rows:
            return
        dense = embed(self._wanted, [model_text(row["context"], row["text"]) for row in rows])
        points = [
            Point(row["id"], dense={model: vectors[place] for model, vectors in dense.items()})
            for place, row in enumerate(rows)
        ]
        self._services.vectors.set_vectors(self._tenant, KIND, points)

    def _remove_strays(self) -> int:
        """Remove points whose chunks the graph does not hold, but for those of batches under way; return how many there were."""
        removed = 0
        ids = (point.id for point in self._services.vectors.scroll(self._tenant, KIND))
        while some := list(islice(ids, _STRAYS_AT_ONCE)):
            self._lease.renew()
            rows = self._services.graph.run(_PAYLOADS, tenant=self._tenant, ids=some)
            strays = sorted(set(some) - {row["id"] for row in rows})
            if strays:
                self._services.outbox.reconcile(self._tenant, strays)
                removed += len(set(strays) - self._services.vectors.holding(self._tenant, KIND, strays))
        return removed
