"""The task queue over Celery and Redis."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import redis
from celery import Celery

from interlace.adapters.redis.celery_app import (
    INGEST,
    INGEST_QUEUE,
    RETRY_QUEUE,
    SWEEP,
    TENANT_TASKS,
    celery_app,
)
from interlace.adapters.redis.client import redis_client
from interlace.adapters.redis.failures import failures
from interlace.ports.queue import TaskTotal, TenantTask
from interlace.settings import RedisSettings, WorkerSettings
from interlace.tracing import trace_headers

T = TypeVar("T")
_CONNECT_SECONDS = 3
_WORKER = "interlace:worker:"
_RUNS = "interlace:task-runs"
_SECONDS = "interlace:task-seconds"
_SWEPT = "interlace:swept"
_SWEPT_MILLISECONDS = 3_600_000
_KEPT = "What was received is kept and will be processed when it takes tasks again."


class CeleryQueue:
    """Implements ``TaskQueue``: enqueues Celery tasks, keeps totals in two Redis hashes; connects on first use."""

    def __init__(self, settings: RedisSettings, worker: WorkerSettings, app: Celery | None = None) -> None:
        self._settings = settings
        self._app = app or celery_app(settings, worker)
        self._client = redis_client(settings, _CONNECT_SECONDS)

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Enqueue one task for each batch of document ids."""
        self._ingest(INGEST_QUEUE, tenant, batches)

    def retry(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Enqueue one task for each batch, in a queue of its own."""
        self._ingest(RETRY_QUEUE, tenant, batches)

    def enqueue(self, task: TenantTask, tenant: str) -> None:
        """Enqueue a task of a tenant."""
        with failures(self._settings):
            self._app.send_task(TENANT_TASKS[task], kwargs={"tenant": tenant})

    def depth(self) -> int:
        """Return how many ingestion tasks wait for a worker, retries included."""
        return self._ask(lambda client: int(client.llen(INGEST_QUEUE))) + self.retries()

    def retries(self) -> int:
        """Return how many retries wait for a worker."""
        return self._ask(lambda client: int(client.llen(RETRY_QUEUE)))

    def record_worker(self, name: str, seconds: float) -> None:
        """Record that a worker is alive, in a key that expires by itself."""
        self._ask(lambda client: int(bool(client.set(f"{_WORKER}{name}", "", px=int(seconds * 1000)))))

    def workers(self) -> int:
        """Return how many workers have recorded themselves recently."""
        return self._ask(lambda client: sum(1 for _ in client.scan_iter(f"{_WORKER}*", count=1000)))

    def record_run(self, task: str, outcome: str, seconds: float) -> None:
        """Add one run of a task to the totals."""

        def add(client: redis.Redis) -> None:
            with client.pipeline(transaction=True) as pipeline:
                pipeline.hincrby(_RUNS, f"{task} {outcome}")
                pipeline.hincrbyfloat(_SECONDS, f"{task} {outcome}", seconds)
                if (task, outcome) == (SWEEP, "succeeded"):
                    pipeline.set(_SWEPT, "", px=_SWEPT_MILLISECONDS)
                pipeline.execute()

        self._ask(add)

    def since_sweep(self) -> float | None:
        """Return for how long the record of a sweep exists, which expires by itself: by the server's clock alone."""
        left = self._ask(lambda client: int(client.pttl(_SWEPT)))
        return None if left < 0 else (_SWEPT_MILLISECONDS - left) / 1000

    def totals(self) -> list[TaskTotal]:
        """Return the totals of all tasks."""

        def read(client: redis.Redis) -> list[TaskTotal]:
            runs, seconds = client.hgetall(_RUNS), client.hgetall(_SECONDS)
            found = []
            for field, count in sorted(runs.items()):
                task, _, outcome = str(field).partition(" ")
                found.append(TaskTotal(task, outcome, int(count), float(seconds.get(field, 0))))
            return found

        return self._ask(read)

    def ping(self) -> float:
        """Return the seconds of one round trip."""
        started = time.perf_counter()
        self._ask(lambda client: int(bool(client.ping())))
        return time.perf_counter() - started

    def incarnation(self) -> str:
        """Return the server's ``run_id``, which changes when the server is restarted."""
        return self._ask(lambda client: str(client.info("server")["run_id"]))

    def eviction_policy(self) -> str:
        """Return what the server does when its memory is full: its ``maxmemory-policy``."""
        return self._ask(lambda client: str(client.info("memory").get("maxmemory_policy", "")))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()
        self._app.close()

    def _ingest(self, queue: str, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        with failures(self._settings, _KEPT), self._app.producer_or_acquire() as producer:
            headers = trace_headers()
            for batch in batches:
                self._app.send_task(
                    INGEST,
                    kwargs={"tenant": tenant, "ids": list(batch)},
                    queue=queue,
                    producer=producer,
                    headers=headers,
                )

    def _ask(self, question: Callable[[redis.Redis], T]) -> T:
        with failures(self._settings):
            return question(self._client)
