"""What routes ask for: the platform, and the tenant that a request speaks for."""

from typing import Annotated, cast

from anyio.to_thread import run_sync
from fastapi import Depends, Header, Query, Request
from structlog.contextvars import bind_contextvars

from interlace.access.views import require_all_documents, view_of
from interlace.api.metrics import Metrics
from interlace.api.readiness import Readiness
from interlace.api.scopes import CallerOf
from interlace.bootstrap import Platform
from interlace.domain.reader import bind_reader
from interlace.domain.validation import TENANT

MAX_PAGE = 500


def platform_of(request: Request) -> Platform:
    """Return the platform that the application was made for."""
    return cast("Platform", request.app.state.platform)


PlatformDep = Annotated[Platform, Depends(platform_of)]


def metrics_of(request: Request) -> Metrics:
    """Return the application's metrics."""
    return cast("Metrics", request.app.state.metrics)


def readiness_of(request: Request) -> Readiness:
    """Return the application's readiness check."""
    return cast("Readiness", request.app.state.readiness)


async def _chosen_tenant(
    request: Request,
    platform: PlatformDep,
    caller: CallerOf,
    x_interlace_tenant: Annotated[
        str | None,
        Header(
            pattern=TENANT.pattern,
            description="tenant to use, among those of the key; the server's default tenant if not given",
        ),
    ] = None,
) -> str:
    # A synchronous dependency would run in a thread of its own, and what it binds would be lost with it.
    tenant = caller.choose_tenant(x_interlace_tenant, platform.settings.tenant)
    bind_contextvars(tenant=tenant)
    bind_reader(view_of(caller, tenant, request.app.state.restricted_tenants))
    return tenant


async def _reader_tenant(request: Request, caller: CallerOf, tenant: Annotated[str, Depends(_chosen_tenant)]) -> str:
    if not request.app.state.known_tenants.fresh(tenant):
        await run_sync(request.app.state.known_tenants.check, caller, tenant)
    return tenant


async def _new_tenant(request: Request, caller: CallerOf, tenant: Annotated[str, Depends(_chosen_tenant)]) -> str:
    if not caller.sees_all:
        await run_sync(require_all_documents, caller, tenant, request.app.state.restricted_tenants)
    return tenant


async def _tenant(tenant: Annotated[str, Depends(_reader_tenant)], _: Annotated[str, Depends(_new_tenant)]) -> str:
    return tenant


async def _job_tenant(
    job_id: str,
    request: Request,
    platform: PlatformDep,
    caller: CallerOf,
    tenant: Annotated[str, Depends(_reader_tenant)],
) -> str:
    if await run_sync(platform.jobs.owned, tenant, job_id, caller.key_id):
        bind_reader(lambda: None)  # the job names no documents but those that this key sent or deleted
        return tenant
    caller.require_scopes("read")
    return await _new_tenant(request, caller, tenant)


Tenant = Annotated[str, Depends(_tenant)]
"""The tenant of a request whose caller sees all of it. Where documents are restricted, a caller who sees some is refused."""
NewTenant = Annotated[str, Depends(_new_tenant)]
"""The same, for a request that may begin a tenant; any other is refused where there is no such tenant."""
JobTenant = Annotated[str, Depends(_job_tenant)]
"""The tenant of a request about one job: as ``Tenant`` with the scope ``read``, but the key that asked for the job sees it anyway."""
ReaderTenant = Annotated[str, Depends(_reader_tenant)]
"""The tenant of a request that answers every caller with what that one may see; its queries must be ``reader: filtered``."""
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="items to return")]
Cursor = Annotated[str | None, Query(max_length=6000, description="`next_cursor` of the previous page")]
