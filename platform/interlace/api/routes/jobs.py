"""``/v1/jobs``: what ingestion and deletion jobs have done and have yet to do."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from itertools import count
from typing import Annotated, Any

import anyio
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from interlace.api.dependencies import JobTenant, PlatformDep, Tenant
from interlace.api.problems import RESPONSES
from interlace.api.scopes import UNSHOWN, CallerOf, for_readers, requires
from interlace.domain.errors import InterlaceError
from interlace.jobs.service import Jobs, JobStatus

router = APIRouter(prefix="/v1/jobs", tags=["jobs"], responses=RESPONSES)
_VIEWERS = requires("read", "ingest", "delete")
_POLL_SECONDS = 1.0
_UNSTEADY = frozenset({"seconds", "rate", "eta_seconds"})
"""Fields that change while nothing happens; no event is sent for them alone."""


@router.get("", dependencies=[requires("read")])
def list_jobs(
    platform: PlatformDep, tenant: Tenant, limit: Annotated[int, Query(ge=1, le=500, description="jobs to return")] = 50
) -> list[JobStatus]:
    """Return the newest jobs, without their failures."""
    return platform.jobs.list(tenant, limit)


@router.get("/{job_id}", dependencies=[_VIEWERS])
def get_job(job_id: str, platform: PlatformDep, tenant: JobTenant) -> JobStatus:
    """Return a job's state, progress and failures: to the key that asked for it, and to keys with the scope `read`."""
    return platform.jobs.status(tenant, job_id)


@router.post(
    "/{job_id}/cancel",
    response_model=JobStatus,
    responses=UNSHOWN,
    dependencies=[requires("ingest")],
)
def cancel_job(job_id: str, platform: PlatformDep, tenant: Tenant, caller: CallerOf) -> JobStatus | Response:
    """Cancel the job: documents not yet started are dropped; those in progress are finished.

    The job is shown to the key that asked for it, and to keys with the scope `read`.
    """
    status = platform.jobs.cancel(tenant, job_id)
    return for_readers(caller, lambda: status, own=platform.jobs.owned(tenant, job_id, caller.key_id))


def _status(job_id: str, platform: PlatformDep, tenant: JobTenant) -> JobStatus:
    return platform.jobs.status(tenant, job_id)


@router.get("/{job_id}/events", response_class=EventSourceResponse, dependencies=[_VIEWERS])
async def follow_job(
    status: Annotated[JobStatus, Depends(_status)], platform: PlatformDep, tenant: JobTenant
) -> AsyncIterator[ServerSentEvent]:
    """Stream a job's state as server-sent events: `progress` at each change, then `finished`, which ends the stream."""
    # Asynchronous: a follower that slept in a thread would hold one of the few that answer requests.
    for number in count(1):
        name = "finished" if status.finished else "progress"
        yield ServerSentEvent(event=name, id=str(number), data=status)
        if status.finished:
            return
        try:
            status = await _next_status(platform.jobs, tenant, status)
        except InterlaceError as error:
            # The response has begun and its status is sent: report the error as an event; the client connects again.
            data = {"type": f"/problems/{error.code}", "detail": error.message}
            yield ServerSentEvent(event="problem", id=str(number + 1), data=data)
            return


async def _next_status(jobs: Jobs, tenant: str, last: JobStatus) -> JobStatus:
    """Wait until a job's state differs from the last one, and return it."""
    while True:
        await anyio.sleep(_POLL_SECONDS)
        status = await run_sync(jobs.status, tenant, last.id)
        if _steady(status) != _steady(last):
            return status


def _steady(status: JobStatus) -> dict[str, Any]:
    return {name: value for name, value in asdict(status).items() if name not in _UNSTEADY}
