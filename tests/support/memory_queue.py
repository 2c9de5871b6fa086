"""A task queue in memory. It keeps the contract of the port, so unit tests may rely on it."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interlace.adapters.redis.celery_app import INGEST, SWEEP, TENANT_TASKS
from interlace.domain.errors import UnavailableError
from interlace.ports.queue import TaskTotal, TenantTask


@dataclass(slots=True)
class MemoryQueue:
    """Implements ``TaskQueue``.

    Args:
        tasks: what waits, oldest first: the task's name and its arguments.
        away: whether every method raises ``UnavailableError``.
    """

    tasks: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    away: bool = False
    _retries: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _workers: dict[str, float] = field(default_factory=dict)
    _runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    _seconds: Counter[tuple[str, str]] = field(default_factory=Counter)
    _swept: float | None = None

    @property
    def batches(self) -> list[list[str]]:
        """The batches of document ids that wait."""
        return [arguments["ids"] for name, arguments in self.tasks if name == INGEST]

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Keep a task for each batch."""
        self._answer()
        self.tasks += [(INGEST, {"tenant": tenant, "ids": list(batch)}) for batch in batches]

    def retry(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Keep a task for each batch, and remember it as a retry."""
        before = len(self.tasks)
        self.ingest(tenant, batches)
        self._retries += self.tasks[before:]

    def enqueue(self, task: TenantTask, tenant: str) -> None:
        """Keep a task."""
        self._answer()
        self.tasks.append((TENANT_TASKS[task], {"tenant": tenant}))

    def depth(self) -> int:
        """Return how many ingestion tasks wait, retries included."""
        self._answer()
        return len(self.batches)

    def retries(self) -> int:
        """Return how many retries wait."""
        self._answer()
        return sum(task in self.tasks for task in self._retries)

    def record_worker(self, name: str, seconds: float) -> None:
        """Remember until when the worker counts as running."""
        self._answer()
        self._workers[name] = time.monotonic() + seconds

    def workers(self) -> int:
        """Return how many workers run."""
        self._answer()
        return sum(until > time.monotonic() for until in self._workers.values())

    def record_run(self, task: str, outcome: str, seconds: float) -> None:
        """Add to the totals."""
        self._answer()
        self._runs[task, outcome] += 1
        self._seconds[task, outcome] += seconds  # type: ignore[assignment]  # typeshed: counts are integers
        if (task, outcome) == (SWEEP, "succeeded"):
            self._swept = time.monotonic()

    def since_sweep(self) -> float | None:
        """Return how long ago a sweep succeeded."""
        self._answer()
        return None if self._swept is None else time.monotonic() - self._swept

    def totals(self) -> list[TaskTotal]:
        """Return the totals by task and outcome."""
        self._answer()
        return [TaskTotal(*key, runs, self._seconds[key]) for key, runs in sorted(self._runs.items())]

    def ping(self) -> float:
        """Return at once."""
        self._answer()
        return 0.0

    def close(self) -> None:
        """Nothing is open."""

    def _answer(self) -> None:
        if self.away:
            raise UnavailableError("Redis at 127.0.0.1:6379 does not answer.")
