"""The rerank stage of questions: PageRank, similarity and links decide, then the cross-encoder, where one is chosen."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interlace.domain.hits import PROXIMITY, Hit
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import VectorIndex
from interlace.queries.chunks import locate_chunks
from interlace.search.boosts import NO_BOOSTS, BoostReader, Boosts
from interlace.search.candidates import Candidate, Features, FusedCandidate, LinkedCandidate, RankedCandidate
from interlace.search.confidence import Confidence
from interlace.search.cross_encoder import CROSS_ENCODER, CrossEncoder
from interlace.search.execution import Run, Task
from interlace.search.fuse import pool, unique
from interlace.search.legs.first_chunks import filter_matches
from interlace.search.plan import WITHOUT_GRAPH_STEPS
from interlace.search.profile import PROFILE, RankingProfile, RerankProfile
from interlace.search.proximity import NO_LINKS, ChunkLinks, link_scale, linked_candidates, read_links
from interlace.search.retrieve import Retrieved
from interlace.search.scoring import rerank_features, softmax, unlinked_features
from interlace.search.understand import UnderstoodQuery
from interlace.search.weights import FusionWeights

Describe = Callable[[Sequence[RankedCandidate]], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class RerankEvidence:
    """What the rerank knows of a query beside its fused list.

    Args:
        weights: the query's weights.
        confidence: how much the graph and the fused list count.
        graph: candidate to PageRank probability.
        similarity: candidate to cosine with the residual query; empty without embeddings.
        keyword: candidate to BM25 score; empty where the keyword leg has not run.
        documents: candidate to its document, where no entity is linked.
        linked: whether the query names an entity: then the residual query is less than the whole.
        links: links among the documents of the candidates.
        link_scale: precision times proximity (``link_scale``).
        boosts: the optional boosts that count.
    """

    weights: FusionWeights
    confidence: Confidence
    graph: Mapping[str, float]
    similarity: Mapping[str, float]
    keyword: Mapping[str, float] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    linked: bool = True
    links: ChunkLinks = NO_LINKS
    link_scale: float = 0.0
    boosts: Boosts = NO_BOOSTS

    @property
    def graph_counts(self) -> bool:
        """Whether PageRank decides; a query may leave it out. From no entity it only repeats the first-stage chunks that it restarts from."""
        wanted = self.weights.uses("graph_rerank") and self.weights.of_leg("graph") > 0
        return wanted and (self.linked or not self.keyword)

    @property
    def trust(self) -> float:
        """How much the order follows the graph; a query may leave the doubt out."""
        return self.confidence.trust if self.weights.uses("trust") else 1.0


def rank(
    fused: Sequence[FusedCandidate], evidence: RerankEvidence, profile: RerankProfile = PROFILE.rerank
) -> list[RankedCandidate]:
    """Order fused candidates by their features, ties by id; scores are probabilities by softmax.

    Args:
        fused: the fused list.
        evidence: what else is known.
        profile: constants.
    """
    features = {
        each: replace(terms, boosts=evidence.boosts.terms(each)) if evidence.boosts.values else terms
        for each, terms in _features({each.id: each.score for each in fused}, evidence, profile).items()
    }
    linked: dict[str, LinkedCandidate] = {}
    if evidence.links.pairs:
        order = sorted(features, key=lambda each: (-features[each].score, each))
        linked = linked_candidates(order, evidence.links)
    for each, link in linked.items():
        features[each] = replace(features[each], proximity=math.log1p(evidence.link_scale * link.nearness))
    probability = softmax({each: terms.score for each, terms in features.items()})
    ranked = [
        RankedCandidate(
            each.id,
            probability[each.id],
            each.legs,
            features[each.id],
            _figures(each, evidence, linked.get(each.id)),
            linked.get(each.id),
        )
        for each in fused
    ]
    return sorted(ranked, key=lambda each: (-each.features.score, each.id))


def _features(fused: Mapping[str, float], evidence: RerankEvidence, profile: RerankProfile) -> dict[str, Features]:
    weights = evidence.weights
    scales = {
        "keyword_scale": weights.keyword,
        "graph_scale": weights.graph_rerank,
        "similarity_scale": weights.vector,
    }
    # PageRank without an entity is all that is there where the caller asked for the graph alone.
    if not evidence.linked and not (evidence.graph and evidence.graph_counts):
        return unlinked_features(
            fused, evidence.similarity, evidence.keyword, evidence.documents, profile=profile, **scales
        )
    return rerank_features(
        fused,
        evidence.graph if evidence.graph_counts else {},
        evidence.similarity,
        evidence.keyword,
        fused_weight=evidence.confidence.fused,
        trust=evidence.trust,
        profile=profile,
        **scales,
    )


def _figures(each: FusedCandidate, evidence: RerankEvidence, link: LinkedCandidate | None) -> dict[str, float]:
    known = {
        "rrf": each.score,
        "pagerank": evidence.graph.get(each.id) if evidence.graph_counts else None,
        "similarity": evidence.similarity.get(each.id),
        "nearness": link.nearness if link else None,
    }
    return {**{name: value for name, value in known.items() if value is not None}, **evidence.boosts.figures(each.id)}


def _doubt(query: UnderstoodQuery, confidence: Confidence) -> float:
    """Return how far the graph is doubted, 0 to 1; 0 where no entity is linked, because then it has not been asked."""
    doubted = query.entities.seeds.matches and query.weights.uses("trust")
    return 1 - confidence.trust if doubted else 0.0


class QuestionReranker:
    """Gathers the evidence and reranks.

    Args:
        graph: the graph, for links.
        vectors: the vector index, for similarities.
        profile: constants.
        cross_encoder: reorders the first candidates; none if none is chosen.
        half_life: days in which a recent document's boost halves; none where age does not count.
    """

    def __init__(
        self,
        graph: GraphDatabase,
        vectors: VectorIndex,
        profile: RankingProfile,
        cross_encoder: CrossEncoder | None,
        half_life: float | None = None,
    ) -> None:
        self._graph = graph
        self._vectors = vectors
        self._profile = profile
        self._cross_encoder = cross_encoder
        self._boosts = BoostReader(graph, profile, half_life)

    def rerank(
        self,
        run: Run,
        query: UnderstoodQuery,
        found: Retrieved,
        fused: Sequence[FusedCandidate],
        confidence: Confidence,
        describe: Describe,
    ) -> tuple[list[RankedCandidate], int]:
        """Return the ranked candidates, and the number of links that were read."""
        candidates = pool(found.lists, self._profile.rerank.compared)
        scale = link_scale(query.weights, found.plan.mode, self._profile.links)
        links = self._start_links(run, query, candidates) if scale and candidates else None
        documents = self._start_documents(run, query, candidates)
        similarity = self._similarity(run, query, found, candidates)
        known = (run.wait(PROXIMITY, links) if links else None) or NO_LINKS
        graph = found.lists.get("graph", ())
        evidence = RerankEvidence(
            query.weights,
            confidence,
            {each.id: each.score for each in unique(graph)},
            similarity,
            {each.id: each.score for each in unique(found.lists.get("keyword", ()))},
            (run.wait("documents", documents) if documents else None) or {},
            bool(query.entities.seeds.matches),
            known,
            scale,
            self._boosts.read(run, query, found, candidates, _doubt(query, confidence)),
        )
        ranked = run.timed("rerank", lambda: rank(fused, evidence, self._profile.rerank))
        if found.plan.mode == "metadata_only":
            # Asked by metadata alone, the filter itself is an answer, and a question has nothing to reorder.
            return ranked + self._filter_matches(query, ranked), len(known.pairs)
        if self._cross_encoder and query.weights.uses(CROSS_ENCODER):
            ranked = self._cross_encoder.rerank(run, query.scope.text, ranked, describe)
        return ranked, len(known.pairs)

    def _start_links(self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]) -> Task[ChunkLinks]:
        scope, profile = query.scope, self._profile
        first = candidates[: profile.rerank.linked]
        return run.start(
            PROXIMITY, lambda: read_links(self._graph, scope.tenant, first, profile.links, timeout=scope.timeout)
        )

    def _start_documents(
        self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]
    ) -> Task[Mapping[str, str]] | None:
        """Start to read the documents of the candidates, where they count: without an entity."""
        alone = query.request.mode in WITHOUT_GRAPH_STEPS
        if alone or query.entities.seeds.matches or not candidates or not query.weights.uses("documents"):
            return None
        tenant, timeout = query.scope.tenant, query.scope.timeout
        return run.start(
            "documents",
            lambda: {
                row.id: row.document_id
                for row in locate_chunks(self._graph, tenant=tenant, ids=list(candidates), timeout=timeout)
            },
        )

    def _similarity(
        self, run: Run, query: UnderstoodQuery, found: Retrieved, candidates: Sequence[str]
    ) -> dict[str, float]:
        """Return the cosine of each candidate with the residual query; nothing without embeddings.

        Where the graph leg returned nothing, nothing else stands for the entities, so the whole query is compared.
        """
        embedder = query.embedder
        if embedder is None or not candidates or found.residual is None:
            return {}
        compared = found.residual if found.lists.get("graph") or found.embedding is None else found.embedding
        vector = run.wait("residual", compared, degrades=("similarity",))
        if vector is None:
            return {}
        scope = query.scope
        searching = run.start(
            "similarity",
            lambda: self._vectors.search(
                scope.tenant,
                "chunks",
                vector,
                using=embedder.model,
                limit=len(candidates),
                among=candidates,
                exact=True,
                timeout=scope.timeout,
            ),
        )
        return {point.id: point.score for point in run.wait("similarity", searching) or ()}

    def _filter_matches(self, query: UnderstoodQuery, ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        named = {each.id for each in ranked}
        rest: list[Candidate] = [
            each for each in filter_matches(self._graph, query.scope, query.request.sort) if each.id not in named
        ]
        return [RankedCandidate(each.id, each.score, {}, Features(0.0, 0.0), {"rrf": 0.0}) for each in rest]
