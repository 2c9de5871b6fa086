"""Who calls: the key of a request, checked before anything of it is read, and the audit log of what was refused."""

import time

from anyio.to_thread import run_sync
from fastapi.responses import Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from interlace.access.audit import AuditLog, Record
from interlace.access.callers import Caller
from interlace.access.keyring import FRESH_SECONDS, Keyring
from interlace.access.keys import ApiKey
from interlace.access.restricted_tenants import RestrictedTenants
from interlace.access.views import view_of_all_tenants
from interlace.api.problems import problem
from interlace.api.scopes import is_open
from interlace.domain.errors import UnavailableError
from interlace.domain.reader import reading

_SCHEME = "bearer "
# A proxy may look at the first of several headers and an application at the last.
_ONCE = ("authorization", "x-api-key", "x-interlace-tenant", "host", "origin")


class AuditMiddleware:
    """Records what was refused, whichever guard or route refused it."""

    def __init__(self, app: ASGIApp, audit: AuditLog) -> None:
        self._app = app
        self._audit = audit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application; ``problem`` leaves the reason of a refusal in the scope's state."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        try:
            await self._app(scope, receive, send)
        finally:
            if reason := state.get("refusal"):
                caller: Caller | ApiKey | None = state.get("caller") or state.get("ended_key")
                key = caller.caller if isinstance(caller, ApiKey) else caller
                self._audit.add(
                    Record(
                        "refused",
                        reason,
                        key.key_id if key else "",
                        key.tenants if key else (),
                        scope["method"],
                        scope["path"],
                    )
                )


class ApiKeyMiddleware:
    """Finds the caller of each request by its key, ``Authorization: Bearer`` or ``X-API-Key``; pages without data need none.

    A stream that is still open when its key is revoked ends with the next chunk that it would send.
    """

    def __init__(self, app: ASGIApp, keyring: Keyring, restricted_tenants: RestrictedTenants) -> None:
        self._app = app
        self._keyring = keyring
        self._restricted_tenants = restricted_tenants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 unless the request may pass; its scope's state gets the ``caller``."""
        if scope["type"] != "http" or is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        state = scope.setdefault("state", {})
        refusal, given = _given(scope, headers)
        if refusal is None:
            try:
                found = await self._identify(given)
            except UnavailableError as error:
                refusal = problem(scope, "unavailable", error.message, headers={"Retry-After": "2"})
            else:
                if isinstance(found, Caller):
                    state["caller"] = found
                    if found.key_id:
                        bind_contextvars(key=found.key_id)
                    with reading(view_of_all_tenants(found, self._restricted_tenants)):
                        await self._app(scope, receive, self._while_valid(given, send))
                    return
                state["ended_key"] = found
                refusal = _refused(scope, given, found)
        await refusal(scope, receive, send)

    def _while_valid(self, given: str, send: Send) -> Send:
        """Return what sends an answer for as long as the key is valid."""
        checked_at, ended = time.monotonic(), False

        async def send_checked(message: Message) -> None:
            nonlocal checked_at, ended
            if ended:
                return
            if message.get("more_body") and time.monotonic() - checked_at > FRESH_SECONDS:
                checked_at = time.monotonic()
                ended = not await self._valid(given)
            await send({"type": "http.response.body", "body": b"", "more_body": False} if ended else message)

        return send_checked

    async def _identify(self, given: str) -> Caller | ApiKey | None:
        return self._keyring.remembered(given) or await run_sync(self._keyring.identify, given)

    async def _valid(self, given: str) -> bool:
        try:
            return isinstance(await self._identify(given), Caller)
        except UnavailableError:
            return False


def _given(scope: Scope, headers: Headers) -> tuple[Response | None, str]:
    """Return the key that a request gives; a refusal if it gives several or chooses several tenants."""
    repeated = next((name for name in _ONCE if len(headers.getlist(name)) > 1), None)
    authorization = headers.get("authorization", "")
    bearer = authorization[len(_SCHEME) :].strip() if authorization.lower().startswith(_SCHEME) else ""
    given = headers.get("x-api-key", "")
    if repeated or (given and bearer and given != bearer):
        what = f"The header {repeated} is" if repeated else "Two different keys are"
        return problem(scope, "malformed-request", f"{what} in the request; send one."), ""
    return None, given or bearer


def _refused(scope: Scope, given: str, key: ApiKey | None) -> Response:
    # Only the audit log says that a key was one once: who presents it may have found it.
    sentence = (
        "The API key is wrong, revoked or expired; ask for a new one."
        if given
        else "This server requires an API key: `Authorization: Bearer KEY`."
    )
    answer = problem(scope, "unauthorized", sentence, headers={"WWW-Authenticate": "Bearer"})
    if key is not None:
        scope["state"]["refusal"] = f"unauthorized: the key is {key.state}"
    return answer
