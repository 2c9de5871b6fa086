"""The task queue as services see it: named tasks with JSON arguments."""

from collections.abc import Sequence
from typing import Protocol


class TaskQueue(Protocol):
    """Enqueues work for workers. Every method raises ``UnavailableError`` when the broker does not answer."""

    def ingest(self, tenant: str, batches: Sequence[Sequence[str]]) -> None:
        """Ask workers to process these batches of document ids."""
        ...

    def refresh_communities(self, tenant: str) -> None:
        """Ask a worker to refresh the tenant's communities."""
        ...

    def rebuild_vectors(self, tenant: str) -> None:
        """Ask a worker to make the vectors that chunks of the tenant lack."""
        ...

    def depth(self) -> int:
        """Return how many ingestion tasks wait."""
        ...

    def ping(self) -> float:
        """Return the seconds one round trip takes."""
        ...
