"""Batch jobs: counts by stage, rate, estimated time to go, and failures."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.queries import jobs as queries

_FAILURES = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    """A quarantined document: the last stage it passed, a stable reason and a sentence."""

    id: str
    source_uri: str
    stage: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """How far a language model has read the documents of a job.

    Args:
        chunks: chunks that it has read or is to read.
        done: those that it has read.
        failed: those for which it gave no usable answer.
        tokens: tokens used, including those reserved for calls in progress.
        cost: their price in US dollars; 0 where it is unknown.
        waiting: sentences that say why the others wait; none where they only wait for earlier ones.
    """

    chunks: int
    done: int
    failed: int
    tokens: int
    cost: float
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job's state.

    Args:
        id: the job.
        kind: ``ingest``, ``delete`` or ``enrich``.
        state: ``receiving``, ``running``, ``linking`` (older chunks to the names that its documents added), ``projecting`` (its
            changes to the vector index: a job that deletes is done when the vectors are gone), ``enriching`` (only for the kind
            ``enrich``: other jobs are done when their documents are ready), ``done`` or ``cancelled``.
        total: documents received so far.
        ready: documents written.
        deleted: documents removed.
        failed: documents in quarantine.
        unchanged: documents that needed no work.
        chunks: chunks of the written documents.
        extracted: chunks that were extracted and embedded; the rest had not changed.
        mentions: places in them that name an entity; the same entity counts each time.
        facts: facts found in them.
        stages: documents still pending, by stage.
        seconds: from the beginning of the job until now or its end.
        rate: documents a second.
        eta_seconds: estimated seconds to go; null before the first document is done.
        failures: the first thousand failures.
        unreadable: sentences about sources that could not be read.
        model: how far a language model has read the documents; none if none reads them.
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
    model: ReadByModel | None = None

    @property
    def finished(self) -> bool:
        """Whether the job is done or cancelled."""
        return self.state in {"done", "cancelled"}


@dataclass(frozen=True, slots=True)
class Jobs:
    """Reads and cancels jobs."""

    graph: GraphDatabase

    def status(self, tenant: str, job_id: str) -> JobStatus:
        """Return the state of a job.

        Raises:
            NotFoundError: the tenant has no such job.
        """
        rows = queries.read_jobs(self.graph, tenant=tenant, ids=[job_id], failures=_FAILURES)
        if not rows:
            raise NotFoundError(
                f"There is no job {job_id}, or it finished so long ago that it was deleted; `interlace jobs list` lists them."
            )
        return _status(rows[0])

    def owned(self, tenant: str, job_id: str, owner: str) -> bool:
        """Return whether there is such a job and it was asked for with the API key of this id; without an id none was."""
        return owner != "" and queries.job_owned(self.graph, tenant=tenant, id=job_id, owner=owner) is True

    def list(self, tenant: str, limit: int = 50) -> list[JobStatus]:
        """Return the newest jobs, without their failures."""
        ids = queries.newest_jobs(self.graph, tenant=tenant, limit=limit)
        return [_status(row) for row in queries.read_jobs(self.graph, tenant=tenant, ids=ids, failures=0)]

    def cancel(self, tenant: str, job_id: str) -> JobStatus:
        """Drop the documents that no worker has started; those in progress are finished. A job that is done stays so."""
        status = self.status(tenant, job_id)
        if status.finished and (status.model is None or status.model.done >= status.model.chunks):
            return status
        queries.cancel_job(self.graph, tenant=tenant, id=job_id)
        return self.status(tenant, job_id)


def _status(row: queries.ReadJobsRow) -> JobStatus:
    stages = {item.stage: item.documents for item in row.stages}
    done = row.ready + row.deleted + row.failed
    waiting = sum(count for stage, count in stages.items() if stage != "quarantined")
    state = _state(row, waiting)
    end = row.updated_at if state in {"done", "cancelled"} else int(time.time() * 1000)
    seconds = max((end - row.created_at) / 1000, 0.001)
    rate = done / seconds
    return JobStatus(
        id=row.id,
        kind=row.kind,
        state=state,
        total=row.total or done + waiting,
        ready=row.ready,
        deleted=row.deleted,
        failed=row.failed,
        unchanged=row.unchanged,
        chunks=row.chunks,
        extracted=row.extracted,
        mentions=row.mentions,
        facts=row.facts,
        stages=stages,
        seconds=seconds,
        rate=rate,
        eta_seconds=waiting / rate if rate and done else None,
        failures=tuple(
            Failure(failure.id, failure.source_uri, failure.stage or "", failure.reason or "", failure.message or "")
            for failure in row.failures
        ),
        unreadable=tuple(row.unreadable),
        model=_read_by_model(row),
    )


def _read_by_model(row: queries.ReadJobsRow) -> ReadByModel | None:
    if not row.llm_chunks and not row.awaiting:
        return None
    return ReadByModel(
        chunks=row.llm_chunks + row.awaiting,
        done=row.llm_chunks,
        failed=row.llm_failed,
        tokens=row.llm_tokens,
        cost=row.llm_cost,
        waiting=tuple(sorted(row.reasons)),
    )


def _state(row: queries.ReadJobsRow, waiting: int) -> str:
    """Return the state of a job with so many documents pending; an open job may still receive some."""
    if row.open:
        return "receiving"
    if waiting:
        return "running"
    if row.linking:
        return "linking"
    if row.projecting:
        return "projecting"
    if row.kind == "enrich" and row.awaiting and not row.cancelled:
        return "enriching"
    return "cancelled" if row.cancelled else "done"
