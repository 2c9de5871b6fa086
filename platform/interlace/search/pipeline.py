"""The search pipeline: understand → plan → retrieve → fuse → rerank → present.

Questions, tools, atoms and linked documents are configurations of it: each provides its six stages, and this module runs them.
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from interlace.search.candidates import FusedCandidate
from interlace.search.execution import Run, TaskPool
from interlace.search.optimistic_reads import OptimisticReader
from interlace.tracing import span

RequestT_contra = TypeVar("RequestT_contra", contravariant=True)
QueryT = TypeVar("QueryT")
PlanT = TypeVar("PlanT")
FoundT = TypeVar("FoundT")
RankedT = TypeVar("RankedT")
ResponseT_co = TypeVar("ResponseT_co", covariant=True)


class Stages(Protocol[RequestT_contra, QueryT, PlanT, FoundT, RankedT, ResponseT_co]):
    """The six stages of a configuration. A stage takes what earlier stages returned and keeps no state of its own."""

    def understand(self, run: Run, tenant: str, request: RequestT_contra) -> QueryT:
        """Check the request and find out what every later stage needs.

        Raises:
            InvalidInputError: the request is invalid.
            UnavailableError: the graph does not answer.
        """
        ...

    def plan(self, query: QueryT) -> PlanT:
        """Choose the legs."""
        ...

    def retrieve(self, run: Run, query: QueryT, plan: PlanT) -> FoundT:
        """Run the legs."""
        ...

    def fuse(self, query: QueryT, found: FoundT) -> list[FusedCandidate]:
        """Merge the legs' lists into one."""
        ...

    def rerank(self, run: Run, query: QueryT, found: FoundT, fused: list[FusedCandidate]) -> RankedT:
        """Reorder the fused list by further evidence."""
        ...

    def present(self, run: Run, query: QueryT, found: FoundT, ranked: RankedT) -> ResponseT_co:
        """Describe the first candidates, and how they were found."""
        ...


@dataclass(frozen=True, slots=True)
class SearchPipeline(Generic[RequestT_contra, QueryT, PlanT, FoundT, RankedT, ResponseT_co]):
    """Searches. One instance per process and configuration; safe for use by several threads.

    Args:
        stages: the configuration.
        pool: threads for leaf tasks, shared by all configurations.
        timeout: seconds that a leg may run before the answer goes on without it.
        optimistic: repeats the search if a large decision about entities was committed meanwhile; none where another pipeline does so.
    """

    stages: Stages[RequestT_contra, QueryT, PlanT, FoundT, RankedT, ResponseT_co]
    pool: TaskPool
    timeout: float
    optimistic: OptimisticReader | None = None

    def search(self, tenant: str, request: RequestT_contra) -> ResponseT_co:
        """Answer a request.

        A leg that fails or is late is named in ``degraded`` and the others answer. There is no answer only if the graph, which holds the
        chunks, does not answer.

        Raises:
            InvalidInputError: the request is invalid.
            UnavailableError: the graph does not answer.
        """
        with span("search"):
            if self.optimistic is None:
                return self._search(tenant, request)
            return self.optimistic.read(tenant, lambda: self._search(tenant, request))

    def _search(self, tenant: str, request: RequestT_contra) -> ResponseT_co:
        run = Run(self.pool, self.timeout)
        stages = self.stages
        query = run.timed("understand", lambda: stages.understand(run, tenant, request))
        plan = stages.plan(query)
        found = stages.retrieve(run, query, plan)
        fused = run.timed("fusion", lambda: stages.fuse(query, found))
        ranked = stages.rerank(run, query, found, fused)
        return stages.present(run, query, found, ranked)
