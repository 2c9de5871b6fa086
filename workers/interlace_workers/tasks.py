"""The tasks: each calls one service. Arguments are ids; what they stand for is in the graph."""

import logging
import time

from interlace.adapters.redis.celery_app import (
    EMBED,
    ENRICH,
    INGEST,
    REBUILD,
    RECONCILE,
    REFRESH,
    REFRESH_ALL,
    REMOVE,
    SWEEP,
)
from interlace.documents.tenants import Tenants
from interlace.domain.errors import UnavailableError
from interlace.export.removal import TenantRemoval
from interlace.ingestion.versions import Outcome
from interlace_workers.app import app
from interlace_workers.process import platform
from interlace_workers.task import ServiceTask

_logger = logging.getLogger(__name__)
_REBUILD_SECONDS = 600.0
"""Seconds for which one task rebuilds vectors, or removes a tenant; below the soft time limit. The sweep enqueues what is left."""


@app.task(name=INGEST, base=ServiceTask)  # type: ignore[untyped-decorator]
def ingest_batch(*, tenant: str, ids: list[str]) -> None:
    """Read the documents of a batch; they are written in the background, so that the next batch is read meanwhile."""

    def written(outcome: Outcome) -> None:
        # The batch that is written last asks for new communities, so that many batches make one refresh.
        try:
            if outcome.written and platform().extraction_setup:
                platform().queue.enqueue("enrich", tenant)
            if (outcome.written or outcome.deleted) and platform().processor.is_done(tenant):
                platform().queue.enqueue("refresh_communities", tenant)
                if platform().embedders:
                    platform().queue.enqueue("embed_entities", tenant)
        except UnavailableError as error:
            _logger.info("Communities are left to their schedule, enrichment to the sweep: %s", error.message)

    platform().processor.begin(tenant, ids, written)


@app.task(name=ENRICH, base=ServiceTask)  # type: ignore[untyped-decorator]
def enrich(*, tenant: str) -> None:
    """Let a language model read the documents of a tenant that wait for it, and describe what changed, in the background."""
    if not _is_active(tenant):
        return
    if (enricher := platform().enricher) is not None:
        enricher.begin(tenant)
    if (summary_writer := platform().summary_writer) is not None:
        summary_writer.begin(tenant)


@app.task(name=SWEEP, base=ServiceTask)  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Enqueue documents without a live lease, apply outbox entries that are due, remove outdated copies of the link graph.

    Sweeps that have piled up while no worker ran are one.
    """
    since = platform().queue.since_sweep()
    if since is not None and since < app.conf.beat_schedule[SWEEP]["schedule"] / 4:
        return
    enqueued = platform().sweeper.sweep()
    if enqueued:
        _logger.info("Enqueued %d documents without a live lease", enqueued)
    platform().cached_links.remove_stale_files()


@app.task(name=RECONCILE, base=ServiceTask)  # type: ignore[untyped-decorator]
def reconcile() -> None:
    """Check the invariants of graph and vector index; repair what may be repaired automatically."""
    for each in platform().reconciler.run_scheduled():
        _logger.warning(
            "Repaired %d of %s, for example %s",
            each.count,
            each.invariant,
            each.examples,
            extra={"tenant": each.tenant},
        )


@app.task(name=REFRESH, base=ServiceTask)  # type: ignore[untyped-decorator]
def refresh_communities(*, tenant: str) -> None:
    """Refresh the communities of one tenant, unless another process is doing it."""
    if _is_active(tenant):
        platform().communities.refresh(tenant)


@app.task(name=REFRESH_ALL, base=ServiceTask)  # type: ignore[untyped-decorator]
def refresh_all_communities() -> None:
    """Refresh the communities of every tenant whose graph has changed since; while documents wait, only old ones."""
    platform().communities.refresh_changed(busy=platform().queue.depth() > 0)


@app.task(name=REBUILD, base=ServiceTask)  # type: ignore[untyped-decorator]
def rebuild_vectors(*, tenant: str) -> None:
    """Embed chunks of a tenant that lack a vector, for as long as a task may take."""
    if not _is_active(tenant):
        return
    report = platform().vector_rebuild.add_missing(tenant, timeout=_REBUILD_SECONDS)
    _logger.info("Embedded %d of %d chunks for %s", report.embedded, report.points, ", ".join(report.models))


@app.task(name=EMBED, base=ServiceTask)  # type: ignore[untyped-decorator]
def embed_entities(*, tenant: str) -> None:
    """Embed entities of a tenant that wait for it, as long as no documents wait and a task may take; the sweep enqueues what is left."""
    if not _is_active(tenant):
        return
    until = time.monotonic() + _REBUILD_SECONDS
    done = platform().entity_vectors.embed_waiting(
        tenant, lambda: time.monotonic() < until and not platform().queue.depth()
    )
    _logger.info("Synchronised the vectors of %d entities", done)


@app.task(name=REMOVE, base=ServiceTask)  # type: ignore[untyped-decorator]
def remove_tenant(*, tenant: str) -> None:
    """Remove the data of a tenant that is marked for removal, for as long as a task may take."""
    until = time.monotonic() + _REBUILD_SECONDS
    gone = TenantRemoval(platform().graph, platform().vectors).run(tenant, lambda: time.monotonic() < until)
    _logger.info("The tenant %s is %s", tenant, "removed" if gone else "being removed; the sweep continues")
    platform().cached_links.remove_stale_files()


def _is_active(tenant: str) -> bool:
    """Return whether work for a tenant is worthwhile: it must not recreate a tenant that was removed."""
    return Tenants(platform().graph).is_active(tenant)
