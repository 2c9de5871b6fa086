"""The context of a request: its trace id, what its log lines carry, and an answer when everything else fails.

``asgi_correlation_id`` reads ``X-Request-ID`` or makes one and returns it with the response; this middleware stands just inside it.
"""

import re

from asgi_correlation_id import correlation_id
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, clear_contextvars

from interlace.api.problems import internal

# Narrow enough to stand in logs and headers as they are.
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# https://www.w3.org/TR/trace-context/#traceparent-header: version, trace id, parent id, flags
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


def is_request_id(text: str) -> bool:
    """Return whether a caller's request id is used; any other is replaced."""
    return _REQUEST_ID.fullmatch(text) is not None


class RequestContextMiddleware:
    """Binds the ids of a request to its log lines, and turns an unhandled failure into a problem document."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; the scope's state gets the ``trace_id``, which is the request id unless the caller traces."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = correlation_id.get() or ""
        trace = _TRACEPARENT.fullmatch(Headers(scope=scope).get("traceparent", ""))
        trace_id = trace[1] if trace else request_id
        scope.setdefault("state", {})["trace_id"] = trace_id
        clear_contextvars()
        bind_contextvars(request_id=request_id, trace_id=trace_id)
        started = False

        async def send_observed(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_observed)
        except Exception as error:
            response = internal(scope, error)
            if started:
                raise  # the status is sent: only a cut connection still tells the client that the answer is incomplete
            await response(scope, receive, send)
        finally:
            clear_contextvars()
