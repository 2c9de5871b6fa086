"""``/v1/tenants``: which there are, and their removal."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from structlog.contextvars import bind_contextvars

from interlace.api.dependencies import PlatformDep
from interlace.api.problems import RESPONSES
from interlace.api.scopes import CallerOf, requires
from interlace.documents.tenants import Tenants
from interlace.domain.errors import UnavailableError
from interlace.domain.validation import TENANT
from interlace.export.removal import TenantRemoval, TenantState

router = APIRouter(prefix="/v1/tenants", tags=["tenants"], responses=RESPONSES)


async def _named(
    caller: CallerOf, tenant: Annotated[str, Path(pattern=TENANT.pattern, description="the tenant's name")]
) -> str:
    bind_contextvars(tenant=tenant)
    return caller.choose_tenant(tenant, tenant)


def _removal(platform: PlatformDep, caller: CallerOf) -> TenantRemoval:
    return TenantRemoval(platform.graph, platform.vectors, lambda name: caller.can_access((name,)))


Named = Annotated[str, Depends(_named)]
Removal = Annotated[TenantRemoval, Depends(_removal)]


@router.get("", dependencies=[requires("read")])
def list_tenants(platform: PlatformDep, caller: CallerOf) -> list[str]:
    """Return the names of the tenants that the caller's key has access to."""
    return [name for name in Tenants(platform.graph).list() if caller.can_access((name,))]


@router.get("/{tenant}", dependencies=[requires("admin")])
def get_tenant(tenant: Named, removal: Removal) -> TenantState:
    """Return how much a tenant holds and whether it is being removed; 404 as soon as it is gone."""
    return removal.state(tenant)


@router.delete("/{tenant}", status_code=202, dependencies=[requires("admin")])
def remove_tenant(
    tenant: Named,
    confirm: Annotated[str, Query(max_length=48, description="the tenant's name again")],
    removal: Removal,
    platform: PlatformDep,
    caller: CallerOf,
    request: Request,
    response: Response,
) -> TenantState:
    """Remove a tenant and all its data: documents, graph, vectors, decisions and jobs. This cannot be undone.

    Workers do it in the background, and uploads are refused meanwhile. `GET` on the tenant shows how much is left, and answers 404
    once it is gone. Its keys and its entries in the audit log stay.
    """
    state = removal.begin(tenant, confirm, key=caller.key_id)
    request.app.state.known_tenants.forget(tenant)
    with suppress(UnavailableError):  # the sweeper enqueues it when the queue is back
        platform.queue.enqueue("remove_tenant", tenant)
    response.headers["Location"] = f"/v1/tenants/{tenant}"
    return state
