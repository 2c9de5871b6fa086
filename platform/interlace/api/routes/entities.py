"""``/v1/entities`` and ``/v1/search/entities``: entities by name, their neighbours and facts."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from interlace.api.dependencies import Cursor, Limit, Platform, Tenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.schemas.questions import EntitySearchBody
from interlace.api.scopes import requires
from interlace.entities.repository import Direction, EntityRepository
from interlace.entities.results import EntityDetail, EntityNeighbor, EntityPath, EntitySearch, StatedFact

router = APIRouter(prefix="/v1", tags=["entities"], responses=RESPONSES, dependencies=[requires("read")])


class Neighbors(BaseModel):
    """Entities that relations tie to one."""

    neighbors: list[EntityNeighbor] = Field(description="the strongest first")


@router.post("/search/entities")
def search_entities(body: EntitySearchBody, platform: Platform, tenant: Tenant) -> EntitySearch:
    """Find entities by name: their own, an alias, some of its words, or a misspelling; each with what every signal says.

    Without embeddings, or when their model cannot be loaded (`degraded`), the other signals decide alone.
    """
    return EntityRepository(platform.graph, platform.name_vectors).search(
        tenant, body.query, types=body.types, limit=body.limit, min_confidence=body.min_confidence
    )


@router.get("/entities/{entity_id}")
def get_entity(entity_id: str, platform: Platform, tenant: Tenant) -> EntityDetail:
    """Return one entity with the documents about it and its communities."""
    return EntityRepository(platform.graph).get(tenant, entity_id)


@router.get("/entities/{entity_id}/neighbors")
def get_neighbors(
    entity_id: str,
    platform: Platform,
    tenant: Tenant,
    direction: Annotated[Direction, Query(description="relations from it, to it, or both")] = "both",
    limit: Limit = 25,
) -> Neighbors:
    """Return the entities that relations tie to this one, the strongest first."""
    found = EntityRepository(platform.graph).neighbors(tenant, entity_id, direction=direction, limit=limit)
    return Neighbors(neighbors=found)


class Paths(BaseModel):
    """How two entities are connected."""

    paths: list[EntityPath] = Field(description="the shortest ones; none if four relations are not enough")


@router.get("/entities/{entity_id}/paths")
def get_paths(
    entity_id: str,
    platform: Platform,
    tenant: Tenant,
    to: Annotated[str, Query(max_length=200, description="id of the other entity")],
    limit: Annotated[int, Query(ge=1, le=100, description="paths wanted")] = 5,
) -> Paths:
    """Return the shortest paths between two entities over the relations that facts state."""
    return Paths(paths=EntityRepository(platform.graph).paths(tenant, entity_id, to, limit=limit))


@router.get("/entities/{entity_id}/facts", response_model=Page[StatedFact])
def get_facts(
    entity_id: str, platform: Platform, tenant: Tenant, limit: Limit = 25, cursor: Cursor = None
) -> dict[str, Any]:
    """Return the facts that name this entity, the surest first, each with the sentence that states it."""
    after = read_cursor(cursor, float, str)
    found = EntityRepository(platform.graph).facts(
        tenant, entity_id, limit=limit, after=(after[0], after[1]) if after else None
    )
    return page(found, limit, "confidence", "id")
