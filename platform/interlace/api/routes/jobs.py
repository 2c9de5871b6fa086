"""``/v1/jobs``: what ingestion and deletion jobs have done and have yet to do."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

import anyio
import orjson
from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from interlace.api.dependencies import Platform, Tenant
from interlace.api.problems import RESPONSES
from interlace.domain.errors import InterlaceError
from interlace.jobs.service import Jobs, JobStatus

router = APIRouter(prefix="/v1/jobs", tags=["jobs"], responses=RESPONSES)
_ASK_SECONDS = 1.0
# Proxies close connections that say nothing for longer.
_QUIET_SECONDS = 15.0
_EVENTS: dict[str, Any] = {
    "description": "Events `progress`, then `finished`, each with a job's state as data.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


@router.get("")
def list_jobs(
    platform: Platform, tenant: Tenant, limit: Annotated[int, Query(ge=1, le=500, description="jobs wanted")] = 50
) -> list[JobStatus]:
    """Return the newest jobs, without their failures."""
    return platform.jobs.list(tenant, limit)


@router.get("/{job_id}")
def get_job(job_id: str, platform: Platform, tenant: Tenant) -> JobStatus:
    """Return a job's state, progress and failures."""
    return platform.jobs.status(tenant, job_id)


@router.delete("/{job_id}")
def cancel_job(job_id: str, platform: Platform, tenant: Tenant) -> JobStatus:
    """Drop what the job has not begun; what workers hold is finished."""
    return platform.jobs.cancel(tenant, job_id)


@router.get("/{job_id}/events", response_class=StreamingResponse, responses={200: _EVENTS})
def follow_job(job_id: str, platform: Platform, tenant: Tenant) -> StreamingResponse:
    """Stream a job's state as server-sent events, one at each change; the stream ends when the job is finished."""
    first = platform.jobs.status(tenant, job_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(platform.jobs, tenant, first), headers=headers, media_type="text/event-stream")


async def _events(jobs: Jobs, tenant: str, status: JobStatus) -> AsyncIterator[bytes]:
    # Asynchronous, because a follower that sleeps in a thread would take one of the few that answer requests.
    number, quiet = 0, 0.0
    shown: JobStatus | None = None
    while True:
        if shown is None or _told(status) != _told(shown):
            shown, quiet, number = status, 0.0, number + 1
            yield _event("finished" if status.finished else "progress", number, asdict(status))
        elif quiet >= _QUIET_SECONDS:
            quiet = 0.0
            yield b": still at it\n\n"
        if status.finished:
            return
        await anyio.sleep(_ASK_SECONDS)
        quiet += _ASK_SECONDS
        try:
            status = await run_sync(jobs.status, tenant, status.id)
        except InterlaceError as error:
            # The answer has begun and its status cannot change any more: say it, and let the client connect again.
            yield _event("problem", number + 1, {"type": f"/problems/{error.code}", "detail": error.message})
            return


def _told(status: JobStatus) -> dict[str, Any]:
    """Return what makes two states different to a reader: all but the time that passes anyway."""
    return {name: value for name, value in asdict(status).items() if name not in {"seconds", "rate", "eta_seconds"}}


def _event(name: str, number: int, data: dict[str, Any]) -> bytes:
    return b"event: %s\nid: %d\ndata: %s\n\n" % (name.encode(), number, orjson.dumps(data))
