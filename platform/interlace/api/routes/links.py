"""``/v1/linkgraph``: searches that know who is linked, what is around a document and near it, and what is known of it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from interlace.api.dependencies import PlatformDep, ReaderTenant
from interlace.api.problems import RESPONSES
from interlace.api.schemas.links import LinkSearchBody
from interlace.api.scopes import requires
from interlace.domain.hits import MAX_LIMIT
from interlace.domain.relations import Direction
from interlace.links.options import MAX_HOPS
from interlace.links.schemas import (
    MetadataAnswer,
    NeighborsAnswer,
    PublishedSchemas,
    RelatedAnswer,
    SearchAnswer,
    published_schemas,
)

router = APIRouter(prefix="/v1/linkgraph", tags=["link graph"], responses=RESPONSES, dependencies=[requires("read")])

Stem = Annotated[str, Path(description="a document's file name with or without suffix, title, alias, path, URI or id")]
Count = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="documents to return")]


@router.post("/search", name="search_planned")
def search_planned(body: LinkSearchBody, platform: PlatformDep, tenant: ReaderTenant) -> SearchAnswer:
    """Return the documents that answer a query, the names that match and the linked ones first among equals."""
    options = body.options.to_domain()
    return platform.link_graph.search_planned(tenant, body.query, limit=body.limit, options=options)


@router.get("/schemas", name="link_graph_schemas")
def schemas() -> PublishedSchemas:
    """Return the JSON Schema of every answer of the link graph."""
    return published_schemas()


@router.get("/{stem:path}/neighbors", name="link_neighbors")
def neighbors(
    stem: Stem,
    platform: PlatformDep,
    tenant: ReaderTenant,
    direction: Annotated[Direction, Query(description="links from it, to it, or both")] = "both",
    hops: Annotated[int, Query(ge=1, le=MAX_HOPS, description="links to follow")] = 1,
    limit: Count = MAX_LIMIT,
) -> NeighborsAnswer:
    """Return the documents that links lead to from this one, nearest first."""
    return platform.link_graph.neighbors(tenant, stem, direction=direction, hops=hops, limit=limit)


@router.get("/{stem:path}/related", name="link_related")
def related(
    stem: Stem,
    platform: PlatformDep,
    tenant: ReaderTenant,
    max_distance: Annotated[int, Query(ge=1, le=MAX_HOPS, description="maximum number of links between the two")] = 2,
    limit: Count = 10,
) -> RelatedAnswer:
    """Return the documents nearest to this one, by personalised PageRank over links of both directions."""
    return platform.link_graph.related(tenant, stem, max_distance=max_distance, limit=limit)


@router.get("/{stem:path}/metadata", name="link_metadata")
def metadata(stem: Stem, platform: PlatformDep, tenant: ReaderTenant) -> MetadataAnswer:
    """Return what is known about this document, and how many links it has."""
    return platform.link_graph.metadata(tenant, stem)
