"""Puts the API together: routes, guards, problem documents, description."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from interlace import __version__
from interlace.access.audit import AuditLog
from interlace.access.keyring import Keyring
from interlace.access.keys import ApiKeys
from interlace.api.authentication import ApiKeyMiddleware, AuditMiddleware
from interlace.api.context import RequestContextMiddleware, is_request_id
from interlace.api.description import describe
from interlace.api.guards import BodyLimitMiddleware, HostMiddleware, OriginMiddleware, is_loopback, key_digests
from interlace.api.metrics import Metrics, MetricsMiddleware
from interlace.api.problems import on_http_error, on_interlace_error, on_validation_error
from interlace.api.readiness import Readiness
from interlace.api.routes import (
    answer,
    atoms,
    communities,
    cypher,
    documents,
    entities,
    explore,
    guides,
    jobs,
    keys,
    links,
    operations,
    query,
    texts,
    tools,
)
from interlace.api.services import Services
from interlace.documents.repository import DocumentRepository
from interlace.domain.errors import InterlaceError
from interlace.reconciliation.last_checks import read_last_checks

_ROUTERS = (
    query.router,
    answer.router,
    documents.router,
    jobs.router,
    entities.router,
    communities.router,
    tools.router,
    atoms.router,
    links.router,
    keys.router,
    texts.router,
    cypher.router,
    operations.router,
    explore.router,
    guides.router,
)


def create_app(services: Services) -> FastAPI:
    """Return the application. It does not close the services.

    Raises:
        SettingsError: a key's digest in the settings is malformed.
    """
    settings = services.settings.api
    metrics = Metrics(
        DocumentRepository(services.graph), lambda: read_last_checks(services.graph), services.queue.totals
    )
    audit, api_keys = AuditLog(services.graph), ApiKeys(services.graph)
    keyring = Keyring(api_keys, audit, digests=key_digests(settings), may_be_open=is_loopback(settings.host))
    app = FastAPIOffline(
        title="Interlace",
        summary="Documents in; explained, multi-hop answers out.",
        version=__version__,
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
        # The first is outermost: whatever a guard or a route does has a request id and is counted.
        middleware=[
            Middleware(CorrelationIdMiddleware, validator=is_request_id),
            Middleware(RequestContextMiddleware),
            Middleware(MetricsMiddleware, metrics=metrics),
            Middleware(AuditMiddleware, audit=audit),
            Middleware(HostMiddleware, host=settings.host),
            Middleware(OriginMiddleware),
            Middleware(ApiKeyMiddleware, keyring=keyring),
            Middleware(BodyLimitMiddleware, max_bytes=settings.max_body_bytes),
        ],
    )
    app.state.services = services
    app.state.metrics = metrics
    app.state.audit, app.state.keys = audit, api_keys
    app.state.readiness = Readiness(services)
    app.add_exception_handler(InterlaceError, on_interlace_error)
    app.add_exception_handler(RequestValidationError, on_validation_error)
    app.add_exception_handler(HTTPException, on_http_error)
    for router in _ROUTERS:
        app.include_router(router)
    describe(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.readiness.close()
    app.state.audit.close()


def _operation_id(route: APIRoute) -> str:
    return route.name
