"""The four calls of the link graph: neighbours, related documents, metadata, and planned search."""

from interlace.domain.errors import NotFoundError
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.relations import Direction
from interlace.links.options import MAX_HOPS, SearchOptions
from interlace.links.planned import LinkContext, PlannedRequest, PlannedSearch, PlannedStages
from interlace.links.schemas import (
    SCHEMA_VERSION,
    DocumentRef,
    LinkLabel,
    LinkNeighbor,
    MetadataAnswer,
    NeighborsAnswer,
    RelatedAnswer,
    RelatedDocument,
    SearchAnswer,
)
from interlace.links.stems import find
from interlace.links.traversal import Reached, nearness, neighborhood
from interlace.ports.links import LinkedDocument
from interlace.search.execution import TaskPool
from interlace.search.limits import check_range
from interlace.search.pipeline import SearchPipeline


class LinkGraphService:
    """The calls of the link graph. One instance per process; safe for use by several threads if the link graph is."""

    def __init__(self, context: LinkContext) -> None:
        self._links = context.links
        self._profile = context.profile
        stages = PlannedStages(context)
        # Its own steps run in the caller's thread; only the pipeline of questions runs tasks in parallel.
        self._planned: PlannedSearch = SearchPipeline(stages, TaskPool(1, "planned"), context.query.leg_timeout)

    def neighbors(
        self, tenant: str, stem: str, *, direction: Direction = "both", hops: int = 1, limit: int = MAX_LIMIT
    ) -> NeighborsAnswer:
        """Return the documents that links lead to from the one that a stem names, nearest first.

        Raises:
            InvalidInputError: hops or limit are out of range, or the stem is ambiguous.
            NotFoundError: no document has that name.
        """
        check_range("hops", hops, MAX_HOPS)
        check_range("limit", limit, MAX_LIMIT)
        start = self._start(tenant, stem)
        # One more than wanted shows whether there are more.
        found = neighborhood(self._links, tenant, start.id, direction, hops, self._profile, enough=limit + 1)
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
            NotFoundError: no document has that name.
        """
        check_range("max_distance", max_distance, MAX_HOPS)
        check_range("limit", limit, MAX_LIMIT)
        start = self._start(tenant, stem)
        found = neighborhood(self._links, tenant, start.id, "both", max_distance, self._profile)
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
        """Return the documents that answer a query (``links.planned``).

        Raises:
            InvalidInputError: query, limit, filter or model is invalid.
            UnavailableError: the graph does not answer.
        """
        return self._planned.search(tenant, PlannedRequest(query, limit, options or SearchOptions()))

    def _start(self, tenant: str, stem: str) -> LinkedDocument:
        document_id = find(self._links, tenant, stem)
        found = self._links.read_documents(tenant, [document_id])
        if document_id not in found:
            raise NotFoundError(f"The document {stem} was deleted a moment ago.")
        return found[document_id]


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
