"""What waits for a language model and why, what it used, and how users control it: enrich, pause, resume."""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from interlace.domain.errors import InvalidInputError
from interlace.enrichment.setup import ExtractionSetup
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue
from interlace.queries import extractions as queries
from interlace.queries.jobs import close_job, create_job
from interlace.queries.summaries import waiting_summaries
from interlace.queries.tokens import token_usage

_PAGE = 500
_DAYS = 30


@dataclass(frozen=True, slots=True)
class Waiting:
    """Documents that wait for the same reason.

    Args:
        reason: a sentence; empty for those that are not due yet.
        documents: number of documents.
        chunks: their chunks that have not been read.
        due: seconds until the first of them continues; 0 if it may now.
    """

    reason: str
    documents: int
    chunks: int
    due: float


@dataclass(frozen=True, slots=True)
class WaitingTexts:
    """Summaries and descriptions that a model has not written since the communities changed.

    Args:
        reason: why the last pass over them ended early, in a sentence; empty for those that are taken up next.
        left: how many that pass left; None if no pass ended early.
        due: seconds until they continue; 0 if they may now.
    """

    reason: str
    left: int | None
    due: float


@dataclass(frozen=True, slots=True)
class Usage:
    """A model's usage on one day.

    Args:
        day: the day (UTC), as ``2026-03-01``.
        model: the model's name.
        tokens: input and output tokens, including those reserved for calls in progress.
        cost: their price in US dollars; 0 where it is unknown.
        calls: answered requests.
    """

    day: str
    model: str
    tokens: int
    cost: float
    calls: int


@dataclass(frozen=True, slots=True)
class Enrichment:
    """The state of a language model's background work for a tenant.

    Args:
        model: the one that extracts; empty if there is none.
        paused: whether a user has paused it.
        documents: documents that wait for extraction.
        chunks: chunks that wait for it.
        waiting: the same by reason.
        summaries: summaries and descriptions that wait; None if none do, or no model writes any.
        usage: tokens and price of the last 30 days.
    """

    model: str
    paused: bool
    documents: int
    chunks: int
    waiting: tuple[Waiting, ...]
    summaries: WaitingTexts | None
    usage: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class EnrichReceipt:
    """The response to a request to have documents read.

    Args:
        job_id: the job that tracks it.
        documents: documents that wait now.
        chunks: their chunks that have not been read.
    """

    job_id: str
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class EnrichmentControl:
    """Shows and controls extraction by a language model.

    Args:
        graph: the graph.
        queue: notifies the workers.
        setup: what the model is asked; None if there is no model.
        summaries_key: key of the model and the prompt of summaries; empty if no model writes them.
    """

    graph: GraphDatabase
    queue: TaskQueue
    setup: ExtractionSetup | None
    summaries_key: str = ""

    def state(self, tenant: str) -> Enrichment:
        """Return what waits and why, and what was used."""
        rows = queries.pending_extractions(self.graph, tenant=tenant)
        waiting = tuple(
            Waiting(row.reason or "", row.documents, row.chunks, _seconds_until(row.due_at)) for row in rows
        )
        return Enrichment(
            model=self.setup.model if self.setup else "",
            paused=queries.extraction_paused(self.graph, tenant=tenant) is True,
            documents=sum(each.documents for each in waiting),
            chunks=sum(each.chunks for each in waiting),
            waiting=waiting,
            summaries=self._waiting_texts(tenant),
            usage=self.usage(tenant),
        )

    def _waiting_texts(self, tenant: str) -> WaitingTexts | None:
        if not self.summaries_key:
            return None
        row = waiting_summaries(self.graph, tenant=tenant, key=self.summaries_key)
        return WaitingTexts(row.reason or "", row.left, _seconds_until(row.due_at)) if row else None

    def usage(self, tenant: str | None = None, days: int = _DAYS) -> tuple[Usage, ...]:
        """Return tokens and price by day and model, the latest first, of one tenant or all."""
        since = (datetime.now(UTC).date() - timedelta(days=days)).isoformat()
        rows = token_usage(self.graph, tenant=tenant, since=since)
        return tuple(Usage(row.day, row.model, row.tokens, row.cost, row.calls) for row in rows)

    def enrich(self, tenant: str, owner: str = "") -> EnrichReceipt:
        """Schedule all documents with chunks that this model, prompt and schema have not read; those already waiting are due at once.

        Args:
            tenant: the tenant that owns the documents.
            owner: id of the API key that asks; empty for a caller without one.

        Raises:
            InvalidInputError: there is no model.
            UnavailableError: graph or queue do not answer.
        """
        if self.setup is None:
            raise InvalidInputError(
                "No language model extracts: name one in INTERLACE_LLM__MODEL, and leave INTERLACE_LLM__EXTRACTION at `on`."
            )
        job = uuid.uuid4().hex
        create_job(self.graph, tenant=tenant, id=job, kind="enrich", owner=owner or None)
        after = ""
        while ids := queries.page_documents_to_extract(self.graph, tenant=tenant, after=after, limit=_PAGE):
            requests = [{"id": each, "job": job} for each in ids]
            queries.request_extractions(self.graph, tenant=tenant, rows=requests, key=self.setup.interpretation_key)
            after = ids[-1]
        close_job(self.graph, tenant=tenant, id=job, total=0, unchanged=0, unreadable=[])
        state = self.state(tenant)
        if state.documents and not state.paused:
            self.queue.enqueue("enrich", tenant)
        return EnrichReceipt(job, state.documents, state.chunks)

    def pause(self, tenant: str) -> Enrichment:
        """Pause extraction; calls in progress are finished."""
        queries.pause_extraction(self.graph, tenant=tenant, paused=True)
        return self.state(tenant)

    def resume(self, tenant: str) -> Enrichment:
        """Resume extraction."""
        queries.pause_extraction(self.graph, tenant=tenant, paused=False)
        self.queue.enqueue("enrich", tenant)
        return self.state(tenant)


def _seconds_until(due_at: int) -> float:
    """Return the seconds until a time in milliseconds since 1970, with one decimal; 0 if it has passed."""
    return round(max(0.0, due_at / 1000 - datetime.now(UTC).timestamp()), 1)
