"""What a request must pass before it is read: a known host name, an origin, a size. ASGI middlewares, so that nothing is parsed first."""

import ipaddress
import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from anyio import fail_after
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interlace.api.problems import problem
from interlace.domain.errors import SettingsError
from interlace.settings import ApiSettings

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_DIGEST = re.compile(r"[0-9a-f]{64}")
BODY_SECONDS = 30.0
"""Time for each part of a request's body."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:/\s]+)(:\d{1,5})?")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def key_digests(settings: ApiSettings) -> tuple[str, ...]:
    """Return the digests of the keys that the settings name.

    Raises:
        SettingsError: one is no SHA-256.
    """
    digests = tuple(key.get_secret_value().lower() for key in settings.keys)
    if not all(_DIGEST.fullmatch(digest) for digest in digests):
        raise SettingsError("INTERLACE_API__KEYS: each entry must be the SHA-256 of a key as 64 hexadecimal digits.")
    return digests


class HostMiddleware:
    """Refuses foreign host names on a loopback address: a web page could point a name of its own there (DNS rebinding).

    A request that names several is refused everywhere (RFC 9112, section 3.2): a proxy may have read another one.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = LOOPBACK_NAMES | {host.lower()} if is_loopback(host) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 400 unless the header ``Host`` is there at most once and names this machine."""
        hosts = Headers(scope=scope).getlist("host") if scope["type"] == "http" else []
        if len(hosts) > 1:
            sentence = "The request names several hosts; send the header `Host` once."
            await problem(scope, "untrusted-host", sentence)(scope, receive, send)
            return
        if scope["type"] == "http" and self._names is not None:
            found = _HOST.fullmatch("".join(hosts).lower())
            if found is None or found[1].strip("[]") not in self._names:
                names = ", ".join(sorted(self._names))
                await problem(scope, "untrusted-host", f"This server only serves {names}.")(scope, receive, send)
                return
        await self._app(scope, receive, send)


class OriginMiddleware:
    """Refuses what a page of another origin has a browser send: cross-site request forgery (CSRF).

    Forms need no permission to send, and the browser of the one person at a loopback address would pass for that person. Reading stays allowed: the answers carry no permission to be read, but for the guides.
    Pages of the origins that the settings name may send.
    """

    def __init__(self, app: ASGIApp, allowed: Collection[str] = ()) -> None:
        self._app = app
        self._allowed = frozenset(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 unless the request changes nothing, comes from no browser, or from a page of this server."""
        if scope["type"] == "http" and scope["method"] not in _READING:
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            foreign = origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
            foreign = foreign or headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}
            if foreign and origin not in self._allowed:
                sentence = "A web page of another origin sent this request; INTERLACE_API__CORS_ORIGINS lists the origins that may."
                await problem(scope, "forbidden", sentence)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def allowed_origins(origins: Sequence[str]) -> list[Middleware]:
    """Return what lets pages of some origins read answers and send keys (Cross-Origin Resource Sharing); nothing where there are none.

    Credentials that a browser adds by itself, such as cookies, are never allowed: a page sends its key in a header.
    """
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["*"],
            allow_credentials=False,
            expose_headers=["Location", "Retry-After", "X-Request-ID"],
        )
    ]


class BodyLimitMiddleware:
    """Refuses bodies above a number of bytes, by their ``Content-Length``, else while they come in; and bodies that stop coming in."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413, or let the application read at most so many bytes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sentence = f"The request is larger than {self._max_bytes} bytes; send fewer or smaller documents at once."
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > self._max_bytes:
            await problem(scope, "too-large", sentence, headers={"Connection": "close"})(scope, receive, send)
            return
        received, complete = 0, False

        async def receive_counted() -> Message:
            nonlocal received, complete
            # After the body, the next message is that the client has left, which may take as long as the answer.
            try:
                with fail_after(None if complete else BODY_SECONDS):
                    message = await receive()
            except TimeoutError:
                stalled = f"No more of the request's body arrived for {BODY_SECONDS:g} s; send it again in full."
                raise HTTPException(408, stalled, headers={"Connection": "close"}) from None
            complete = not message.get("more_body")
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise HTTPException(413, sentence, headers={"Connection": "close"})
            return message

        await self._app(scope, receive_counted, send)
