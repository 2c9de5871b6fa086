"""``/v1/entities`` and ``/v1/search/entities``: entities by name, their neighbours and facts."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from interlace.api.dependencies import Cursor, Limit, PlatformDep, ReaderTenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.schemas.questions import EntitySearchBody
from interlace.api.scopes import requires
from interlace.domain.relations import Direction
from interlace.entities.repository import EntityRepository
from interlace.entities.results import EntityDetail, EntityNeighbor, EntityPath, EntitySearch, StatedFact
from interlace.entities.traversal import MAX_HOPS, EntityTraversal, RelationFilter

router = APIRouter(prefix="/v1", tags=["entities"], responses=RESPONSES, dependencies=[requires("read")])


def _relation_filter(
    direction: Annotated[Direction, Query(description="relations from an entity, to it, or both")] = "both",
    predicate: Annotated[list[str] | None, Query(description="only relations with these predicates")] = None,
    min_confidence: Annotated[float, Query(ge=0, le=1, description="minimum confidence of a relation")] = 0.0,
) -> RelationFilter:
    return RelationFilter(direction, tuple(predicate or ()), min_confidence)


Relations = Annotated[RelationFilter, Depends(_relation_filter)]
"""Which relations are followed, by query parameters."""


class Neighbors(BaseModel):
    """Entities related to one."""

    neighbors: list[EntityNeighbor] = Field(description="nearest first, then strongest")


@router.post("/search/entities")
def search_entities(body: EntitySearchBody, platform: PlatformDep, tenant: ReaderTenant) -> EntitySearch:
    """Find entities by name (their own, an alias, some of its words, a misspelling) or by what a sentence says of them, with every signal.

    Without embeddings, or when their model cannot be loaded (`degraded`), the other signals decide alone.
    """
    return EntityRepository(platform.graph, platform.name_vectors, platform.visible_cache).search(
        tenant, body.query, types=body.types, limit=body.limit, min_confidence=body.min_confidence
    )


@router.get("/entities/{entity_id}")
def get_entity(entity_id: str, platform: PlatformDep, tenant: ReaderTenant) -> EntityDetail:
    """Return one entity with the documents about it and its communities."""
    return EntityRepository(platform.graph, cache=platform.visible_cache).get(tenant, entity_id)


@router.get("/entities/{entity_id}/neighbors")
def get_neighbors(
    entity_id: str,
    platform: PlatformDep,
    tenant: ReaderTenant,
    where: Relations,
    hops: Annotated[int, Query(ge=1, le=MAX_HOPS, description="maximum distance in relations")] = 1,
    kind: Annotated[list[str] | None, Query(alias="type", description="only entities of these types")] = None,
    limit: Limit = 25,
) -> Neighbors:
    """Return the entities related to this one, nearest first, then strongest, with the sentences that say so.

    `type` filters what is listed, not what lies in between; the other filters apply at every hop.
    """
    EntityRepository(platform.graph, cache=platform.visible_cache).get(tenant, entity_id)
    found = EntityTraversal(platform.graph, platform.visible_cache).neighbors(
        tenant, entity_id, hops=hops, types=kind or (), where=where, limit=limit
    )
    return Neighbors(neighbors=found)


class Paths(BaseModel):
    """How two entities are connected."""

    paths: list[EntityPath] = Field(description="the shortest ones; none if four relations are not enough")


@router.get("/entities/{entity_id}/paths")
def get_paths(
    entity_id: str,
    platform: PlatformDep,
    tenant: ReaderTenant,
    to: Annotated[str, Query(max_length=200, description="id of the other entity")],
    where: Relations,
    limit: Annotated[int, Query(ge=1, le=100, description="paths to return")] = 5,
) -> Paths:
    """Return the shortest paths between two entities, the strongest first, each relation with the sentence that says so."""
    repository = EntityRepository(platform.graph, cache=platform.visible_cache)
    repository.get(tenant, entity_id)
    repository.get(tenant, to)
    return Paths(
        paths=EntityTraversal(platform.graph, platform.visible_cache).paths(
            tenant, entity_id, to, where=where, limit=limit
        )
    )


@router.get("/entities/{entity_id}/facts", response_model=Page[StatedFact])
def get_facts(
    entity_id: str, platform: PlatformDep, tenant: ReaderTenant, limit: Limit = 25, cursor: Cursor = None
) -> dict[str, Any]:
    """Return the facts that name this entity, most confident first, each with the sentence that states it."""
    after = read_cursor(cursor, float, str)
    found = EntityRepository(platform.graph, cache=platform.visible_cache).facts(
        tenant, entity_id, limit=limit, after=(after[0], after[1]) if after else None
    )
    return page(found, limit, "confidence", "id")
