"""The rerank stage of questions: PageRank, similarity and links decide, then the cross-encoder, where one is chosen."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interlace.domain.hits import PROXIMITY, Hit
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import SparseVector, VectorIndex, windows_of
from interlace.queries.chunks import locate_chunks
from interlace.search.boosts import NO_BOOSTS, BoostReader, Boosts
from interlace.search.candidates import Candidate, Features, FusedCandidate, LinkedCandidate, RankedCandidate
from interlace.search.confidence import Confidence, meaning
from interlace.search.cross_encoder import CROSS_ENCODER, CrossEncoder
from interlace.search.execution import Run, Task
from interlace.search.feedback import feedback, gains
from interlace.search.fuse import pool, unique
from interlace.search.identifiers import identifiers, shares_held
from interlace.search.legs.first_chunks import filter_matches
from interlace.search.plan import WITHOUT_GRAPH_STEPS, Plan
from interlace.search.profile import PROFILE, RankingProfile, RerankProfile
from interlace.search.proximity import NO_LINKS, ChunkLinks, link_scale, linked_candidates, read_links
from interlace.search.redundancy import redundant
from interlace.search.retrieve import Retrieved
from interlace.search.scoring import Scales, blended, rerank_features, softmax, unlinked_features
from interlace.search.seeds import SeedMatch
from interlace.search.understand import UnderstoodQuery, embedded
from interlace.search.weights import FusionWeights
from interlace.text.dates import dates_in, outside_dates
from interlace.text.stop_words import ANSWER_STOP_WORDS
from interlace.text.tokenizer import content_words

_HAPPENING = frozenset({"passiert", "passierte", "paso"})

Describe = Callable[[Sequence[RankedCandidate]], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class RerankEvidence:
    """What the rerank knows about a query in addition to its fused list.

    Args:
        weights: the query's weights.
        confidence: how much the graph and the fused list count.
        similarity: candidate to cosine with the residual query; empty without embeddings.
        whole: candidate to cosine with the whole query; empty without the vector leg, which embeds it.
        keyword: candidate to BM25 score; empty where the keyword leg has not run.
        documents: candidate to its document, where the text alone may decide.
        linked: whether the query names an entity: then the residual query is less than the whole.
        links: links among the documents of the candidates.
        link_scale: precision times proximity (``link_scale``).
        boosts: the optional boosts that count.
        reached: the candidates of the graph leg by id, with their paths and PageRank probabilities.
        matches: the entities in the question.
        terms: candidate to its BM25 terms, where no entity is linked or the question has identifiers.
        identifiers: term ids of each identifier in the question.
    """

    weights: FusionWeights
    confidence: Confidence
    similarity: Mapping[str, float]
    whole: Mapping[str, float] = field(default_factory=dict)
    keyword: Mapping[str, float] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    linked: bool = True
    links: ChunkLinks = NO_LINKS
    link_scale: float = 0.0
    boosts: Boosts = NO_BOOSTS
    reached: Mapping[str, Candidate] = field(default_factory=dict)
    matches: Sequence[SeedMatch] = ()
    terms: Mapping[str, SparseVector] = field(default_factory=dict)
    identifiers: Sequence[frozenset[int]] = ()

    @property
    def pagerank(self) -> dict[str, float]:
        """Candidate to PageRank probability; those that the graph leg did not reach are missing."""
        return {chunk_id: each.score for chunk_id, each in self.reached.items()}

    @property
    def graph_counts(self) -> bool:
        """Whether PageRank decides; a query may leave it out. Without an entity it only repeats the first-stage chunks of its restart."""
        wanted = self.weights.uses("graph_rerank") and self.weights.of_leg("graph") > 0
        return wanted and (self.linked or not self.keyword)

    @property
    def trust(self) -> float:
        """How much the order follows the graph; a query may switch the doubt off."""
        return self.confidence.trust if self.weights.uses("trust") else 1.0

    def redundancy_penalty(self, profile: RerankProfile) -> float:
        """Return what a candidate loses that only mentions an entity whose own document comes first."""
        scale = self.weights.graph_rerank if self.weights.uses("redundancy") else 0.0
        return profile.redundancy * scale * self.trust if self.reached else 0.0

    def by_text(self, profile: RerankProfile) -> float:
        """Return how far the text alone decides although entities are linked, 0 to 1; nothing without words to compare."""
        meaning = self.confidence.meaning
        titled = any(match.title for match in self.matches)
        share = (profile.meaning_trusted if titled else profile.meaning_untitled) * meaning**2
        trust = self.trust * (1 - share)
        return (1 - trust) * meaning if self.keyword else 0.0


def rank(
    fused: Sequence[FusedCandidate], evidence: RerankEvidence, profile: RerankProfile = PROFILE.rerank
) -> list[RankedCandidate]:
    """Order fused candidates by their features, ties by id; scores are probabilities by softmax."""
    if not evidence.graph_counts:
        evidence = replace(evidence, reached={})
    features = {
        each: terms._replace(boosts=evidence.boosts.terms(each)) if evidence.boosts.values else terms
        for each, terms in _features({each.id: each.score for each in fused}, evidence, profile).items()
    }
    held = shares_held(evidence.identifiers, evidence.terms)
    for each in features.keys() & held.keys():  # a leg without weight has candidates, too
        features[each] = features[each].boosted("identifiers", profile.identifiers * held[each])
    totals = {each: terms.score for each, terms in features.items()}
    resembles = not evidence.linked and evidence.weights.uses("feedback")
    shared_terms = feedback(totals, evidence.terms, profile.feedback) if resembles else {}
    for each, gain in gains(totals, shared_terms, profile.feedback).items():
        features[each] = features[each].boosted("feedback", gain)
    linked = linked_candidates(_order(features), evidence.links) if evidence.links.pairs else {}
    for each, link in linked.items():
        features[each] = features[each]._replace(proximity=math.log1p(evidence.link_scale * link.nearness))
    if penalty := evidence.redundancy_penalty(profile):
        for each in redundant(_order(features), evidence.reached, evidence.matches):
            features[each] = features[each].boosted("redundancy", -penalty)
    scores = {each: terms.score for each, terms in features.items()}
    probability = softmax(scores)
    ranked = [
        RankedCandidate(
            each.id,
            probability[each.id],
            each.legs,
            features[each.id],
            _figures(each, evidence, linked.get(each.id), shared_terms.get(each.id)),
            linked.get(each.id),
        )
        for each in fused
    ]
    return sorted(ranked, key=lambda each: (-scores[each.id], each.id))


def _order(features: Mapping[str, Features]) -> list[str]:
    return sorted(features, key=lambda each: (-features[each].score, each))


def _features(fused: Mapping[str, float], evidence: RerankEvidence, profile: RerankProfile) -> dict[str, Features]:
    weights = evidence.weights
    scales = Scales(weights.graph_rerank, weights.vector, weights.keyword, evidence.confidence.language)
    # Where the caller asked for the graph alone, PageRank without an entity is the only evidence.
    if not evidence.linked and not evidence.reached:
        return unlinked_features(
            fused, evidence.similarity, evidence.keyword, evidence.documents, profile=profile, scales=scales
        )
    found = rerank_features(
        fused,
        evidence.pagerank,
        evidence.similarity,
        evidence.keyword,
        evidence.whole,
        fused_weight=evidence.confidence.fused,
        trust=evidence.trust,
        profile=profile,
        scales=scales,
    )
    if not (share := evidence.by_text(profile)):
        return found
    text = unlinked_features(
        fused, evidence.whole, evidence.keyword, evidence.documents, profile=profile, scales=scales
    )
    return blended(found, text, share)


def _figures(
    each: FusedCandidate, evidence: RerankEvidence, link: LinkedCandidate | None, shared_terms: float | None
) -> dict[str, float]:
    reached = evidence.reached.get(each.id)
    known = {
        "rrf": each.score,
        "pagerank": reached.score if reached else None,
        "similarity": evidence.similarity.get(each.id),
        "question_similarity": evidence.whole.get(each.id),
        "nearness": link.nearness if link else None,
        "shared_terms": shared_terms,
    }
    return {**{name: value for name, value in known.items() if value is not None}, **evidence.boosts.figures(each.id)}


def _identifiers(query: UnderstoodQuery) -> list[frozenset[int]]:
    return identifiers(query.scope.text, [(each.start, each.end) for each in query.entities.seeds.matches])


def _asks_for_a_day(text: str) -> bool:
    """Return whether a question names a day and nothing else: *what happened on 2 April 2025*."""
    if not any(date.day for date in dates_in(text)):
        return False
    return set(content_words(outside_dates(text))) <= _HAPPENING | ANSWER_STOP_WORDS


@dataclass(frozen=True, slots=True)
class QuestionReranker:
    """Gathers the evidence and reranks.

    Args:
        graph: the graph, for links.
        vectors: the vector index, for similarities.
        profile: constants.
        boosts: reads what the boosts need.
        cross_encoder: reorders the first candidates; none if none is chosen.
    """

    graph: GraphDatabase
    vectors: VectorIndex
    profile: RankingProfile
    boosts: BoostReader
    cross_encoder: CrossEncoder | None

    def rerank(
        self,
        run: Run,
        query: UnderstoodQuery,
        retrieved: Retrieved,
        fused: Sequence[FusedCandidate],
        confidence: Confidence,
        describe: Describe,
    ) -> tuple[list[RankedCandidate], int, Confidence]:
        """Return the ranked candidates, the number of links that were read, and the confidence behind the order."""
        candidates = pool(retrieved.lists, self.profile.rerank.compared)
        scale = link_scale(query.weights, retrieved.plan.mode, self.profile.links)
        links = self._start_links(run, query, candidates) if scale and candidates else None
        linked = bool(query.entities.seeds.matches)
        # Without an entity documents always count, so they are read in parallel with the comparison.
        documents = None if linked else self._start_documents(run, query, candidates)
        names = _identifiers(query) if query.weights.uses("identifiers") else []
        terms = self._start_terms(run, query, retrieved.plan, candidates, names)
        doubt = 1 - confidence.trust if linked and query.weights.uses("trust") else 0.0  # unlinked, no graph is asked
        reads = self.boosts.start(run, query, retrieved, candidates, doubt)
        similarity, whole = self._similarities(run, query, retrieved, candidates)
        model = query.embedder.model if query.embedder else ""
        confidence = replace(confidence, meaning=confidence.language * meaning(whole, model, self.profile.rerank))
        evidence = RerankEvidence(
            query.weights,
            confidence,
            similarity,
            whole,
            {each.id: each.score for each in unique(retrieved.lists.get("keyword", ()))},
            linked=linked,
            link_scale=scale,
            reached={each.id: each for each in unique(retrieved.lists.get("graph", ()))},
            matches=query.entities.seeds.matches,
        )
        if linked and evidence.trust < 1 and evidence.by_text(self.profile.rerank):
            documents = self._start_documents(run, query, candidates)
        # Where the text has meaning, the order follows that instead of the words.
        boosts = self.boosts.finish(run, query, retrieved, reads, doubt * (1 - confidence.meaning))
        known = (run.wait(PROXIMITY, links) if links else None) or NO_LINKS
        located = (run.wait("documents", documents) if documents else None) or {}
        of_candidates = (run.wait("terms", terms) if terms else None) or {}
        evidence = replace(
            evidence, documents=located, terms=of_candidates, identifiers=names, links=known, boosts=boosts
        )
        ranked = run.timed("rerank", lambda: rank(fused, evidence, self.profile.rerank))
        if retrieved.plan.mode == "metadata_only":  # the filter is the answer, and there is no question to reorder by
            ranked += self._filter_matches(query, ranked)
        elif self.cross_encoder and query.weights.uses(CROSS_ENCODER):
            ranked = self.cross_encoder.rerank(run, query.scope.text, ranked, describe)
        return ranked, len(known.pairs), confidence

    def _start_links(self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]) -> Task[ChunkLinks]:
        scope, profile = query.scope, self.profile
        first = candidates[: profile.rerank.linked]
        return run.start(
            PROXIMITY, lambda: read_links(self.graph, scope.tenant, first, profile.links, timeout=scope.timeout)
        )

    def _start_documents(
        self, run: Run, query: UnderstoodQuery, candidates: Sequence[str]
    ) -> Task[Mapping[str, str]] | None:
        """Start to read the documents of the candidates."""
        alone = query.request.mode in WITHOUT_GRAPH_STEPS
        if alone or not candidates or not query.weights.uses("documents"):
            return None
        tenant, timeout = query.scope.tenant, query.scope.timeout

        def read() -> Mapping[str, str]:
            rows = locate_chunks(self.graph, tenant=tenant, ids=list(candidates), timeout=timeout)
            found = {row.id: row.document_id for row in rows}
            # In the order of the candidates, because scores are summed.
            return {each: found[each] for each in candidates if each in found}

        return run.start("documents", read)

    def _start_terms(
        self, run: Run, query: UnderstoodQuery, plan: Plan, candidates: Sequence[str], names: Sequence[frozenset[int]]
    ) -> Task[Mapping[str, SparseVector]] | None:
        """Start to read the terms of the first candidates, if identifiers or feedback compare them; a leg that answers alone keeps its order."""
        compared = names or (not query.entities.seeds.matches and query.weights.uses("feedback"))
        if not (compared and {"keyword"} < set(plan.legs) and candidates):
            return None
        tenant, timeout = query.scope.tenant, query.scope.timeout
        first = candidates[: self.profile.rerank.feedback.compared]
        return run.start(
            "terms", lambda: self.vectors.sparse_vectors(tenant, "chunks", first, using="bm25", timeout=timeout)
        )

    def _similarities(
        self, run: Run, query: UnderstoodQuery, retrieved: Retrieved, candidates: Sequence[str]
    ) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Return the cosine of each candidate with the residual and with the whole query; nothing without embeddings.

        Where the graph leg returned nothing, nothing else represents the entities, so both use the whole query, and a chunk is
        as near as its nearest window. Beside the graph leg, whole chunks are compared: what it returns are links between them. A question
        that says no more than a day means any day: what is written of that one is found by its date.
        """
        embedder, scope = query.embedder, query.scope
        if not candidates or retrieved.residual is None or embedder is None or _asks_for_a_day(scope.text):
            return {}, {}
        whole = embedded(run, "embedding", retrieved.embedding)
        alone = retrieved.residual is retrieved.embedding or not retrieved.lists.get("graph")
        residual = whole if alone and whole is not None else embedded(run, "residual", retrieved.residual)
        asked = {"whole": whole} if residual is whole else {"residual": residual, "whole": whole}
        vectors = {name: vector for name, vector in asked.items() if vector is not None}
        if not vectors:
            return {}, {}
        model = windows_of(embedder.model) if residual is whole else embedder.model
        task = run.start(
            "similarity",
            lambda: self.vectors.cosines(
                scope.tenant, "chunks", list(vectors.values()), candidates, using=model, timeout=scope.timeout
            ),
        )
        cosines = dict(zip(vectors, run.wait("similarity", task) or (), strict=False))
        of_whole = cosines.get("whole", {})
        return of_whole if residual is whole else cosines.get("residual", {}), of_whole

    def _filter_matches(self, query: UnderstoodQuery, ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        named = {each.id for each in ranked}
        rest: list[Candidate] = [
            each for each in filter_matches(self.graph, query.scope, query.request.sort) if each.id not in named
        ]
        return [RankedCandidate(each.id, each.score, {}, Features(0.0, 0.0), {"rrf": 0.0}) for each in rest]
