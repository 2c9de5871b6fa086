"""Names each request: ``X-Request-ID`` in and out, a trace id for logs and problems, and an answer when everything else fails."""

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interlace.api.problems import internal

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


class RequestContext:
    """ASGI middleware around all others. An id that is not plain is replaced, so that it can stand in logs and headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application and return its id with the response; an unexpected failure becomes a problem document."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        trace = _TRACEPARENT.fullmatch(headers.get("traceparent", ""))
        scope.setdefault("state", {})["trace_id"] = trace[1] if trace else request_id
        started = False

        async def send_named(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_named)
        except Exception as error:
            response = internal(scope, error)
            if started:
                raise  # the server cuts the connection: the only way left to say that this answer is not whole
            await response(scope, receive, send_named)
