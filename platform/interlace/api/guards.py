"""What a request must pass before it is read: a known host name, a size, a key. ASGI middlewares, so that nothing is parsed first."""

import hashlib
import hmac
import ipaddress
import re
from collections.abc import Sequence

from fastapi.responses import Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interlace.api.problems import problem
from interlace.domain.errors import SettingsError
from interlace.settings import ApiSettings

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
# Health checks, the description of the API and the public guides; none of them holds data.
OPEN_PATHS = frozenset({"/", "/livez", "/readyz", "/docs", "/docs/oauth2-redirect", "/openapi.json"})
OPEN_FOLDERS = ("/guides/", "/static-offline-docs/", "/problems/")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:/\s]+)(:\d{1,5})?")
_SCHEME = "bearer "


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def key_digests(settings: ApiSettings) -> tuple[str, ...]:
    """Return the digests of the accepted keys.

    Raises:
        SettingsError: one is no SHA-256, or there is none although other machines can reach the address.
    """
    digests = tuple(key.get_secret_value().lower() for key in settings.keys)
    if not all(_DIGEST.fullmatch(digest) for digest in digests):
        raise SettingsError("INTERLACE_API__KEYS: each entry must be the SHA-256 of a key as 64 hexadecimal digits.")
    if not digests and not is_loopback(settings.host):
        raise SettingsError(
            f"INTERLACE_API__HOST is {settings.host}, which other machines can reach, and there are no API keys. Set "
            'INTERLACE_API__KEYS to ["<SHA-256 of a key>"], or listen on 127.0.0.1.'
        )
    return digests


class HostMiddleware:
    """Refuses foreign host names on a loopback address: a web page could point a name of its own there (DNS rebinding)."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = LOOPBACK_NAMES | {host.lower()} if is_loopback(host) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 400 unless the header ``Host`` names this machine."""
        if scope["type"] == "http" and self._names is not None:
            found = _HOST.fullmatch(Headers(scope=scope).get("host", "").lower())
            if found is None or found[1].strip("[]") not in self._names:
                names = ", ".join(sorted(self._names))
                await problem(scope, "untrusted-host", f"This server answers to {names} only.")(scope, receive, send)
                return
        await self._app(scope, receive, send)


class BodyLimitMiddleware:
    """Refuses bodies above a number of bytes: by their ``Content-Length``, else while they come in."""

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
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_bytes:
                raise HTTPException(413, sentence, headers={"Connection": "close"})
            return message

        await self._app(scope, receive_counted, send)


class ApiKeyMiddleware:
    """Asks for an API key, ``Authorization: Bearer`` or ``X-API-Key``; without configured keys it lets everything pass.

    Args:
        app: what to protect.
        digests: SHA-256 of the accepted keys, hexadecimal.
    """

    def __init__(self, app: ASGIApp, digests: Sequence[str]) -> None:
        self._app = app
        self._digests = [digest.encode() for digest in digests]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 unless the request may pass."""
        if scope["type"] != "http" or not self._digests or _is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        authorization = headers.get("authorization", "")
        bearer = authorization[len(_SCHEME) :].strip() if authorization.lower().startswith(_SCHEME) else ""
        given = headers.get("x-api-key") or bearer
        digest = hashlib.sha256(given.encode("utf-8", "replace")).hexdigest().encode()
        # Every digest is compared, so that the time taken does not tell which one is near.
        if given and sum(hmac.compare_digest(digest, known) for known in self._digests):
            return None
        sentence = "The API key is wrong." if given else "This server wants an API key: `Authorization: Bearer KEY`."
        return problem(scope, "unauthorized", sentence, headers={"WWW-Authenticate": "Bearer"})


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)
