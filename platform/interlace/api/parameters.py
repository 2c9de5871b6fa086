"""Refuses query parameters that a call does not have: one that is misspelt would be ignored without a word."""

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from interlace.domain.errors import InvalidInputError
from interlace.domain.validation import nearest


async def check_parameter_names(request: Request) -> None:
    """Check the names of a request's query parameters, of calls below ``/v1``.

    Raises:
        InvalidInputError: the call has no parameter of such a name.
    """
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute) or not route.path.startswith("/v1/"):
        return
    known = tuple(dict.fromkeys(_declared(route.dependant)))
    unknown = next((name for name in request.query_params if name not in known), None)
    if unknown is None:
        return
    if near := nearest(unknown, known):
        hint = f"did you mean {near!r}?"
    elif unknown == "tenant":
        hint = "the header `X-Interlace-Tenant` chooses the tenant."
    else:
        hint = f"it has {', '.join(known)}." if known else "it has none."
    raise InvalidInputError(f"{request.method} {route.path} has no query parameter {unknown[:100]!r}; {hint}")


def _declared(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        yield field.alias
    for each in dependant.dependencies:
        yield from _declared(each)
