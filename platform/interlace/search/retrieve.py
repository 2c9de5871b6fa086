"""The retrieve stage: runs the legs of a plan in parallel, each as soon as its input is there.

The caller's thread coordinates, the pool runs leaf tasks only (``search.execution``). Legs come in three rounds by what they need: the
understood query, its embedding, the first-stage candidates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import Vector
from interlace.search.candidates import Candidate
from interlace.search.execution import Run, Task
from interlace.search.legs.protocol import Leg, SearchContext
from interlace.search.model_language import language_known, may_be_foreign
from interlace.search.plan import GraphEvidence, Plan, escalate, with_policy
from interlace.search.present import source_coverage
from interlace.search.profile import RankingProfile
from interlace.search.seeds import first_stage
from interlace.search.understand import UnderstoodQuery, embed
from interlace.settings_objects import DefaultPolicy

_FIRST_STAGE = ("vector", "keyword")


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the legs of a question returned.

    Args:
        plan: the final plan.
        lists: leg to candidates, best first; legs that failed are missing.
        embedding: the task that embeds the query; none where no leg needs it.
        residual: the task that embeds the residual query; none where nothing is compared.
        counts: how much legs read, by name.
        language: above 0 to 1, how far the embedding model knows the question's language.
    """

    plan: Plan
    lists: dict[str, list[Candidate]]
    embedding: Task[Vector] | None
    residual: Task[Vector] | None
    counts: Mapping[str, int]
    language: float = 1.0


@dataclass(frozen=True, slots=True)
class Retriever:
    """Runs legs.

    Args:
        graph: the graph, for the coverage of the graph leg's sources.
        legs: the registry.
        policy: triggers of escalation.
        profile: how many first-stage candidates the restart includes.
    """

    graph: GraphDatabase
    legs: Mapping[str, Leg]
    policy: DefaultPolicy
    profile: RankingProfile

    def retrieve(self, run: Run, query: UnderstoodQuery, plan: Plan) -> Retrieved:
        """Run the legs of the plan; where the graph ran first and is not enough, the others too."""
        found = self._run(run, query, plan, {})
        if plan.fallback:
            evidence = self._evidence(query.scope.tenant, found.lists["graph"])
            plan = escalate(plan, evidence, with_policy(self.policy, query.request.policy))
            if plan.mode == "graph_only":
                found = replace(found, plan=plan)
            else:
                found = self._run(run, query, plan, found.lists, found.residual)
        lists: dict[str, list[Candidate]] = {leg: found.lists[leg] for leg in found.lists if leg in plan.legs}
        return replace(found, lists=lists, language=self._language(run, query, found, lists))

    def _language(
        self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, lists: Mapping[str, Sequence[Candidate]]
    ) -> float:
        """Return how far the embedding model knows the question's language; 1 where its vectors alone answer, or do not count."""
        if "keyword" not in lists or (retrieved.embedding is None and retrieved.residual is None):
            return 1.0
        text, model = query.scope.text, query.embedder.model if query.embedder else ""
        if not (query.weights.uses("language") and may_be_foreign(model, text)):
            return 1.0
        read = run.start(
            "language",
            lambda: language_known(
                self.graph,
                query.scope.tenant,
                text,
                lists["keyword"],
                foreign=self.profile.rerank.foreign,
                timeout=query.scope.timeout,
            ),
        )
        known = run.wait("language", read, degrades=())
        return 1.0 if known is None else known

    def _evidence(self, tenant: str, reached: Sequence[Candidate]) -> GraphEvidence:
        coverage = source_coverage(self.graph, tenant, [candidate.id for candidate in reached])
        return GraphEvidence(len(reached), max((candidate.score for candidate in reached), default=0.0), coverage)

    def _run(
        self,
        run: Run,
        query: UnderstoodQuery,
        plan: Plan,
        known: Mapping[str, list[Candidate]],
        residual: Task[Vector] | None = None,
    ) -> Retrieved:
        """Run the legs whose lists are not known yet, and the graph leg in any case, because its restart changes.

        Args:
            run: the search.
            query: the question.
            plan: which legs.
            known: the lists that are there.
            residual: the task that embeds the residual query, if it has begun.
        """
        embedding = _embedding(run, query, plan, residual)
        compared: list[Task[Vector]] = []
        context = query.context()
        wanted = {*plan.legs, *(("keyword",) if "graph" in plan.legs and query.weights.uses("keyword") else ())}
        legs = [self.legs[name] for name in self.legs if name in wanted and (name not in known or name == "graph")]
        count = self.profile.graph.first_stage if query.weights.uses("first_stage") else 0
        found = run_legs(
            run,
            legs,
            context,
            embedding,
            known=known,
            first=count,
            meanwhile=lambda: compared.extend([residual] if residual else _residual(run, query, plan, embedding)),
        )
        if not compared and _compares(query, plan):  # a service that fails or hangs is not called a second time
            run.degraded.append("similarity")
        return Retrieved(plan, {**known, **found}, embedding, compared[0] if compared else None, context.counts)


def _embedding(run: Run, query: UnderstoodQuery, plan: Plan, residual: Task[Vector] | None) -> Task[Vector] | None:
    """Start to embed the query if the plan needs that and it has not begun, be it as the residual query."""
    if query.embedding or query.embedder is None or {"vector", "community"}.isdisjoint(plan.legs):
        return query.embedding
    if residual and query.entities.seeds.residual == query.scope.text:
        return residual
    return embed(run, "embedding", query.scope.text, query.embedder)


def _residual(run: Run, query: UnderstoodQuery, plan: Plan, whole: Task[Vector] | None) -> list[Task[Vector]]:
    """Start to embed the residual query; nothing where candidates are not compared with it."""
    residual = query.entities.seeds.residual
    if query.embedder is None or not _compares(query, plan):
        return []
    return [whole if whole and residual == query.scope.text else embed(run, "residual", residual, query.embedder)]


def _compares(query: UnderstoodQuery, plan: Plan) -> bool:
    return query.embedder is not None and plan.compared and query.weights.uses("similarity")


def run_legs(
    run: Run,
    legs: Sequence[Leg],
    context: SearchContext,
    embedding: Task[Vector] | None,
    *,
    known: Mapping[str, list[Candidate]] | None = None,
    first: int = 0,
    meanwhile: Callable[[], None] = lambda: None,
) -> dict[str, list[Candidate]]:
    """Run legs and return their candidates; a leg that failed or is late is missing, and named as degraded, as is one that had to do without a server.

    Args:
        run: the search.
        legs: what to run.
        context: what legs read.
        embedding: the task that embeds the query; none without embeddings.
        known: lists that are there already.
        first: candidates of each first-stage leg that the graph leg restarts from.
        meanwhile: starts what no leg waits for; called when the last leg has begun, and not where the embedding failed or is late.
    """
    lists = dict(known or {})
    tasks = _start(run, legs, "query", context)
    dense = [leg for leg in legs if leg.needs == "embedding"]
    vector, spent, late = None, 0.0, False
    if embedding and dense:
        vector = run.wait("embedding", embedding, degrades=[leg.name for leg in dense])
        spent, late = embedding.ran, vector is None
    if not late:
        tasks |= _start(run, dense, "embedding", replace(context, embedding=vector))
    used = {leg.name: spent for leg in dense}
    for name in _FIRST_STAGE:
        if name in tasks:
            _collect(run, lists, name, tasks.pop(name), used.get(name, 0.0))
    restart = first_stage(*([each.id for each in lists.get(name, ())] for name in _FIRST_STAGE), limit=first)
    tasks |= _start(run, legs, "first_stage", replace(context, first_stage=restart))
    if not late:
        meanwhile()
    for name, task in tasks.items():
        _collect(run, lists, name, task, used.get(name, 0.0))
    run.degraded.extend(context.degraded)
    # A graph leg that failed counts as one that ran: its empty list means no evidence.
    return {**lists, **{leg.name: lists.get(leg.name, []) for leg in legs if leg.needs == "first_stage"}}


def _start(run: Run, legs: Sequence[Leg], needs: str, context: SearchContext) -> dict[str, Task[list[Candidate]]]:
    return {leg.name: run.start(leg.name, lambda leg=leg: leg.search(context)) for leg in legs if leg.needs == needs}  # type: ignore[misc]


def _collect(run: Run, lists: dict[str, list[Candidate]], name: str, task: Task[list[Candidate]], spent: float) -> None:
    found = run.wait(name, task, spent=spent)
    if found is not None:
        lists[name] = found
