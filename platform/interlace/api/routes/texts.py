"""``/v1/chunks`` and ``/v1/counts``: what the graph holds, to be read."""

from typing import Any

from fastapi import APIRouter

from interlace.api.dependencies import Cursor, Limit, PlatformDep, ReaderTenant
from interlace.api.pages import Page, page, read_cursor
from interlace.api.problems import RESPONSES
from interlace.api.scopes import requires
from interlace.documents.tenants import TenantCounts, Tenants
from interlace.documents.texts import ChunkText, Texts
from interlace.entities.mentions import MentioningChunk, mentions_of
from interlace.entities.repository import EntityRepository

router = APIRouter(prefix="/v1", tags=["texts"], responses=RESPONSES, dependencies=[requires("read")])


@router.get("/chunks/{chunk_id}")
def get_chunk(chunk_id: str, platform: PlatformDep, tenant: ReaderTenant) -> ChunkText:
    """Return the text of one chunk, and where it stands."""
    return Texts(platform.graph).chunk(tenant, chunk_id)


@router.get("/documents/{document_id}/chunks", response_model=Page[ChunkText])
def get_document_text(
    document_id: str, platform: PlatformDep, tenant: ReaderTenant, limit: Limit = 50, cursor: Cursor = None
) -> dict[str, Any]:
    """Return the text of a document as its chunks, in their order."""
    (after,) = read_cursor(cursor, int) or (-1,)
    found = Texts(platform.graph).chunks(tenant, document_id, limit=limit, after=after)
    return page(found, limit, "start")


@router.get("/entities/{entity_id}/mentions", response_model=Page[MentioningChunk])
def get_mentions(
    entity_id: str, platform: PlatformDep, tenant: ReaderTenant, limit: Limit = 25, cursor: Cursor = None
) -> dict[str, Any]:
    """Return the chunks that mention an entity, each with the sentence that does so first."""
    (after,) = read_cursor(cursor, str) or (None,)
    found = mentions_of(platform.graph, tenant, entity_id, limit=limit, after=after)
    if not found:
        EntityRepository(platform.graph, cache=platform.visible_cache).get(tenant, entity_id)
    return page(found, limit, "chunk_id")


@router.get("/counts")
def get_counts(platform: PlatformDep, tenant: ReaderTenant) -> TenantCounts:
    """Return how many documents, chunks, entities, facts and communities the tenant has."""
    return Tenants(platform.graph).counts(tenant)
