"""Numbers for Prometheus, in a registry of the application's own."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interlace.api.readiness import Report
from interlace.documents.repository import DocumentRepository
from interlace.domain.answers import Answer
from interlace.domain.errors import UnavailableError
from interlace.domain.hits import LEGS, QueryResponse
from interlace.enrichment.overview import Usage
from interlace.jobs.backlog import Backlog
from interlace.ports.queue import TaskQueue
from interlace.reconciliation.last_checks import LastChecks

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_COUNTED_EVERY = 15.0


class Metrics:
    """All metrics of the API and of the tasks that workers run.

    Args:
        documents: returns how much the graph holds; called at most every 15 seconds.
        last_checks: returns what the last checks of the invariants found; called as often.
        backlog: returns what the ledger holds; called as often.
        queue: has the totals of the tasks, what waits and the workers; asked at each scrape.
        readiness: returns which servers answer; called at each scrape.
        usage: returns what language models took today; called at most every 15 seconds.
    """

    def __init__(
        self,
        documents: DocumentRepository,
        last_checks: Callable[[], LastChecks],
        backlog: Callable[[], Backlog],
        queue: TaskQueue,
        readiness: Callable[[], Report],
        usage: Callable[[], Sequence[Usage]] = tuple,
    ) -> None:
        self._usage = usage
        self.registry = CollectorRegistry()
        self.registry.register(QueueCollector(queue))
        self._documents = documents
        self._last_checks, self._backlog, self._readiness = last_checks, backlog, readiness
        self._servers = _server_gauge(self.registry)
        self._count_next = float("-inf")
        self._lock = threading.Lock()
        self.requests = Counter(
            "interlace_http_requests", "HTTP requests answered", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "interlace_http_request_seconds",
            "Seconds to answer an HTTP request",
            ("method", "route"),
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self._legs = Histogram(
            "interlace_query_leg_seconds", "Seconds that a leg took", ("leg",), registry=self.registry, buckets=_BUCKETS
        )
        self._queries, self._degraded = _query_numbers(self.registry)
        self._answers, self._answer_tokens = _answer_counters(self.registry)
        self._nodes = Gauge(
            "interlace_graph_nodes", "Nodes in the graph, all tenants", ("kind",), registry=self.registry
        )
        self._records, self._oldest = _backlog_gauges(self.registry)
        self._extraction_tokens, self._extraction_cost = _usage_gauges(self.registry)
        self._violations = Gauge(
            "interlace_invariant_violations",
            "Violations of invariants that the last checks found, all tenants",
            ("invariant",),
            registry=self.registry,
        )
        self._checked = Gauge(
            "interlace_invariants_checked_timestamp_seconds",
            "Unix time of the oldest last check of a tenant; NaN where none was checked",
            registry=self.registry,
        )
        self._checked.set(math.nan)

    def observe_query(self, response: QueryResponse) -> None:
        """Count a question: its time, and that of each leg (the response has milliseconds)."""
        for leg in LEGS:
            if leg in response.timings:
                self._legs.labels(leg).observe(response.timings[leg] / 1000)
        if "total" in response.timings:
            self._queries.labels(response.retrieval_mode).observe(response.timings["total"] / 1000)
        for name in response.degraded:
            self._degraded.labels(name).inc()

    def observe_answer(self, answer: Answer) -> None:
        """Count an answer by who wrote it and whether it abstained, with its tokens."""
        self._answers.labels(answer.mode, "abstained" if answer.abstained else "answered").inc()
        self._answer_tokens.inc(answer.tokens)

    def render(self) -> bytes:
        """Return all numbers in Prometheus' text format; while the graph is away its own keep their last values.

        Where API keys are in use, no request is authenticated then, and the scraper gets 503 instead.
        """
        for server, check in self._readiness().checks.items():
            self._servers.labels(server).set(check.ok)
        with self._lock:
            began = time.monotonic()
            if began >= self._count_next:
                self._count_nodes()
                # The ledger is counted record by record: however long it is, that takes a twentieth of the time at most.
                self._count_next = began + max(_COUNTED_EVERY, 20 * (time.monotonic() - began))
        return generate_latest(self.registry)

    def _count_nodes(self) -> None:
        try:
            counts, checks, usage = self._documents.counts(), self._last_checks(), self._usage()
            backlog = self._backlog()
        except UnavailableError:
            return
        for kind in ("documents", "chunks", "entities", "facts"):
            self._nodes.labels(kind).set(getattr(counts, kind))
        for stage, records in backlog.records.items():
            self._records.labels(stage).set(records)
        self._oldest.set(backlog.oldest_seconds)
        # What a model took yesterday is not among today's, nor what was broken in a tenant that is gone.
        for gauge in (self._extraction_tokens, self._extraction_cost, self._violations):
            gauge.clear()
        for each in usage:
            self._extraction_tokens.labels(each.model).set(each.tokens)
            self._extraction_cost.labels(each.model).set(each.cost)
        for invariant, violations in checks.counts.items():
            self._violations.labels(invariant).set(violations)
        self._checked.set(math.nan if checks.oldest is None else checks.oldest)


def _server_gauge(registry: CollectorRegistry) -> Gauge:
    """Return whether graph, vectors and queue answer."""
    return Gauge("interlace_server_up", "1 if the server answers, else 0", ("server",), registry=registry)


def _query_numbers(registry: CollectorRegistry) -> tuple[Histogram, Counter]:
    """Return the time of questions, and how many were answered without a leg."""
    return (
        Histogram("interlace_query_seconds", "Seconds a question took", ("mode",), registry=registry, buckets=_BUCKETS),
        Counter("interlace_query_degraded", "Questions answered without a leg", ("leg",), registry=registry),
    )


def _backlog_gauges(registry: CollectorRegistry) -> tuple[Gauge, Gauge]:
    """Return the documents on their way by stage, and the age of the oldest."""
    return (
        Gauge("interlace_ingestion_records", "Documents in the ledger, all tenants", ("stage",), registry=registry),
        Gauge(
            "interlace_ingestion_oldest_seconds",
            "Seconds since the oldest document that is not quarantined was received, 0 if there is none",
            registry=registry,
        ),
    )


def _usage_gauges(registry: CollectorRegistry) -> tuple[Gauge, Gauge]:
    """Return the tokens and the price of today's extraction by language models."""
    since = "since midnight UTC, all tenants"
    return (
        Gauge("interlace_extraction_tokens", f"Tokens used by language models {since}", ("model",), registry=registry),
        Gauge("interlace_extraction_cost_dollars", f"Cost of language models {since}", ("model",), registry=registry),
    )


def _answer_counters(registry: CollectorRegistry) -> tuple[Counter, Counter]:
    """Return the counters of answers and of the tokens that they took."""
    answers = Counter("interlace_answers", "Answers by mode and outcome", ("mode", "outcome"), registry=registry)
    return answers, Counter("interlace_answer_tokens", "Tokens used by language models for answers", registry=registry)


class QueueCollector(Collector):
    """Publishes what the queue knows of the workers, which have no metrics page of their own, and of what waits for them."""

    def __init__(self, queue: TaskQueue) -> None:
        self._queue = queue

    def collect(self) -> Iterator[Metric]:
        """Yield runs and seconds by task and outcome, waiting tasks and workers; nothing while the queue does not answer."""
        try:
            totals, waiting, workers = self._queue.totals(), self._queue.depth(), self._queue.workers()
        except UnavailableError:
            return
        runs = CounterMetricFamily("interlace_task_runs", "Runs of background tasks", labels=("task", "outcome"))
        seconds = CounterMetricFamily("interlace_task_seconds", "Seconds that they took", labels=("task", "outcome"))
        for total in totals:
            runs.add_metric((total.task, total.outcome), total.runs)
            seconds.add_metric((total.task, total.outcome), total.seconds)
        yield runs
        yield seconds
        yield GaugeMetricFamily("interlace_ingestion_tasks", "Ingestion tasks that wait for a worker", waiting)
        yield GaugeMetricFamily("interlace_workers", "Workers that run, busy ones included", workers)


class MetricsMiddleware:
    """ASGI middleware: counts and times each request under the route that answered it, never under the path as sent."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application and note what came of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        finally:
            route = getattr(scope.get("route"), "path", "unmatched")
            self._metrics.requests.labels(scope["method"], route, str(status)).inc()
            self._metrics.seconds.labels(scope["method"], route).observe(time.perf_counter() - started)
