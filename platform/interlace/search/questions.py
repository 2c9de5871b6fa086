"""Questions: the search pipeline over chunks, with every leg."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from interlace.domain.effort import Work, effort_report
from interlace.domain.filters import fields_of
from interlace.domain.hits import LEGS, Hit, QueryRequest, QueryResponse, Ranked
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.search.candidates import Candidate, FusedCandidate, RankedCandidate
from interlace.search.confidence import Confidence, assess
from interlace.search.evidence import sentence_that_matters
from interlace.search.execution import Run, answered
from interlace.search.fuse import fuse_legs
from interlace.search.legs.graph import HOPS, MENTIONS
from interlace.search.pipeline import SearchPipeline
from interlace.search.plan import WITHOUT_GRAPH_STEPS, Plan, plan, reason, with_policy
from interlace.search.present import describe_hits, locate, sorted_hits
from interlace.search.profile import RankingProfile
from interlace.search.rerank import QuestionReranker
from interlace.search.retrieve import Retrieved, Retriever
from interlace.search.understand import Understanding, UnderstoodQuery
from interlace.search.window_similarity import start_comparison, with_windows
from interlace.settings_objects import DefaultPolicy

_SPARE = 10
"""Candidates described beyond the limit, because some may have been deleted meanwhile."""


@dataclass(frozen=True, slots=True)
class RankedChunks:
    """The ranked candidates of a question, the number of links that were read, and the confidence behind the order."""

    candidates: list[RankedCandidate]
    links: int
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class QuestionStages:
    """The stages of questions.

    Args:
        graph: the graph.
        vectors: the vector index, for windows of hits.
        retriever: runs the legs.
        reranker: orders what they found.
        understanding: understands questions.
        policy: the legs of a question that asks for none.
        profile: ranking constants.
        link: returns the URL that opens a hit's Cypher in Neo4j Browser.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    retriever: Retriever
    reranker: QuestionReranker
    understanding: Understanding
    policy: DefaultPolicy
    profile: RankingProfile
    link: Callable[[str], str]

    def understand(self, run: Run, tenant: str, request: QueryRequest) -> UnderstoodQuery:
        """Link entities, find the intent and weights, apply the filter."""
        return self.understanding.understand(run, tenant, request)

    def plan(self, query: UnderstoodQuery) -> Plan:
        """Choose legs by the mode and the policy."""
        policy = with_policy(self.policy, query.request.policy)
        return plan(query.request, query.entities.seeds, policy, embeddings=query.embedder is not None)

    def retrieve(self, run: Run, query: UnderstoodQuery, plan: Plan) -> Retrieved:
        """Run the legs, and escalate where the graph alone is not enough."""
        return self.retriever.retrieve(run, query, plan)

    def fuse(self, query: UnderstoodQuery, retrieved: Retrieved) -> list[FusedCandidate]:
        """Fuse by rank; the weights of the graph and the vector leg follow the confidence in them."""
        confidence = self._confidence(query, retrieved)
        return fuse_legs(retrieved.lists, query.weights, graph=confidence.graph, vector=confidence.language)

    def rerank(
        self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, fused: list[FusedCandidate]
    ) -> RankedChunks:
        """Order by PageRank, similarity and links, then by the cross-encoder."""
        ranked, links, confidence = self.reranker.rerank(
            run,
            query,
            retrieved,
            fused,
            self._confidence(query, retrieved),
            lambda first: self._describe(run, query, retrieved, first, limit=len(first)),
        )
        return RankedChunks(ranked, links, confidence)

    def present(self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, ranked: RankedChunks) -> QueryResponse:
        """Describe hits, and how they were found."""
        request, seeds, legs = query.request, query.entities.seeds, answered(retrieved.lists, retrieved.plan.legs)
        first = ranked.candidates[: request.limit + _SPARE]
        chunks = [each.id for each in first[: request.limit]] if request.windows else []
        compared = start_comparison(run, self.vectors, query, retrieved.embedding, chunks)
        hits = run.timed(
            "present",
            lambda: self._describe(run, query, retrieved, first, limit=request.limit, figures=request.explain),
        )
        if compared:
            hits = with_windows(hits, run.wait("windows", compared, degrades=("similarity",)) or {})
        hits = tuple(
            replace(hit, sentence=sentence_that_matters(request.text, hit), browser_url=self.link(hit.cypher))
            for hit in hits
        )
        rankings = self._rankings(query, retrieved, ranked.candidates) if request.explain else {}
        if request.mode in WITHOUT_GRAPH_STEPS:
            self.understanding.catch_up(query.scope.tenant)
        run.timings["total"] = run.elapsed()
        return QueryResponse(
            query=request.text,
            hits=sorted_hits(hits, request.sort),
            intent=query.intent.to_dict(),
            weights=_weights(query, ranked.confidence),
            entities={query.entities.names[each]: round(weight, 4) for each, weight in seeds.weights.items()},
            retrieval_mode=retrieved.plan.mode,
            retrieval_path=legs,
            retrieval_reason=reason(retrieved.plan, request, seeds, legs),
            degraded=tuple(dict.fromkeys(run.degraded)),
            # An abandoned task may still end and record its time.
            timings=dict(run.timings),
            effort=_effort(query, retrieved, ranked),
            rankings=rankings,
            strategies=_strategies(request, retrieved.plan),
        )

    def _confidence(self, query: UnderstoodQuery, retrieved: Retrieved) -> Confidence:
        compared = retrieved.residual is not None
        confidence = assess(query.request.text, query.entities.seeds, self.profile.rerank, compared=compared)
        return replace(confidence, language=retrieved.language)

    def _describe(
        self,
        run: Run,
        query: UnderstoodQuery,
        retrieved: Retrieved,
        ranked: Sequence[RankedCandidate],
        *,
        limit: int,
        figures: bool = False,
    ) -> tuple[Hit, ...]:
        paths = {each.id: each.path for each in retrieved.lists.get("graph", ())}
        return describe_hits(
            run, self.graph, query.scope.tenant, ranked, paths, query.entities.visible, limit=limit, figures=figures
        )

    def _rankings(
        self, query: UnderstoodQuery, retrieved: Retrieved, ranked: Sequence[RankedCandidate]
    ) -> dict[str, tuple[Ranked, ...]]:
        lists: dict[str, Sequence[Candidate]] = {
            **retrieved.lists,
            "fused": [Candidate(each.id, each.score) for each in ranked],
        }
        return locate(self.graph, query.scope.tenant, lists)


def _effort(query: UnderstoodQuery, retrieved: Retrieved, ranked: RankedChunks) -> dict[str, float]:
    mentions = retrieved.counts.get(MENTIONS, 0)
    read = {"chunks": len(ranked.candidates), "mentions": mentions, "links": ranked.links}
    work = Work(len(retrieved.lists), HOPS if mentions else 0, sum(read.values()))
    return effort_report(work, entities=len(query.entities.seeds.weights), **read)


def _strategies(request: QueryRequest, plan: Plan) -> dict[str, tuple[str, ...]]:
    chosen: dict[str, tuple[str, ...]] = {"tags": (request.tag_strategy,), "paths": request.path_strategies}
    used: dict[str, tuple[str, ...]] = {leg: strategies for leg, strategies in chosen.items() if leg in plan.legs}
    return {**used, "filter": tuple(sorted(fields_of(request.where)))} if request.where else used


def _weights(query: UnderstoodQuery, confidence: Confidence) -> Mapping[str, float]:
    return {
        **query.weights.to_dict(LEGS),
        "confidence.graph": confidence.graph,
        "confidence.fused": confidence.fused,
        "confidence.trust": confidence.trust,
        "confidence.meaning": confidence.meaning,
        "confidence.language": confidence.language,
    }


QuestionSearch: TypeAlias = SearchPipeline[QueryRequest, UnderstoodQuery, Plan, Retrieved, RankedChunks, QueryResponse]
"""Answers questions."""
