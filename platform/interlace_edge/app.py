"""The HTTP side: routes, the API key, and answers in Qdrant's envelope ``{"result", "status", "time"}``."""

import hmac
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from interlace_edge.errors import EdgeError, unsupported
from interlace_edge.request import EdgeRequest, check_parameters
from interlace_edge.routes import ROUTES
from interlace_edge.storage.catalog import Catalog

_logger = logging.getLogger(__name__)
# The version of Qdrant's REST API that the routes follow; clients compare it with their own.
API_VERSION = "1.20.0"
MAX_BODY_BYTES = 32 * 1024 * 1024
OPEN_PATHS = ("/", "/readyz")
# Where Qdrant has routes that this server does not have.
QDRANT_PATHS = (
    "/collections",
    "/aliases",
    "/snapshots",
    "/cluster",
    "/telemetry",
    "/metrics",
    "/issues",
    "/healthz",
    "/livez",
)
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_app(catalog: Catalog, api_key: str, lifespan: Lifespan) -> ASGIApp:
    """Return the server's application; every path but the root and the readiness check needs the key."""
    routes = [Route(path, _endpoint(catalog, act), methods=[method]) for method, path, act in ROUTES]
    routes += [Route("/", _version), Route("/readyz", _ready)]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={EdgeError: _refuse, HTTPException: _refuse_route, Exception: _refuse_crash},
    )
    # Qdrant has no such redirects, and a redirected POST would lose its body.
    app.router.redirect_slashes = False
    return EdgeKeyMiddleware(app, api_key)


def _endpoint(catalog: Catalog, act: Callable[[EdgeRequest], Any]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        started = time.perf_counter()
        check_parameters(request.query_params)
        edge_request = EdgeRequest(catalog, request.path_params, await _body(request))
        # The engine blocks; in a thread it leaves the event loop free.
        return await run_in_threadpool(lambda: _envelope(act(edge_request), started))

    return endpoint


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        # Counted while it arrives: the content length may be missing or wrong.
        if len(body) > MAX_BODY_BYTES:
            raise EdgeError(413, f"Payload error: JSON payload is larger than the limit of {MAX_BODY_BYTES} bytes")
    return bytes(body)


def _envelope(result: Any, started: float) -> Response:
    body = {"result": result, "status": "ok", "time": time.perf_counter() - started}
    return Response(orjson.dumps(body), media_type="application/json")


def _refusal(status: int, message: str) -> Response:
    return Response(orjson.dumps({"status": {"error": message}, "time": 0.0}), status, media_type="application/json")


async def _refuse(request: Request, error: Exception) -> Response:
    refused = error if isinstance(error, EdgeError) else EdgeError(500, str(error))
    _logger.info("%s %s: %s %s", request.method, request.url.path, refused.status, refused.message)
    return _refusal(refused.status, refused.message)


async def _refuse_route(request: Request, error: Exception) -> Response:
    """Refuse a path or method without a route: 501 where Qdrant may have one."""
    path = request.url.path
    if path.startswith(QDRANT_PATHS):
        return await _refuse(request, unsupported(f"{request.method} {path}"))
    status = error.status_code if isinstance(error, HTTPException) else 404
    return await _refuse(
        request, EdgeError(status, f"Not found: no {request.method} {path} in this Qdrant Edge server")
    )


async def _refuse_crash(request: Request, error: Exception) -> Response:
    _logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _refusal(500, "Service internal error: the server's log has the details")


async def _version(_: Request) -> Response:
    about = {"title": "Interlace Qdrant Edge server - speaks part of Qdrant's REST API", "version": API_VERSION}
    return Response(orjson.dumps(about), media_type="application/json")


async def _ready(_: Request) -> Response:
    return PlainTextResponse("all shards are ready")


class EdgeKeyMiddleware:
    """ASGI middleware that requires the key in the ``api-key`` header.

    Args:
        app: the wrapped application.
        api_key: the key.
    """

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self._app = app
        self._key = api_key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 unless the request has the key or its path is open."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        key = dict(scope["headers"]).get(b"api-key")
        if key is None:
            await _refusal(401, "Must provide an API key")(scope, receive, send)
        elif not hmac.compare_digest(key, self._key):
            await _refusal(401, "Invalid API key")(scope, receive, send)
        else:
            await self._app(scope, receive, send)
