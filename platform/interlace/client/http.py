"""Speaks to the HTTP API: keys and tenant out, problem documents back as errors."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx

from interlace.client.arguments import encoded
from interlace.domain.errors import (
    ConflictError,
    ForbiddenError,
    InterlaceError,
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
)
from interlace.domain.validation import TENANT, WEB_ADDRESS

PAGE: Final = 500
_MARGIN: Final = 5.0
"""Seconds in which an answer that took all of its time still arrives."""
_ERRORS: Final[Mapping[int, type[InterlaceError]]] = {
    400: InvalidInputError,
    401: ForbiddenError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidInputError,
    415: InvalidInputError,
    422: InvalidInputError,
    503: UnavailableError,
}


class Http:
    """One connection pool to one API.

    Args:
        url: address of the API.
        api_key: sent with each request; empty for none.
        tenant: whose documents; none for the server's default.
        timeout: seconds to wait for an answer.
        transport: for tests.

    Raises:
        InvalidInputError: address, key or tenant cannot be one.
    """

    def __init__(
        self, url: str, *, api_key: str, tenant: str | None, timeout: float, transport: httpx.BaseTransport | None
    ) -> None:
        self._url, self._timeout = url, timeout
        _check_address(url)
        headers = {}
        if tenant:
            if not TENANT.matches(tenant):
                raise InvalidInputError(f"tenant: {tenant!r} must be {TENANT.description}.")
            headers["X-Interlace-Tenant"] = tenant
        if key := api_key.strip():
            if not (key.isascii() and key.isprintable()):
                raise InvalidInputError("api_key: keys have only printable ASCII characters; copy it again.")
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)

    def get(self, path: str, **params: Any) -> Any:
        """Return the JSON answer; parameters that are None are left out.

        Raises:
            InterlaceError: the API refused or failed; the message is its own.
            UnavailableError: no server answers.
        """
        given = {name: value for name, value in params.items() if value is not None}
        return self._answer("GET", path, params=given).json()

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send JSON and return the JSON answer; raises as ``get``."""
        return self._post(path, body).json()

    def delete(self, path: str, **params: Any) -> None:
        """Delete what the path names; raises as ``get``."""
        self._answer("DELETE", path, params=params)

    def post_for(self, path: str, body: Mapping[str, Any], media_type: str, *, timeout: float) -> httpx.Response:
        """Send JSON and return the answer as it came, in another form than JSON, which may take ``timeout`` seconds; raises as ``get``."""
        return self._post(path, body, timeout=max(self._timeout or math.inf, timeout + _MARGIN), Accept=media_type)

    def pages(self, path: str, limit: int | None, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield at most ``limit`` items of a list, or all of them, a page a request; raises as ``get``."""
        cursor, left = None, math.inf if limit is None else limit
        while left > 0:
            page = self.get(path, limit=min(left, PAGE), cursor=cursor, **params)
            yield from page["items"]
            left -= len(page["items"])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _post(
        self, path: str, body: Mapping[str, Any], *, timeout: float | None = None, **headers: str
    ) -> httpx.Response:
        headers["Content-Type"] = "application/json"
        return self._answer("POST", path, content=encoded(body), headers=headers, timeout=timeout or self._timeout)

    def _answer(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = self._client.request(method, path, **options)
        except httpx.ReadTimeout as error:
            waited = error.request.extensions["timeout"]["read"]
            raise UnavailableError(
                f"The API at {self._url} did not answer within {waited:g} s; give the client a longer `timeout`."
            ) from error
        except httpx.HTTPError as error:
            raise UnavailableError(
                f"The API at {self._url} does not answer ({type(error).__name__}); is it running? `interlace status` shows it."
            ) from error
        if answer.is_success:
            return answer
        raise _error(answer)


def _check_address(url: str) -> None:
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        address = httpx.URL("")
    if address.scheme not in {"http", "https"} or not address.host:
        raise InvalidInputError(f"url: {url!r} must be {WEB_ADDRESS.description}.")


def _error(answer: httpx.Response) -> InterlaceError:
    try:
        detail = str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{answer.url} answered {answer.status_code}, not as this API does; is the address right?"
    if answer.status_code == httpx.codes.UNAUTHORIZED and "Authorization" not in answer.request.headers:
        detail = (
            "This server requires an API key: give the client its `api_key`, or `interlace mcp` INTERLACE_MCP_API_KEY."
        )
    if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        wait = answer.headers.get("retry-after", "")
        return RateLimitedError(detail, retry_after=float(wait) if wait.isdecimal() else None)
    return _ERRORS.get(answer.status_code, InterlaceError)(detail)
