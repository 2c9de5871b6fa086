"""The link graph's four calls. Searches are planned and answered by the query coordinator; names and links only move documents."""

from collections.abc import Callable, Mapping, Sequence

from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.filters import Filter, fields_of
from interlace.domain.hits import PROXIMITY, Hit, QueryRequest, QueryResponse
from interlace.links.options import MOST, MOST_HOPS, SearchOptions
from interlace.links.ranking import Boost, NameMatch, boosts, rank_names
from interlace.links.schemas import (
    SCHEMA_VERSION,
    ChunkEvidence,
    DocumentRef,
    LinkedHit,
    LinkLabel,
    LinkNeighbor,
    MetadataAnswer,
    NameEvidence,
    NeighborsAnswer,
    RelatedAnswer,
    RelatedDocument,
    SearchAnswer,
    UsedOptions,
)
from interlace.links.stems import find
from interlace.links.traversal import Reached, nearness, neighbourhood
from interlace.ports.links import Direction, LinkedDocument, LinkGraph
from interlace.search.candidates import Candidate, FusedCandidate
from interlace.search.fuse import reciprocal_ranks
from interlace.search.profile import LinkProfile
from interlace.settings import QuerySettings
from interlace.text.tokenizer import content_words

# Documents have several chunks among the hits; so many hits are asked for each document wanted.
_HITS = 3

Ask = Callable[[str, QueryRequest], QueryResponse]
Matching = Callable[[str, Filter], Sequence[str]]


class LinkGraphService:
    """The calls of the link graph. One instance a process; safe for use by several threads if the link graph is.

    Args:
        links: the links.
        ask: answers a tenant's question (the query coordinator).
        matching: ids of a tenant's documents that satisfy a filter.
        profile: bounds and weights of links.
        query: weights and ceilings of queries.
    """

    def __init__(
        self, links: LinkGraph, ask: Ask, matching: Matching, profile: LinkProfile, query: QuerySettings
    ) -> None:
        self._links = links
        self._ask = ask
        self._matching = matching
        self._profile = profile
        self._query = query

    def neighbors(
        self, tenant: str, stem: str, *, direction: Direction = "both", hops: int = 1, limit: int = MOST
    ) -> NeighborsAnswer:
        """Return the documents that links lead to from the one that a stem names, nearest first.

        Raises:
            InvalidInputError: hops or limit are out of range, or the stem is ambiguous.
            NotFoundError: no document is called so.
        """
        _check("hops", hops, MOST_HOPS)
        _check("limit", limit, MOST)
        start = self._start(tenant, stem)
        # One more than wanted shows whether there are more.
        found = neighbourhood(self._links, tenant, start.id, direction, hops, self._profile, enough=limit + 1)
        shown = found.reached[:limit]
        known = self._links.read_documents(tenant, [each.document for each in shown])
        return NeighborsAnswer(
            schema_version=SCHEMA_VERSION,
            document=_ref(start),
            direction=direction,
            hops=hops,
            neighbors=tuple(_neighbor(each, known[each.document]) for each in shown if each.document in known),
            truncated=found.truncated or len(found.reached) > limit,
        )

    def related(self, tenant: str, stem: str, *, max_distance: int = 2, limit: int = 10) -> RelatedAnswer:
        """Return the documents nearest to the one that a stem names, by personalised PageRank over links of both directions.

        Raises:
            InvalidInputError: distance or limit are out of range, or the stem is ambiguous.
            NotFoundError: no document is called so.
        """
        _check("max_distance", max_distance, MOST_HOPS)
        _check("limit", limit, MOST)
        start = self._start(tenant, stem)
        found = neighbourhood(self._links, tenant, start.id, "both", max_distance, self._profile)
        scores = nearness(found)
        ranked = sorted(found.reached, key=lambda each: (-scores[each.document], each.document))[:limit]
        known = self._links.read_documents(tenant, [each.document for each in ranked])
        shown = [each for each in ranked if each.document in known]
        return RelatedAnswer(
            schema_version=SCHEMA_VERSION,
            document=_ref(start),
            max_distance=max_distance,
            related=tuple(
                RelatedDocument(
                    **_ref(known[each.document]).model_dump(),
                    rank=rank,
                    score=scores[each.document],
                    distance=each.distance,
                    path=each.path,
                )
                for rank, each in enumerate(shown, 1)
            ),
            truncated=found.truncated,
        )

    def metadata(self, tenant: str, stem: str) -> MetadataAnswer:
        """Return what is known about the document that a stem names; raises as ``neighbors``."""
        found = self._start(tenant, stem)
        return MetadataAnswer(
            schema_version=SCHEMA_VERSION,
            document=_ref(found),
            known_as=tuple(sorted(found.known_as)),
            tags=found.tags,
            media_type=found.media_type,
            checksum=found.checksum,
            version=found.version,
            indexed_at=found.indexed_at,
            metadata=found.metadata,
            incoming=found.incoming,
            outgoing=found.outgoing,
        )

    def search_planned(
        self, tenant: str, query: str, *, limit: int = 10, options: SearchOptions | None = None
    ) -> SearchAnswer:
        """Return the documents that answer a query.

        The coordinator understands it, chooses the legs and ranks chunks; documents whose names hold words of the query make a second
        list, the more linked first; both are fused by rank, and what is precise is boosted. ``vector_only`` is what vectors alone say.

        Raises:
            InvalidInputError: query, limit, filter or model cannot be.
            UnavailableError: the graph does not answer.
        """
        chosen = options or SearchOptions()
        _check("limit", limit, min(MOST, self._query.max_limit))
        wanted = min(limit * _HITS, self._query.max_limit)
        # Links boost documents below; chunks that they had boosted already would count them twice.
        asked = QueryRequest(
            query,
            mode=chosen.policy,
            limit=wanted,
            where=chosen.where,
            without=frozenset({PROXIMITY}),
            model=chosen.model,
        )
        answer = self._ask(tenant, asked)
        by_vectors = answer.retrieval_mode == "vector_only"
        names = [] if by_vectors else self._names(tenant, query, chosen.where)
        chunks: dict[str, Hit] = {}
        for hit in answer.hits:
            chunks.setdefault(hit.document_id, hit)
        weights = {"chunks": 1.0, "names": 0.0 if by_vectors else self._query.paths_weight}
        lists = {
            "chunks": [Candidate(document, hit.score) for document, hit in chunks.items()],
            "names": [Candidate(match.document, match.score) for match in names],
        }
        fused = reciprocal_ranks(lists, weights, k=self._query.rrf_k)
        proximity = 0.0 if by_vectors else answer.weights.get("proximity", 1.0)
        gains = self._gains(tenant, fused, names, proximity)
        ranked = sorted(fused, key=lambda hit: (-hit.score * gains[hit.id].factor, hit.id))
        return SearchAnswer(
            schema_version=SCHEMA_VERSION,
            query=query,
            search_options=self._used(chosen, limit, answer, {**weights, "proximity": proximity}),
            hits=self._hits(tenant, ranked[:limit], gains, chunks, {match.document: match for match in names}),
        )

    def _start(self, tenant: str, stem: str) -> LinkedDocument:
        identity = find(self._links, tenant, stem)
        found = self._links.read_documents(tenant, [identity])
        if identity not in found:
            raise NotFoundError(f"The document {stem} was deleted a moment ago.")
        return found[identity]

    def _names(self, tenant: str, query: str, where: Filter | None) -> list[NameMatch]:
        # What a filter says of sections is of chunks, and no name of a document tells of those.
        if where is not None and "section_type" in fields_of(where):
            return []
        words = content_words(query)
        found = self._links.search_names(tenant, words, self._profile.candidates)
        allowed = set(self._matching(tenant, where)) if where and found else set(found)
        known = self._links.read_documents(tenant, [document for document in found if document in allowed])
        return rank_names(words, known, self._profile)

    def _gains(
        self, tenant: str, fused: Sequence[FusedCandidate], names: Sequence[NameMatch], proximity: float
    ) -> dict[str, Boost]:
        order = [hit.id for hit in fused]
        pairs = self._links.adjacent(tenant, order, "both", self._profile.fan_out) if proximity else []
        by_name = {match.document: match for match in names}
        return boosts(order, by_name, pairs, proximity=proximity, profile=self._profile)

    def _used(
        self, chosen: SearchOptions, limit: int, answer: QueryResponse, weights: Mapping[str, float]
    ) -> UsedOptions:
        links = {"incoming": self._profile.incoming, "outgoing": self._profile.outgoing}
        return UsedOptions(
            policy=chosen.policy,
            limit=limit,
            filtered=chosen.where is not None,
            model=chosen.model,
            retrieval_mode=answer.retrieval_mode,
            retrieval_path=answer.retrieval_path,
            retrieval_reason=answer.retrieval_reason,
            intent=answer.intent,
            weights={**weights, **links, "precision": self._profile.precision},
            degraded=answer.degraded,
            effort=answer.effort,
        )

    def _hits(
        self,
        tenant: str,
        ranked: Sequence[FusedCandidate],
        gains: Mapping[str, Boost],
        chunks: Mapping[str, Hit],
        names: Mapping[str, NameMatch],
    ) -> tuple[LinkedHit, ...]:
        known = self._links.read_documents(tenant, [hit.id for hit in ranked])
        shown = [hit for hit in ranked if hit.id in known]
        return tuple(
            LinkedHit(
                **_ref(known[hit.id]).model_dump(),
                rank=rank,
                score=hit.score * gains[hit.id].factor,
                boost=gains[hit.id].factor,
                linked_with=gains[hit.id].linked_with,
                names=_name_evidence(hit, names),
                chunk=_chunk_evidence(hit, chunks),
            )
            for rank, hit in enumerate(shown, 1)
        )


def _check(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InvalidInputError(f"{name} is {value}; it must be 1 to {most}.")


def _ref(document: LinkedDocument) -> DocumentRef:
    return DocumentRef(id=document.id, title=document.title, source_uri=document.source_uri)


def _neighbor(reached: Reached, document: LinkedDocument) -> LinkNeighbor:
    return LinkNeighbor(
        **_ref(document).model_dump(),
        distance=reached.distance,
        path=reached.path,
        links=tuple(
            LinkLabel(direction="out" if pair.target == document.id else "in", kind=link.kind, anchor=link.anchor)
            for pair in reached.pairs
            for link in pair.links
        ),
    )


def _name_evidence(hit: FusedCandidate, names: Mapping[str, NameMatch]) -> NameEvidence | None:
    if "names" not in hit.legs:
        return None
    match = names[hit.id]
    return NameEvidence(rank=hit.legs["names"].rank, match=match.match, degree=match.degree)


def _chunk_evidence(hit: FusedCandidate, chunks: Mapping[str, Hit]) -> ChunkEvidence | None:
    if "chunks" not in hit.legs:
        return None
    found = chunks[hit.id]
    return ChunkEvidence(
        rank=hit.legs["chunks"].rank,
        chunk_id=found.chunk_id,
        section=found.section,
        text=found.text,
        legs={leg.leg: leg.rank for leg in found.legs},
    )
