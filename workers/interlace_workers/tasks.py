"""The tasks: thin, each calls one service. Arguments are ids; what they mean stands in the graph."""

import logging

from celery import Task

from interlace.adapters.redis.celery_app import INGEST, REFRESH, REFRESH_ALL, SWEEP
from interlace.domain.errors import ConflictError, SettingsError, UnavailableError
from interlace_workers.app import app, platform

_log = logging.getLogger(__name__)


@app.task(name=INGEST, bind=True, max_retries=0)  # type: ignore[untyped-decorator]
def ingest_batch(self: Task, *, tenant: str, ids: list[str]) -> None:
    """Bring the documents of a batch to ready; what an outage leaves undone, the sweeper enqueues again.

    The batch that finds the queue empty behind it asks for new communities.
    """
    try:
        outcome = platform().processor.process(tenant, ids)
        if (outcome.written or outcome.deleted) and not platform().queue.depth():
            platform().queue.refresh_communities(tenant)
    except (UnavailableError, SettingsError) as error:
        _log.warning("Batch %s is given back: %s", self.request.id, error.message)


@app.task(name=SWEEP)  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Enqueue what nobody holds; apply outbox entries that are due."""
    try:
        swept = platform().sweeper.sweep()
    except UnavailableError as error:
        _log.warning("The sweep waits: %s", error.message)
        return
    if swept:
        _log.info("Enqueued %d documents that nobody held", swept)


@app.task(name=REFRESH)  # type: ignore[untyped-decorator]
def refresh_communities(*, tenant: str) -> None:
    """Refresh one tenant's communities, unless that is being done already."""
    try:
        platform().communities.refresh(tenant)
    except (ConflictError, UnavailableError) as error:
        _log.info("The communities of %s stay as they are for now: %s", tenant, error.message)


@app.task(name=REFRESH_ALL)  # type: ignore[untyped-decorator]
def refresh_all_communities() -> None:
    """Refresh the communities of every tenant whose graph has changed since the last time."""
    try:
        platform().communities.refresh_changed()
    except UnavailableError as error:
        _log.warning("The refresh of communities waits: %s", error.message)
