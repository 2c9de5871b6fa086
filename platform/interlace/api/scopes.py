"""What a route asks of its caller: each declares a scope, or its path is one of those that need no key."""

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
    """A dependency that refuses callers without a scope, before the route looks at anything else."""

    scope: Scope
    every_tenant: bool

    async def __call__(self, request: Request) -> None:
        """Check the caller.

        Raises:
            ForbiddenError: the key lacks the scope, or opens some tenants only where all are concerned.
        """
        caller_of(request).demand(self.scope, every_tenant=self.every_tenant)


def requires(scope: Scope, *, every_tenant: bool = False) -> Any:
    """Declare the scope of a route, or of every route of a router: ``dependencies=[requires("read")]``."""
    return Depends(Requirement(scope, every_tenant))


CallerOf = Annotated[Caller, Depends(caller_of)]
