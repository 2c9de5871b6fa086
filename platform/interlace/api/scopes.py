"""What a route asks of its caller: each declares its scopes, or its path is one of those that need no key; and who is shown its result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, cast

from fastapi import Depends, Request, Response

from interlace.access.callers import Caller, Scope

T = TypeVar("T")

# Health checks, the description of the API, the files of the explore page and the public guides; none of them holds data.
OPEN_PATHS = frozenset({"/", "/livez", "/readyz", "/docs", "/docs/oauth2-redirect", "/openapi.json"})
OPEN_FOLDERS = ("/explore/", "/guides/", "/static-offline-docs/", "/problems/")
UNSHOWN: Final[dict[int | str, dict[str, Any]]] = {204: {"description": "Done, for a key that may not see the result"}}
"""The further response of an operation that gives its result to some callers only (``for_readers``)."""


def is_open(path: str) -> bool:
    """Return whether a path is answered without a key."""
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def caller_of(request: Request) -> Caller:
    """Return who sent a request, as ``ApiKeyMiddleware`` found."""
    return cast("Caller", request.state.caller)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A dependency that refuses callers with none of some scopes, before the route looks at anything else."""

    scopes: tuple[Scope, ...]
    every_tenant: bool

    async def __call__(self, request: Request) -> None:
        """Check the caller.

        Raises:
            ForbiddenError: the key has none of the scopes, or opens some tenants only where all are concerned.
        """
        caller_of(request).require_scopes(*self.scopes, every_tenant=self.every_tenant)


def requires(*scopes: Scope, every_tenant: bool = False) -> Any:
    """Declare the scope of a route, or of every route of a router: ``dependencies=[requires("read")]``; of several, one is enough."""
    return Depends(Requirement(scopes, every_tenant))


def for_readers(caller: Caller, result: Callable[[], T], *, own: bool = False) -> T | Response:
    """Return the result of an operation to callers who may read or whose own it is; others learn only that it is done."""
    return result() if own or "read" in caller.scopes else Response(status_code=204)


CallerOf = Annotated[Caller, Depends(caller_of)]
