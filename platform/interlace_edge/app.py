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
from interlace_edge.routes import collections, points
from interlace_edge.routes.ask import Ask, check_parameters
from interlace_edge.storage.catalog import Catalog

log = logging.getLogger(__name__)
# The version of Qdrant's REST API that the routes below follow; clients compare it with their own.
API_VERSION = "1.20.0"
MAX_BODY_BYTES = 32 * 1024 * 1024
OPEN_PATHS = ("/", "/healthz", "/livez", "/readyz")
ONE = "/collections/{collection}"
ROUTES: tuple[tuple[str, str, Callable[[Ask], Any]], ...] = (
    ("GET", "/collections", collections.listed),
    ("GET", ONE, collections.info),
    ("PUT", ONE, collections.create),
    ("DELETE", ONE, collections.delete),
    ("GET", ONE + "/exists", collections.exists),
    ("PUT", ONE + "/index", collections.create_index),
    ("DELETE", ONE + "/index/{field}", collections.delete_index),
    ("PUT", ONE + "/vectors/{vector}", collections.create_vector),
    ("DELETE", ONE + "/vectors/{vector}", collections.delete_vector),
    ("PUT", ONE + "/points", points.upsert),
    ("POST", ONE + "/points", points.retrieve),
    ("POST", ONE + "/points/delete", points.delete),
    ("PUT", ONE + "/points/vectors", points.update_vectors),
    ("POST", ONE + "/points/vectors/delete", points.delete_vectors),
    ("POST", ONE + "/points/payload", points.set_payload),
    ("PUT", ONE + "/points/payload", points.overwrite_payload),
    ("POST", ONE + "/points/payload/clear", points.clear_payload),
    ("POST", ONE + "/points/payload/delete", points.delete_payload),
    ("POST", ONE + "/points/scroll", points.scroll),
    ("POST", ONE + "/points/count", points.count),
    ("POST", ONE + "/points/query", points.query),
    ("POST", ONE + "/points/query/batch", points.query_batch),
    ("POST", ONE + "/facet", points.facet),
    ("GET", ONE + "/points/{id}", points.one),
)
NOT_HERE = ("/aliases", "/snapshots", "/cluster", "/telemetry", "/metrics", "/issues", "/quotas", "/locks")
Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def create_app(catalog: Catalog, api_key: str, lifespan: Lifespan) -> ASGIApp:
    """Return the server's application; every path but the root and the health checks needs the key."""
    methods: dict[str, dict[str, Callable[[Ask], Any]]] = {}
    for method, path, act in ROUTES:
        methods.setdefault(path, {})[method] = act
    routes = [Route(path, _endpoint(catalog, acts), methods=list(acts)) for path, acts in methods.items()]
    routes += [Route("/", _version), *(Route(path, _healthy) for path in OPEN_PATHS[1:])]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={EdgeError: _refuse, HTTPException: _refuse_route, Exception: _refuse_crash},
    )
    app.router.redirect_slashes = False
    return KeyCheck(app, api_key)


def _endpoint(catalog: Catalog, acts: dict[str, Callable[[Ask], Any]]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        started = time.perf_counter()
        check_parameters(request.query_params)
        ask = Ask(catalog, request.path_params, await _body(request))
        act = acts["GET" if request.method == "HEAD" else request.method]
        return await run_in_threadpool(lambda: _envelope(act(ask), started))

    return endpoint


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
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
    log.info("%s %s: %s %s", request.method, request.url.path, refused.status, refused.message)
    return _refusal(refused.status, refused.message)


async def _refuse_route(request: Request, error: Exception) -> Response:
    """No route, or not with this method: say whether a Qdrant server would have it."""
    path = request.url.path
    if path.startswith(NOT_HERE) or any(
        part in path for part in ("/points/", "/snapshots", "/shards", "/cluster", "/aliases")
    ):
        return await _refuse(request, unsupported(f"{request.method} {path}"))
    status = error.status_code if isinstance(error, HTTPException) else 404
    return await _refuse(
        request, EdgeError(status, f"Not found: no {request.method} {path} in this Qdrant Edge server")
    )


async def _refuse_crash(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _refusal(500, "Service internal error: the server's log has the details")


async def _version(_: Request) -> Response:
    about = {"title": "Interlace Qdrant Edge server - speaks part of Qdrant's REST API", "version": API_VERSION}
    return Response(orjson.dumps(about), media_type="application/json")


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("all shards are ready")


class KeyCheck:
    """ASGI middleware: the ``api-key`` header or ``Authorization: Bearer`` must hold the key.

    Args:
        app: what to protect.
        api_key: the key.
    """

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self._app = app
        self._key = api_key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 unless the request may pass."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        given = self._given(dict(scope["headers"]))
        if given is None:
            await _refusal(401, "Must provide an API key or an Authorization bearer token")(scope, receive, send)
        elif not hmac.compare_digest(given, self._key):
            await _refusal(401, "Invalid API key or JWT")(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    @staticmethod
    def _given(headers: dict[bytes, bytes]) -> bytes | None:
        bearer = headers.get(b"authorization", b"")
        return headers.get(b"api-key") or (bearer[len(b"Bearer ") :] if bearer.startswith(b"Bearer ") else None)
