"""The task queue: named tasks whose arguments are ids, and the totals of the runs of tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

TenantTask = Literal["refresh_communities", "enrich", "rebuild_vectors", "embed_entities", "remove_tenant"]
"""Refresh communities; let a language model read; embed chunks without a vector, or waiting entities; remove a marked tenant."""


@dataclass(frozen=True, slots=True)
class TaskTotal:
    """All runs of a task with one outcome: ``succeeded``, ``deferred`` or ``failed``."""

    task: str
    outcome: str
    runs: int
    seconds: float


class TaskQueue(Protocol):
    """Enqueues work for workers. Every method raises ``UnavailableError`` when the broker does not answer."""

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Enqueue one task for each batch of document ids."""
        ...

    def retry(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Enqueue one task for each batch of ids of documents that were taken before; it does not wait behind those of ``ingest``."""
        ...

    def enqueue(self, task: TenantTask, tenant: str) -> None:
        """Enqueue a task of a tenant."""
        ...

    def depth(self) -> int:
        """Return how many ingestion tasks wait for a worker, retries included."""
        ...

    def retries(self) -> int:
        """Return how many tasks of ``retry`` wait for a worker."""
        ...

    def record_worker(self, name: str, seconds: float) -> None:
        """Record that a worker runs; it counts as running for so many seconds."""
        ...

    def workers(self) -> int:
        """Return how many workers run, busy ones included."""
        ...

    def record_run(self, task: str, outcome: str, seconds: float) -> None:
        """Add one run to the totals."""
        ...

    def since_sweep(self) -> float | None:
        """Return how many seconds ago a sweep last succeeded, by the broker's clock; None if that was not within an hour."""
        ...

    def totals(self) -> list[TaskTotal]:
        """Return the totals by task and outcome since the broker was set up, in that order."""
        ...

    def ping(self) -> float:
        """Return the seconds one round trip takes."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
