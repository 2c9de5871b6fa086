"""Puts the API together: routes, guards, problem documents, description."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from interlace import __version__
from interlace.access.audit import AuditLog
from interlace.access.keyring import Keyring
from interlace.access.keys import ApiKeys
from interlace.access.restricted_tenants import RestrictedTenants
from interlace.api.authentication import ApiKeyMiddleware, AuditMiddleware
from interlace.api.context import RequestContextMiddleware, is_request_id
from interlace.api.description import describe
from interlace.api.guards import (
    BodyLimitMiddleware,
    HostMiddleware,
    OriginMiddleware,
    allowed_origins,
    is_loopback,
    key_digests,
)
from interlace.api.known_tenants import KnownTenants
from interlace.api.metrics import Metrics, MetricsMiddleware
from interlace.api.parameters import check_parameter_names
from interlace.api.problems import on_http_error, on_interlace_error, on_validation_error
from interlace.api.rates import RateLimitMiddleware
from interlace.api.readiness import Readiness
from interlace.api.routes import (
    answer,
    atoms,
    communities,
    cypher,
    decisions,
    documents,
    enrichment,
    entities,
    explore,
    guides,
    jobs,
    keys,
    links,
    operations,
    query,
    tenants,
    texts,
    tools,
)
from interlace.api.security_headers import SecurityHeadersMiddleware
from interlace.bootstrap import Platform
from interlace.documents.repository import DocumentRepository
from interlace.domain.errors import InterlaceError
from interlace.jobs.backlog import read_backlog
from interlace.reconciliation.last_checks import read_last_checks

_ROUTERS = (
    query.router,
    answer.router,
    documents.router,
    enrichment.router,
    jobs.router,
    entities.router,
    decisions.router,
    communities.router,
    tools.router,
    atoms.router,
    links.router,
    keys.router,
    tenants.router,
    texts.router,
    cypher.router,
    operations.router,
    explore.router,
    guides.router,
)


def create_app(platform: Platform) -> FastAPI:
    """Return the application. It does not close the platform.

    Raises:
        SettingsError: a key's digest in the settings is malformed.
    """
    settings = platform.settings.api
    readiness = Readiness(platform)
    metrics = _metrics(platform, readiness)
    audit, api_keys, restricted = AuditLog(platform.graph), ApiKeys(platform.graph), RestrictedTenants(platform.graph)
    keyring = Keyring(api_keys, audit, digests=key_digests(settings), may_be_open=is_loopback(settings.host))
    app = FastAPIOffline(
        title="Interlace",
        summary="Explained, multi-hop answers from your documents.",
        version=__version__,
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
        dependencies=[Depends(check_parameter_names)],
        # The first is outermost: whatever a guard or a route does has a request id and is counted.
        middleware=[
            Middleware(CorrelationIdMiddleware, validator=is_request_id),
            Middleware(SecurityHeadersMiddleware),
            Middleware(RequestContextMiddleware),
            Middleware(MetricsMiddleware, metrics=metrics),
            Middleware(AuditMiddleware, audit=audit),
            Middleware(HostMiddleware, host=settings.host),
            *allowed_origins(settings.cors_origins),
            Middleware(OriginMiddleware, allowed=settings.cors_origins),
            Middleware(ApiKeyMiddleware, keyring=keyring, restricted_tenants=restricted),
            Middleware(
                RateLimitMiddleware, limiter=platform.rate_limiter, per_minute=settings.requests_per_minute or None
            ),
            Middleware(BodyLimitMiddleware, max_bytes=settings.max_body_bytes),
        ],
    )
    app.state.platform, app.state.metrics = platform, metrics
    app.state.audit, app.state.keys, app.state.restricted_tenants = audit, api_keys, restricted
    app.state.readiness, app.state.known_tenants = readiness, KnownTenants(platform.graph)
    app.add_exception_handler(InterlaceError, on_interlace_error)
    app.add_exception_handler(RequestValidationError, on_validation_error)
    app.add_exception_handler(HTTPException, on_http_error)
    for router in _ROUTERS:
        app.include_router(router)
    describe(app)
    return app


def _metrics(platform: Platform, readiness: Readiness) -> Metrics:
    return Metrics(
        DocumentRepository(platform.graph),
        lambda: read_last_checks(platform.graph),
        lambda: read_backlog(platform.graph),
        platform.queue,
        readiness.report,
        lambda: platform.enrichment.usage(days=0),
    )


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.readiness.close()
    app.state.audit.close()
