"""Batch jobs as people follow them: counts by stage, rate, time to go, and what failed."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from interlace.cypher_files import query
from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase, Row

_READ_JOB = query("jobs/read_job")
_LIST_JOBS = query("jobs/list_jobs")
_CANCEL_JOB = query("jobs/cancel_job")


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that was put aside."""

    id: str
    source_uri: str
    stage: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job's state.

    Args:
        id: the job.
        kind: ``ingest`` or ``delete``.
        state: ``receiving``, ``running``, ``done`` or ``cancelled``.
        total: documents received so far.
        ready: documents written.
        deleted: documents removed.
        failed: documents put aside.
        unchanged: documents that needed no work.
        chunks: chunks of the written documents.
        extracted: chunks that were extracted and embedded; the rest was there already.
        mentions: names found in them.
        facts: facts found in them.
        stages: documents still on their way, by stage.
        seconds: since the job began, until now or its end.
        rate: documents a second.
        eta_seconds: estimated seconds to go; none before the first document is done.
        failures: the first thousand failures.
        unreadable: sentences about sources that could not be read at all.
    """

    id: str
    kind: str
    state: str
    total: int
    ready: int
    deleted: int
    failed: int
    unchanged: int
    chunks: int
    extracted: int
    mentions: int
    facts: int
    stages: Mapping[str, int]
    seconds: float
    rate: float
    eta_seconds: float | None
    failures: tuple[Failure, ...]
    unreadable: tuple[str, ...]

    @property
    def finished(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.state in {"done", "cancelled"}


class Jobs:
    """Reads and cancels jobs."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph

    def status(self, tenant: str, job_id: str) -> JobStatus:
        """Return a job's state.

        Raises:
            NotFoundError: the tenant has no such job.
        """
        rows = self._graph.run(_READ_JOB, tenant=tenant, id=job_id)
        if not rows:
            raise NotFoundError(f"There is no job {job_id}; `interlace jobs list` shows what there is.")
        return _status(rows[0])

    def list(self, tenant: str, limit: int = 50) -> list[JobStatus]:
        """Return the newest jobs, without their failures."""
        return [_status(row) for row in self._graph.run(_LIST_JOBS, tenant=tenant, limit=limit)]

    def cancel(self, tenant: str, job_id: str) -> JobStatus:
        """Drop what has not been begun; what workers hold is finished."""
        self.status(tenant, job_id)
        self._graph.run(_CANCEL_JOB, tenant=tenant, id=job_id)
        return self.status(tenant, job_id)


def _status(row: Row) -> JobStatus:
    job = row["job"]
    stages = {item["stage"]: item["count"] for item in row["stages"]}
    done = sum(int(job.get(name) or 0) for name in ("ready", "deleted", "failed"))
    waiting = sum(count for stage, count in stages.items() if stage != "quarantined")
    sealed = bool(job.get("sealed"))
    state = "cancelled" if job.get("cancelled") and not waiting else "running"
    if not sealed:
        state = "receiving"
    elif not waiting and state != "cancelled":
        state = "done"
    end = job.get("updatedAt") if state in {"done", "cancelled"} else int(time.time() * 1000)
    seconds = max((end - job["createdAt"]) / 1000, 0.001)
    rate = done / seconds
    return JobStatus(
        id=job["id"],
        kind=job["kind"],
        state=state,
        total=int(job.get("total") or done + waiting),
        ready=int(job.get("ready") or 0),
        deleted=int(job.get("deleted") or 0),
        failed=int(job.get("failed") or 0),
        unchanged=int(job.get("unchanged") or 0),
        chunks=int(job.get("chunks") or 0),
        extracted=int(job.get("extracted") or 0),
        mentions=int(job.get("mentions") or 0),
        facts=int(job.get("facts") or 0),
        stages=stages,
        seconds=seconds,
        rate=rate,
        eta_seconds=waiting / rate if rate and done else None,
        failures=tuple(Failure(**failure) for failure in row["failures"]),
        unreadable=tuple(job.get("unreadable") or ()),
    )
