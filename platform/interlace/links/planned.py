"""Planned search among documents: the search pipeline with two lists, the best chunks and the names of documents, boosted by links.

The pipeline of questions understands the query, chooses the legs and ranks chunks. Documents whose names hold words of the query form a
second list, those with more links first. Both are fused by rank, and precise matches are boosted. ``vector_only`` uses vectors alone.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TypeAlias

from interlace.domain.filters import OF_CHUNKS, Filter, fields_of
from interlace.domain.hits import MAX_LIMIT, PROXIMITY, Hit, QueryRequest, QueryResponse, SearchQuestions
from interlace.links.options import SearchOptions
from interlace.links.ranking import Boost, NameMatch, boosts, rank_names, word_shares
from interlace.links.schemas import (
    SCHEMA_VERSION,
    ChunkEvidence,
    LinkedHit,
    NameEvidence,
    SearchAnswer,
    UsedOptions,
    UsedPolicy,
)
from interlace.links.stems import stem_keys
from interlace.ports.links import LinkedDocument, LinkGraph
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.execution import Run
from interlace.search.fuse import reciprocal_ranks
from interlace.search.limits import check_range
from interlace.search.pipeline import SearchPipeline
from interlace.search.profile import LinkProfile
from interlace.settings import QuerySettings
from interlace.text.tokenizer import content_words

# Documents have several chunks among the hits, so this many hits are requested for each document wanted.
_HITS = 3

Matching = Callable[[str, Sequence[str], Filter], Collection[str]]


@dataclass(frozen=True, slots=True)
class LinkContext:
    """What the calls of the link graph need.

    Args:
        links: the links.
        search: answers a tenant's question.
        matching: returns which of some documents of a tenant satisfy a filter.
        profile: bounds and weights of links.
        query: weights and ceilings of queries.
    """

    links: LinkGraph
    search: SearchQuestions
    matching: Matching
    profile: LinkProfile
    query: QuerySettings


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A planned search: the query, how many documents are wanted, and how to search."""

    query: str
    limit: int
    options: SearchOptions


@dataclass(frozen=True, slots=True)
class UnderstoodPlannedRequest:
    """A planned search with the question that it asks."""

    tenant: str
    request: PlannedRequest
    question: QueryRequest


@dataclass(frozen=True, slots=True)
class RetrievedDocuments:
    """What was found: the answer to the question, document to its best chunk, document to its match by name, and the weights."""

    answer: QueryResponse
    chunks: Mapping[str, Hit]
    names: Mapping[str, NameMatch]
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Documents, best first, and what each gains by links and names."""

    documents: Sequence[FusedCandidate]
    boosts: Mapping[str, Boost]


@dataclass(frozen=True, slots=True)
class PlannedStages:
    """The stages of a planned search."""

    context: LinkContext

    def understand(self, run: Run, tenant: str, request: PlannedRequest) -> UnderstoodPlannedRequest:
        """Check the limit and build the question, whose own pipeline understands the text."""
        del run
        check_range("limit", request.limit, MAX_LIMIT)
        options = request.options
        question = QueryRequest(
            request.query,
            mode=options.mode,
            limit=min(request.limit * _HITS, MAX_LIMIT),
            where=options.where,
            # Links boost documents later; if they also boosted chunks, they would count twice.
            without=frozenset({PROXIMITY}),
            model=options.model,
            policy=options.policy,
        )
        return UnderstoodPlannedRequest(tenant, request, question)

    def plan(self, query: UnderstoodPlannedRequest) -> bool:
        """Return whether names count."""
        return query.question.mode != "vector_only"

    def retrieve(self, run: Run, query: UnderstoodPlannedRequest, plan: bool) -> RetrievedDocuments:
        """Ask the question, and find documents by their names."""
        answer = run.timed("chunks", lambda: self.context.search(query.tenant, query.question))
        matches = run.timed("names", lambda: self._names(query)) if plan else []
        chunks: dict[str, Hit] = {}
        for hit in answer.hits:
            chunks.setdefault(hit.document_id, hit)
        weights = {
            "chunks": 1.0,
            "names": self.context.query.weights.paths if plan else 0.0,
            "proximity": answer.weights.get("proximity", 1.0) if plan else 0.0,
        }
        return RetrievedDocuments(answer, chunks, {match.document: match for match in matches}, weights)

    def fuse(self, query: UnderstoodPlannedRequest, found: RetrievedDocuments) -> list[FusedCandidate]:
        """Fuse both lists by rank."""
        del query
        lists = {
            "chunks": [Candidate(document, hit.score) for document, hit in found.chunks.items()],
            "names": [Candidate(match.document, match.score) for match in found.names.values()],
        }
        return reciprocal_ranks(lists, found.weights)

    def rerank(
        self, run: Run, query: UnderstoodPlannedRequest, found: RetrievedDocuments, fused: list[FusedCandidate]
    ) -> RankedDocuments:
        """Boost documents that are linked with others, or whose names hold the query's words."""
        order, proximity = [each.id for each in fused], found.weights["proximity"]
        pairs = (
            run.timed(
                "links",
                lambda: self.context.links.adjacent(query.tenant, order, "both", self.context.profile.fan_out),
            )
            if proximity
            else []
        )
        gains = boosts(order, found.names, pairs, proximity=proximity, profile=self.context.profile)
        ranked = sorted(fused, key=lambda each: (-each.score * gains[each.id].factor, each.id))
        return RankedDocuments(ranked, gains)

    def present(
        self, run: Run, query: UnderstoodPlannedRequest, found: RetrievedDocuments, ranked: RankedDocuments
    ) -> SearchAnswer:
        """Describe the first documents; those that are missing from the graph are left out."""
        del run
        first = ranked.documents[: query.request.limit]
        known = self.context.links.read_documents(query.tenant, [each.id for each in first])
        return SearchAnswer(
            schema_version=SCHEMA_VERSION,
            query=query.request.query,
            search_options=self._used(query.request, found),
            hits=tuple(
                LinkedHit(
                    id=each.id,
                    title=known[each.id].title,
                    source_uri=known[each.id].source_uri,
                    rank=rank,
                    score=each.score * ranked.boosts[each.id].factor,
                    boost=ranked.boosts[each.id].factor,
                    linked_with=ranked.boosts[each.id].linked_with,
                    names=_name_evidence(each, found.names),
                    chunk=_chunk_evidence(each, found.chunks),
                )
                for rank, each in enumerate((each for each in first if each.id in known), 1)
            ),
        )

    def _names(self, query: UnderstoodPlannedRequest) -> list[NameMatch]:
        # A filter on sections selects chunks; names belong to documents.
        where, tenant = query.request.options.where, query.tenant
        if where is not None and not OF_CHUNKS.isdisjoint(fields_of(where)):
            return []
        found = self._found_by_name(query)
        allowed = set(self.context.matching(tenant, found, where) if where and found else found)
        known = self.context.links.read_documents(tenant, [document for document in found if document in allowed])
        return rank_names(self._shares(query, known), known, self.context.profile)

    def _found_by_name(self, query: UnderstoodPlannedRequest) -> list[str]:
        """Return the documents whose names may match."""
        links, tenant, text = self.context.links, query.tenant, query.request.query
        match, most = query.request.options.match, self.context.profile.candidates
        if match == "regex":
            return links.match_names(tenant, text, most)
        if match == "exact":
            return list(dict.fromkeys(chain.from_iterable(links.resolve(tenant, stem_keys(text), most).values())))
        return links.search_names(tenant, content_words(text), most, fuzzy=match == "fuzzy")

    def _shares(self, query: UnderstoodPlannedRequest, known: Mapping[str, LinkedDocument]) -> Mapping[str, float]:
        match = query.request.options.match
        if match in ("exact", "regex"):
            return dict.fromkeys(known, 1.0)
        return word_shares(content_words(query.request.query), known, fuzzy=match == "fuzzy")

    def _used(self, request: PlannedRequest, found: RetrievedDocuments) -> UsedOptions:
        profile, answer = self.context.profile, found.answer
        links = {"incoming": profile.incoming, "outgoing": profile.outgoing, "precision": profile.precision}
        return UsedOptions(
            mode=request.options.mode,
            match=request.options.match,
            policy=UsedPolicy(**asdict(request.options.policy)) if request.options.policy else None,
            limit=request.limit,
            filtered=request.options.where is not None,
            model=request.options.model,
            retrieval_mode=answer.retrieval_mode,
            retrieval_path=answer.retrieval_path,
            retrieval_reason=answer.retrieval_reason,
            intent=answer.intent,
            weights={**found.weights, **links},
            degraded=answer.degraded,
            effort=answer.effort,
        )


PlannedSearch: TypeAlias = SearchPipeline[
    PlannedRequest, UnderstoodPlannedRequest, bool, RetrievedDocuments, RankedDocuments, SearchAnswer
]
"""Finds documents."""


def _name_evidence(each: FusedCandidate, names: Mapping[str, NameMatch]) -> NameEvidence | None:
    if "names" not in each.legs:
        return None
    match = names[each.id]
    return NameEvidence(rank=each.legs["names"].rank, match=match.match, degree=match.degree)


def _chunk_evidence(each: FusedCandidate, chunks: Mapping[str, Hit]) -> ChunkEvidence | None:
    if "chunks" not in each.legs:
        return None
    hit = chunks[each.id]
    return ChunkEvidence(
        rank=each.legs["chunks"].rank,
        chunk_id=hit.chunk_id,
        section=hit.section,
        text=hit.text,
        legs={leg.leg: leg.rank for leg in hit.legs},
    )
