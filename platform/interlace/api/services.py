"""What the API needs of the platform, so that tests can hand in something smaller."""

from typing import Protocol

from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.ingestion.intake import Intake
from interlace.ingestion.jobs import Jobs
from interlace.ports.graph import GraphDatabase
from interlace.ports.queue import TaskQueue
from interlace.ports.vectors import VectorIndex
from interlace.settings import Settings


class Coordinator(Protocol):
    """Answers questions."""

    def query(self, tenant: str, request: QueryRequest) -> QueryResponse:
        """Return explained hits; a leg that fails is named in ``degraded`` and fails nothing else."""
        ...


class Services(Protocol):
    """The wired platform, as far as the API uses it; each service is made when first asked for."""

    @property
    def settings(self) -> Settings:
        """Where everything is, and the limits."""
        ...

    @property
    def graph(self) -> GraphDatabase:
        """The graph database."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """The vector index."""
        ...

    @property
    def queue(self) -> TaskQueue:
        """The task queue."""
        ...

    @property
    def intake(self) -> Intake:
        """Where documents come in."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Batch jobs."""
        ...

    @property
    def coordinator(self) -> Coordinator:
        """Where questions are answered."""
        ...
