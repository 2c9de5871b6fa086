"""The query coordinator: one intent, one set of weights, the legs in parallel under a deadline each, one fused and explained list."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.domain.effort import Work, reported
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import fields_of
from interlace.domain.hits import LEGS, PROXIMITY, Hit, LegName, QueryRequest, QueryResponse, Ranked
from interlace.entities.linker import EntityLinker, EntityLinkers
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.search.conditions import matching_documents
from interlace.search.confidence import Confidence, assess
from interlace.search.cross_encoder import STEP, CrossEncoder, Judged
from interlace.search.embedding_choice import choose_embedder
from interlace.search.execution import Run
from interlace.search.explanation import describe_hits, locate, source_coverage
from interlace.search.fusion import FusedHit, LegHit, QueryFeatures, fuse, pool
from interlace.search.intent import Intent, analyse
from interlace.search.legs import names as name_legs
from interlace.search.legs import vectors as leg_searches
from interlace.search.legs.graph import NOWHERE, STEPS, KnownNames, Walked, known_names, walk
from interlace.search.legs.vectors import Scope
from interlace.search.limits import check_limit
from interlace.search.policy import GraphEvidence, Plan, judged, plan, reason, surely_embeds
from interlace.search.proximity import NO_LINKS, ChunkLinks, link_scale, read_links
from interlace.search.rerank import Rerank
from interlace.search.seeds import first_stage
from interlace.search.weights import FusionWeights, weights_for
from interlace.settings import LinkSettings, QuerySettings

Vector = NDArray[np.float32]
_LONGEST_QUESTION = 2000
_THREADS = 16
_SPARE_HITS = 10
_LINKED = 50
"""Chunks whose links are read: a link to the fiftieth hit would be worth a hundredth."""


@dataclass(frozen=True, slots=True)
class _Query:
    """What is settled about a query before its legs run; ``vector`` is the question's, to come, where it is needed in any case."""

    request: QueryRequest
    registry: EntityLinker
    known: KnownNames
    intent: Intent
    weights: FusionWeights
    scope: Scope
    embedder: Embedder | None
    vector: "Future[Vector | None] | None"


@dataclass(frozen=True, slots=True)
class _Embeddings:
    """The question's vector and that of its remainder, to come; None where nothing needs them."""

    question: "Future[Vector | None]"
    remainder: "Future[Vector | None]"


class Coordinator:
    """Answers questions. One instance a process; safe for use by several threads.

    Args:
        graph: the graph.
        vectors: the vector index.
        embedders: by model, the first one first; none when embeddings are off.
        registries: all names.
        settings: weights, bounds and deadlines.
        links: what a link between documents counts, and how many are read.
        cross_encoder: orders the first hits after fusion; none for the order of the fusion.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        embedders: Mapping[str, Embedder],
        registries: EntityLinkers,
        settings: QuerySettings,
        links: LinkSettings,
        cross_encoder: CrossEncoder | None = None,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._embedders = embedders
        self._registries = registries
        self._settings = settings
        self._link_settings = links
        self._cross_encoder = cross_encoder
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="leg")

    def close(self) -> None:
        """Let running legs end and stop the threads."""
        self._pool.shutdown(cancel_futures=True)
        if self._cross_encoder:
            self._cross_encoder.close()

    def query(self, tenant: str, request: QueryRequest) -> QueryResponse:
        """Answer a question.

        A leg that fails or is late is named in ``degraded`` and the others answer; only when the graph, which holds the chunks,
        does not answer is there no answer.

        Raises:
            InvalidInputError: the question is empty or too long, the limit too high, what is left out unknown, or the filter senseless.
            UnavailableError: the graph does not answer.
        """
        self._check(request)
        run = Run(self._pool, self._settings.leg_timeout)
        asked = run.timed("names", lambda: self._understand(run, tenant, request))
        decided, embeddings, walked = self._gather(run, asked)
        confidence = assess(request.text, asked.known.seeds)
        candidates = pool(run.lists, self._settings.compared)
        scale = link_scale(asked.weights, decided.mode, self._link_settings)
        linking = self._start_links(run, asked.scope, candidates if scale else ())
        similarity = self._similarity(run, asked, embeddings, walked, candidates) if decided.compared else {}
        links = run.result(PROXIMITY, linking) or NO_LINKS
        features = QueryFeatures(asked.weights, confidence, similarity, self._settings.rrf_k, links, scale)
        fused = run.timed("fusion", lambda: fuse(features, run.lists))
        if decided.mode == "metadata_only":
            fused += self._filtered(asked, fused)
        ordered = self._judge(run, asked, decided, fused, walked)
        described = ordered.hits[: request.limit + _SPARE_HITS]
        hits = run.timed(
            "chunks",
            lambda: describe_hits(
                self._graph,
                tenant,
                described,
                walked,
                limit=request.limit,
                similarity=similarity if request.explain else None,
                judged=ordered.figures,
            ),
        )
        rankings = self._rankings(tenant, run, ordered.hits) if request.explain else {}
        run.timings["total"] = run.elapsed()
        read = {"chunks": len(fused), "mentions": walked.edges, "links": len(links.pairs)}
        return _response(asked, run, decided, confidence, hits, read=read, rankings=rankings)

    def _check(self, request: QueryRequest) -> None:
        if not request.text.strip():
            raise InvalidInputError("The question is empty; ask something.")
        if len(request.text) > _LONGEST_QUESTION:
            raise InvalidInputError(
                f"The question has {len(request.text)} characters; at most {_LONGEST_QUESTION} are read."
            )
        check_limit(request.limit, self._settings)

    def _understand(self, run: Run, tenant: str, request: QueryRequest) -> _Query:
        registry = self._registries.current(tenant)
        embedder = choose_embedder(request, registry, self._embedders)
        early = embedder is not None and surely_embeds(request, self._settings)
        vector = _embed_question(run, request.text, embedder) if early else None
        in_part = "partial_names" not in request.without
        known = known_names(self._graph, registry, request.text, self._settings, in_part=in_part)
        intent = analyse(request.text, tuple(known.seeds.weights))
        weights = weights_for(intent, self._settings, without=request.without)
        limit = self._settings.filter_documents
        allowed = matching_documents(self._graph, tenant, request.where, limit=limit) if request.where else None
        scope = Scope(
            tenant, request.text, request.where, allowed, self._settings.candidates, self._settings.leg_timeout
        )
        return _Query(request, registry, known, intent, weights, scope, embedder, vector)

    def _gather(self, run: Run, asked: _Query) -> tuple[Plan, _Embeddings, Walked]:
        """Run the legs of the plan; where the graph went first and is not sure, the others too."""
        decided = plan(asked.request, asked.known.seeds, self._settings, embeddings=asked.embedder is not None)
        embeddings = self._embed(run, asked, decided)
        walked = self._run_legs(run, asked, decided.legs, embeddings)
        if decided.fallback:
            decided = judged(decided, self._evidence(asked.scope.tenant, walked), self._settings)
            if decided.mode != "graph_only":
                embeddings = self._embed(run, asked, decided)
                walked = self._run_legs(run, asked, decided.legs, embeddings)
        run.lists = {leg: hits for leg, hits in run.lists.items() if leg in decided.legs}
        return decided, embeddings, walked

    def _evidence(self, tenant: str, walked: Walked) -> GraphEvidence:
        coverage = source_coverage(self._graph, tenant, [hit.chunk for hit in walked.hits])
        return GraphEvidence(len(walked.hits), max((hit.score for hit in walked.hits), default=0.0), coverage)

    def _embed(self, run: Run, asked: _Query, decided: Plan) -> _Embeddings:
        """Begin the embeddings that the plan needs: the question first, because legs wait for it."""
        embedder = asked.embedder
        text, remainder = asked.scope.text, asked.known.seeds.remainder
        asks = not {"vector", "community"}.isdisjoint(decided.legs)
        compares = decided.compared and asked.weights.uses("similarity")
        question = asked.vector or _embed_question(run, text, embedder if asks else None)

        def embed_remainder() -> Vector | None:
            if embedder is None or not compares:
                return None
            first = question.result()
            same = first is not None and remainder == text
            return first if same else run.timed("remainder", lambda: embedder.embed_query(remainder))

        return _Embeddings(question, run.start(embed_remainder))

    def _run_legs(self, run: Run, asked: _Query, legs: Sequence[LegName], embeddings: _Embeddings) -> Walked:
        """Run the legs; the walk starts when dense and keyword hits, on which it also starts, are there."""
        scope, started = asked.scope, self._start_lists(run, asked, legs, embeddings)
        for leg in ("vector", "keyword"):
            if leg in started:
                run.collect(leg, started.pop(leg))
        walked = NOWHERE
        if "graph" in legs:
            lists = [[hit.chunk for hit in run.lists.get(leg, ())] for leg in ("vector", "keyword")]
            starts = first_stage(*lists, count=self._settings.first_stage if asked.weights.uses("first_stage") else 0)
            walking = run.start_timed(
                "graph",
                lambda: walk(self._graph, asked.registry, scope, asked.known, starts, self._settings, asked.weights),
            )
            walked = run.result("graph", walking) or NOWHERE
            run.lists["graph"] = walked.hits
        for leg, future in started.items():
            run.collect(leg, future)
        return walked

    def _start_lists(
        self, run: Run, asked: _Query, legs: Sequence[LegName], embeddings: _Embeddings
    ) -> "dict[str, Future[list[LegHit]]]":
        """Begin every wanted leg but the walk, and the keyword leg for the walk to start on; what is there already is not sought again."""
        scope, intent = asked.scope, asked.intent
        searches: dict[str, Callable[[], list[LegHit]]] = {
            "vector": lambda: self._dense(run, asked, embeddings.question.result()),
            "keyword": lambda: run.timed("keyword", lambda: leg_searches.keyword(self._vectors, scope)),
            "community": lambda: self._community(run, asked, embeddings.question.result()),
            "tags": lambda: run.timed(
                "tags",
                lambda: name_legs.tags(self._graph, scope, intent.keywords, self._settings, asked.request.tag_strategy),
            ),
            "paths": lambda: run.timed(
                "paths", lambda: name_legs.paths(self._graph, scope, asked.request.path_strategies)
            ),
        }
        wanted = {*legs, "keyword"} if "graph" in legs and asked.weights.uses("keyword") else set(legs)
        return {leg: run.start(search) for leg, search in searches.items() if leg in wanted and leg not in run.lists}

    def _dense(self, run: Run, asked: _Query, question: Vector | None) -> list[LegHit]:
        if question is None or asked.embedder is None:
            return []
        model = asked.embedder.model
        return run.timed("vector", lambda: leg_searches.dense(self._vectors, asked.scope, question, model))

    def _community(self, run: Run, asked: _Query, question: Vector | None) -> list[LegHit]:
        model = asked.embedder.model if asked.embedder else ""
        return run.timed(
            "community",
            lambda: leg_searches.community(
                self._vectors, self._graph, asked.scope, question, model, settings=self._settings
            ),
        )

    def _start_links(self, run: Run, scope: Scope, chunks: Sequence[str]) -> "Future[ChunkLinks]":
        """Begin to read the links among the documents of some chunks."""
        if not chunks:
            return run.start(lambda: NO_LINKS)
        return run.start_timed(
            PROXIMITY,
            lambda: read_links(self._graph, scope.tenant, chunks[:_LINKED], self._link_settings, timeout=scope.timeout),
        )

    def _similarity(
        self, run: Run, asked: _Query, embeddings: _Embeddings, walked: Walked, candidates: Sequence[str]
    ) -> dict[str, float]:
        """Return the cosine of each candidate with the question; nothing without embeddings.

        Less its names where the walk started on them. Where there was no walk, nothing else speaks for the names.
        """
        embedder = asked.embedder
        if embedder is None or not candidates or not asked.weights.uses("similarity"):
            return {}

        def compare() -> list[LegHit]:
            whole, remainder = embeddings.question.result(), embeddings.remainder.result()
            compared = whole if whole is not None and not walked.hits else remainder
            if compared is None:
                return []
            found = run.timed(
                "similarity",
                lambda: self._vectors.search(
                    asked.scope.tenant,
                    "chunks",
                    compared,
                    using=embedder.model,
                    limit=len(candidates),
                    among=candidates,
                    exact=True,
                    timeout=asked.scope.timeout,
                ),
            )
            return [LegHit(point.id, point.score) for point in found]

        return {hit.chunk: hit.score for hit in run.result("similarity", run.start(compare)) or ()}

    def _judge(self, run: Run, asked: _Query, decided: Plan, fused: Sequence[FusedHit], walked: Walked) -> Judged:
        """Let the cross-encoder order the first hits; what metadata alone found has no order that a question could better."""
        if self._cross_encoder is None or decided.mode == "metadata_only" or not asked.weights.uses(STEP):
            return Judged(fused)
        tenant = asked.scope.tenant
        return self._cross_encoder.judge(
            run,
            asked.scope.text,
            fused,
            lambda first: describe_hits(self._graph, tenant, first, walked, limit=len(first)),
        )

    def _filtered(self, asked: _Query, fused: Sequence[FusedHit]) -> list[FusedHit]:
        """Return what satisfies the filter and no leg named: asked by metadata alone, the filter itself is an answer."""
        named = {hit.chunk for hit in fused}
        rest = [hit for hit in name_legs.filtered(self._graph, asked.scope) if hit.chunk not in named]
        return [FusedHit(hit.chunk, hit.score, 0.0, {}, Rerank(0.0, 0.0)) for hit in rest]

    def _rankings(self, tenant: str, run: Run, fused: Sequence[FusedHit]) -> dict[str, tuple[Ranked, ...]]:
        lists: dict[str, Sequence[LegHit]] = {**run.lists, "fused": [LegHit(hit.chunk, hit.score) for hit in fused]}
        return locate(self._graph, tenant, lists)


def _embed_question(run: Run, text: str, embedder: Embedder | None) -> "Future[Vector | None]":
    """Begin to embed the question; None comes where nothing asks with it."""
    return run.start(lambda: run.timed("embedding", lambda: embedder.embed_query(text)) if embedder else None)


def _response(
    asked: _Query,
    run: Run,
    decided: Plan,
    confidence: Confidence,
    hits: tuple[Hit, ...],
    *,
    read: Mapping[str, int],
    rankings: Mapping[str, tuple[Ranked, ...]],
) -> QueryResponse:
    known, intent, answered = asked.known, asked.intent, run.answered(decided.legs)
    return QueryResponse(
        query=asked.request.text,
        hits=hits,
        intent=intent.shown(),
        weights=_shown_weights(asked.weights, confidence),
        names={known.names[entity]: round(weight, 4) for entity, weight in known.seeds.weights.items()},
        retrieval_mode=decided.mode,
        retrieval_path=answered,
        retrieval_reason=reason(decided, asked.request, known.seeds, answered),
        degraded=tuple(dict.fromkeys(run.degraded)),
        # A search that was given up may still end and note its time.
        timings=dict(run.timings),
        effort=reported(
            Work(len(run.lists), STEPS if read["mentions"] else 0, sum(read.values())),
            names=len(known.seeds.weights),
            **read,
        ),
        rankings=rankings,
        strategies=_strategies(asked.request, decided),
    )


def _strategies(request: QueryRequest, decided: Plan) -> dict[str, tuple[str, ...]]:
    ways: dict[str, tuple[str, ...]] = {"tags": (request.tag_strategy,), "paths": request.path_strategies}
    shown: dict[str, tuple[str, ...]] = {leg: way for leg, way in ways.items() if leg in decided.legs}
    return {**shown, "filter": tuple(sorted(fields_of(request.where)))} if request.where else shown


def _shown_weights(weights: FusionWeights, confidence: Confidence) -> dict[str, float]:
    return {**weights.shown(LEGS), "confidence.graph": confidence.graph, "confidence.lists": confidence.lists}
