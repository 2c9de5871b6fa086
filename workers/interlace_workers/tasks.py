"""The tasks: thin, each calls one service. Arguments are ids; what they mean stands in the graph."""

import logging

from celery import Task

from interlace.adapters.redis.celery_app import INGEST, REBUILD, RECONCILE, REFRESH, REFRESH_ALL, SWEEP
from interlace.domain.errors import ConflictError, SettingsError, UnavailableError
from interlace.ingestion.versions import Outcome
from interlace_workers.app import app, platform

_log = logging.getLogger(__name__)
REBUILD_SECONDS = 600.0


@app.task(name=INGEST, bind=True, max_retries=0)  # type: ignore[untyped-decorator]
def ingest_batch(self: Task, *, tenant: str, ids: list[str]) -> None:
    """Read the documents of a batch and have them written in the background; what is left undone, the sweeper enqueues again.

    The batch that finds the queue empty behind it asks for new communities.
    """

    def written(outcome: Outcome) -> None:
        try:
            if (outcome.written or outcome.deleted) and not platform().queue.depth():
                platform().queue.refresh_communities(tenant)
        except UnavailableError as error:
            _log.info("New communities wait for their schedule: %s", error.message)

    try:
        platform().processor.begin(tenant, ids, written)
    except (UnavailableError, SettingsError) as error:
        _log.warning("Batch %s is given back: %s", self.request.id, error.message)


@app.task(name=SWEEP)  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Enqueue what nobody holds; apply outbox entries that are due; remove copies of links that are void."""
    try:
        swept = platform().sweeper.sweep()
        platform().cached_links.drop_void()
    except UnavailableError as error:
        _log.warning("The sweep waits: %s", error.message)
        return
    if swept:
        _log.info("Enqueued %d documents that nobody held", swept)


@app.task(name=RECONCILE)  # type: ignore[untyped-decorator]
def reconcile() -> None:
    """Check that graph and vector index hold what they must; mend what may be mended unasked."""
    try:
        mended = platform().reconciler.run_scheduled()
    except UnavailableError as error:
        _log.warning("The check of graph and vector index waits: %s", error.message)
        return
    for each in mended:
        _log.warning(
            "Tenant %s: mended %d times %s, for example %s", each.tenant, each.count, each.invariant, each.examples
        )


@app.task(name=REFRESH)  # type: ignore[untyped-decorator]
def refresh_communities(*, tenant: str) -> None:
    """Refresh one tenant's communities, unless that is being done already."""
    try:
        platform().communities.refresh(tenant)
    except (ConflictError, UnavailableError) as error:
        _log.info("The communities of %s stay as they are for now: %s", tenant, error.message)


@app.task(name=REFRESH_ALL)  # type: ignore[untyped-decorator]
def refresh_all_communities() -> None:
    """Refresh the communities of every tenant whose graph has changed since the last time; while documents wait, only old ones."""
    try:
        platform().communities.refresh_changed(busy=platform().queue.depth() > 0)
    except UnavailableError as error:
        _log.warning("The refresh of communities waits: %s", error.message)


@app.task(name=REBUILD)  # type: ignore[untyped-decorator]
def rebuild_vectors(*, tenant: str) -> None:
    """Make the vectors that chunks of a tenant lack, for as long as a task may take; the sweep asks for the rest."""
    try:
        report = platform().vector_rebuild.fill(tenant, seconds=REBUILD_SECONDS)
    except (ConflictError, UnavailableError) as error:
        _log.info("The vectors of %s stay as they are for now: %s", tenant, error.message)
        return
    _log.info("Embedded %d of %d chunks of %s for %s", report.embedded, report.points, tenant, ", ".join(report.models))
