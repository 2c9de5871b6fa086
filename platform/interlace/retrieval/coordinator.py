"""The query coordinator: one intent, one set of weights, the legs in parallel under a deadline each, one fused and explained list."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from interlace.domain.errors import InterlaceError, InvalidInputError
from interlace.domain.hits import LEGS, LegName, Mode, QueryRequest, QueryResponse, Ranked
from interlace.entities.registry import Registries, Registry
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.retrieval import legs as leg_searches
from interlace.retrieval.conditions import matching_documents
from interlace.retrieval.confidence import Confidence, assess
from interlace.retrieval.explanation import describe_hits, locate
from interlace.retrieval.fusion import FusedHit, LegHit, QueryFeatures, fuse, pool
from interlace.retrieval.graph_leg import KnownNames, Walked, known_names, walk
from interlace.retrieval.intent import Intent, analyse
from interlace.retrieval.legs import Scope
from interlace.retrieval.seeds import first_stage
from interlace.retrieval.weights import FusionWeights, weights_for
from interlace.settings import QuerySettings

T = TypeVar("T")
_LONGEST_QUESTION = 2000
_THREADS = 16
_SPARE_HITS = 10
_COMPARED = 150

MODE_LEGS: Mapping[Mode, tuple[LegName, ...]] = {
    "auto": LEGS,
    "hybrid": LEGS,
    "graph_only": ("graph",),
    "vector_only": ("vector",),
    "keyword_only": ("keyword",),
    "metadata_only": ("tags", "paths"),
}


@dataclass(slots=True)
class _Run:
    """What one query has gathered so far."""

    started: float = field(default_factory=time.perf_counter)
    lists: dict[str, list[LegHit]] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)

    def elapsed(self) -> float:
        return round((time.perf_counter() - self.started) * 1000, 2)


class Coordinator:
    """Answers questions. One instance a process; safe for use by several threads.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedder: none when embeddings are off.
        registries: all names.
        settings: weights, bounds and deadlines.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        embedder: Embedder | None,
        registries: Registries,
        settings: QuerySettings,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._embedder = embedder
        self._registries = registries
        self._settings = settings
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="leg")

    def close(self) -> None:
        """Let running legs end and stop the threads."""
        self._pool.shutdown(cancel_futures=True)

    def query(self, tenant: str, request: QueryRequest) -> QueryResponse:
        """Answer a question.

        A leg that fails or is late is named in ``degraded`` and the others answer; only when the graph, which holds the passages,
        does not answer is there no answer.

        Raises:
            InvalidInputError: the question is empty or too long, the limit too high, or the filter senseless.
            UnavailableError: the graph does not answer.
        """
        self._check(request)
        run = _Run()
        registry = self._registries.current(tenant)
        known = known_names(self._graph, registry, request.text, self._settings)
        intent = analyse(request.text, tuple(known.seeds.weights))
        weights = weights_for(intent, self._settings)
        run.timings["names"] = run.elapsed()
        allowed = matching_documents(self._graph, tenant, request.where) if request.where else None
        scope = Scope(
            tenant, request.text, request.where, allowed, self._settings.candidates, self._settings.leg_timeout
        )
        wanted = self._wanted(request)
        walked = self._run_legs(run, scope, wanted, registry, known, intent)
        confidence = assess(request.text, known.seeds)
        similarity = self._similarity(run, scope, wanted, known) if len(wanted) > 1 else {}
        fused = self._fuse(run, weights, confidence, similarity)
        hits = describe_hits(self._graph, tenant, fused[: request.limit + _SPARE_HITS], walked, request.limit)
        rankings = self._rankings(tenant, run, fused) if request.explain else {}
        run.timings["total"] = run.elapsed()
        return QueryResponse(
            query=request.text,
            hits=hits,
            intent={
                "action": intent.action,
                "target": intent.target,
                "context": list(intent.context),
                "keywords": list(intent.keywords),
            },
            weights=_shown_weights(weights, confidence),
            names={known.names[entity]: round(weight, 4) for entity, weight in known.seeds.weights.items()},
            retrieval_mode="hybrid" if request.mode == "auto" else request.mode,
            retrieval_path=tuple(leg for leg in wanted if run.lists.get(leg)),
            retrieval_reason=_reason(request, known, run),
            degraded=tuple(run.degraded),
            timings=run.timings,
            effort={
                "legs": len(run.lists),
                "candidates": len(fused),
                "names": len(known.seeds.weights),
                "mentions": walked.edges,
            },
            rankings=rankings,
        )

    def _check(self, request: QueryRequest) -> None:
        if not request.text.strip():
            raise InvalidInputError("The question is empty; ask something.")
        if len(request.text) > _LONGEST_QUESTION:
            raise InvalidInputError(
                f"The question has {len(request.text)} characters; at most {_LONGEST_QUESTION} are read."
            )
        if not 1 <= request.limit <= self._settings.max_limit:
            raise InvalidInputError(
                f"limit is {request.limit}; it must be 1 to {self._settings.max_limit} (INTERLACE_QUERY__MAX_LIMIT)."
            )

    def _wanted(self, request: QueryRequest) -> tuple[str, ...]:
        chosen = request.legs or MODE_LEGS[request.mode]
        return tuple(leg for leg in chosen if self._embedder is not None or leg != "vector")

    def _run_legs(
        self,
        run: _Run,
        scope: Scope,
        wanted: Sequence[str],
        registry: Registry,
        known: KnownNames,
        intent: Intent,
    ) -> Walked:
        """Run the legs; the walk starts when dense and keyword hits, on which it also starts, are there."""
        embedder = self._embedder if {"vector", "community"}.intersection(wanted) else None
        embedded = self._start(lambda: embedder.embed_query(scope.text) if embedder else None)
        started: dict[str, Future[list[LegHit]]] = {}
        first = [leg for leg in ("vector", "keyword") if leg in wanted or ("graph" in wanted and leg == "keyword")]
        if "vector" in wanted:
            started["vector"] = self._start(lambda: self._dense(scope, embedded.result()))
        if "keyword" in first:
            started["keyword"] = self._start(lambda: leg_searches.keyword(self._vectors, scope))
        if "community" in wanted:
            started["community"] = self._start(lambda: self._community(scope, embedded.result()))
        if "tags" in wanted:
            started["tags"] = self._start(lambda: leg_searches.tags(self._graph, scope, intent.keywords))
        if "paths" in wanted:
            started["paths"] = self._start(lambda: leg_searches.paths(self._graph, scope))
        for leg in first:
            if leg in started:
                self._collect(run, leg, started.pop(leg))
        walked = Walked([], {}, {}, 0)
        if "graph" in wanted:
            starts = first_stage(*([hit.chunk for hit in run.lists.get(leg, ())] for leg in ("vector", "keyword")))
            walking = self._start(lambda: walk(self._graph, registry, scope, known, starts, self._settings))
            result = self._result(run, "graph", walking)
            if result is not None:
                walked = result
                run.lists["graph"] = walked.hits
        for leg, future in started.items():
            self._collect(run, leg, future)
        run.lists = {leg: hits for leg, hits in run.lists.items() if leg in wanted}
        return walked

    def _dense(self, scope: Scope, question: NDArray[np.float32] | None) -> list[LegHit]:
        if question is None or self._embedder is None:
            return []
        return leg_searches.dense(self._vectors, scope, question, self._embedder.model)

    def _community(self, scope: Scope, question: NDArray[np.float32] | None) -> list[LegHit]:
        model = self._embedder.model if self._embedder else ""
        return leg_searches.community(self._vectors, self._graph, scope, question, model, settings=self._settings)

    def _similarity(self, run: _Run, scope: Scope, wanted: Sequence[str], known: KnownNames) -> dict[str, float]:
        """Return the cosine of each candidate with the question less its names; nothing without embeddings."""
        embedder = self._embedder
        if embedder is None or "vector" not in wanted:
            return {}
        candidates = pool(run.lists, _COMPARED)
        if not candidates:
            return {}

        def compare() -> list[LegHit]:
            remainder = embedder.embed_query(known.seeds.remainder)
            found = self._vectors.search(
                scope.tenant,
                "chunks",
                remainder,
                using=embedder.model,
                limit=len(candidates),
                among=candidates,
                exact=True,
            )
            return [LegHit(point.id, point.score) for point in found]

        return {hit.chunk: hit.score for hit in self._result(run, "similarity", self._start(compare)) or ()}

    def _fuse(
        self, run: _Run, weights: FusionWeights, confidence: Confidence, similarity: Mapping[str, float]
    ) -> list[FusedHit]:
        started = time.perf_counter()
        features = QueryFeatures(weights, confidence, similarity, self._settings.rrf_k)
        fused = fuse(features, run.lists)
        run.timings["fusion"] = round((time.perf_counter() - started) * 1000, 2)
        return fused

    def _rankings(self, tenant: str, run: _Run, fused: Sequence[FusedHit]) -> dict[str, tuple[Ranked, ...]]:
        lists: dict[str, Sequence[LegHit]] = {**run.lists, "fused": [LegHit(hit.chunk, hit.score) for hit in fused]}
        return locate(self._graph, tenant, lists)

    def _start(self, work: Callable[[], T]) -> "Future[T]":
        return self._pool.submit(work)

    def _collect(self, run: _Run, leg: str, future: "Future[list[LegHit]]") -> None:
        found = self._result(run, leg, future)
        if found is not None:
            run.lists[leg] = found

    def _result(self, run: _Run, leg: str, future: "Future[T]") -> T | None:
        """Return what a leg found, or note that it failed or is late. A defect of ours is not hidden: it is raised."""
        started = time.perf_counter()
        try:
            return future.result(timeout=self._settings.leg_timeout)
        except (FutureTimeoutError, InterlaceError) as error:
            if isinstance(error, InvalidInputError):
                raise
            future.cancel()
            run.degraded.append(leg)
            return None
        finally:
            run.timings[leg] = round((time.perf_counter() - started) * 1000, 2)


def _shown_weights(weights: FusionWeights, confidence: Confidence) -> dict[str, float]:
    shown = {name: getattr(weights, name) for name in ("proximity", "graph_rerank", "vector", "keyword", "entity")}
    shown.update({f"leg.{leg}": weights.of_leg(leg) for leg in LEGS})
    return {**shown, "confidence.graph": confidence.graph, "confidence.lists": confidence.lists}


def _reason(request: QueryRequest, known: KnownNames, run: _Run) -> str:
    if request.mode != "auto":
        return f"The caller asked for {request.mode}."
    names = len({(match.start, match.end) for match in known.seeds.matches})
    if not names:
        return "The question holds no name that the graph knows, so all legs answered together."
    answered = ", ".join(leg for leg, hits in run.lists.items() if hits) or "no leg"
    return f"The graph knows {names} name{'s' if names > 1 else ''} of the question; {answered} answered and the walk decides."
