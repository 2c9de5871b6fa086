"""``/v1/communities``: groups of entities that the text ties closely together."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from interlace.api.dependencies import Cursor, Limit, PlatformDep, Tenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.scopes import requires
from interlace.communities.repository import Community, CommunityDetail, CommunityRepository

router = APIRouter(prefix="/v1/communities", tags=["communities"], responses=RESPONSES, dependencies=[requires("read")])


@router.get("", response_model=Page[Community])
def list_communities(
    platform: PlatformDep,
    tenant: Tenant,
    level: Annotated[int | None, Query(ge=0, le=20, description="only this level; 0 is the finest")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """Return communities, largest first, a page at a time."""
    after = read_cursor(cursor, int, str)
    found = CommunityRepository(platform.graph).list(
        tenant, level=level, limit=limit, after=(after[0], after[1]) if after else None
    )
    return page(found, limit, "size", "id")


@router.get("/{community_id}")
def get_community(
    community_id: str,
    platform: PlatformDep,
    tenant: Tenant,
    members: Annotated[int, Query(ge=1, le=1000, description="members to return, most central first")] = 100,
) -> CommunityDetail:
    """Return one community with its members, parents and children."""
    return CommunityRepository(platform.graph).get(tenant, community_id, members=members)
