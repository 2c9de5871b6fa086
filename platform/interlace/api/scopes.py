"""What a route asks of its caller: each declares its scopes, or its path is one of those that need no key."""

from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, Request

from interlace.access.callers import Caller, Scope

# Health checks, the description of the API, the files of the explore page and the public guides; none of them holds data.
OPEN_PATHS = frozenset({"/", "/livez", "/readyz", "/docs", "/docs/oauth2-redirect", "/openapi.json"})
OPEN_FOLDERS = ("/explore/", "/guides/", "/static-offline-docs/", "/problems/")


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


CallerOf = Annotated[Caller, Depends(caller_of)]
