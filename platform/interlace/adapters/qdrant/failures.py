"""Failures between here and Qdrant, as errors of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import httpx
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from interlace.domain.errors import (
    ConflictError,
    InterlaceError,
    NoSpaceError,
    NotFoundError,
    QueryRefusedError,
    RefusedSettingsError,
    UnavailableError,
)

_FULL = "No space left on device"


@contextmanager
def failures(url: str, timeout: float) -> Iterator[None]:
    """Turn the client's exceptions into ours.

    Raises:
        UnavailableError: no answer, an unintelligible answer, or a failure of the server.
        NoSpaceError: the server's disk is full.
        NotFoundError: the collection does not exist.
        ConflictError: the collection exists already.
        RefusedSettingsError: the API key is refused.
        QueryRefusedError: any other refusal.
    """
    try:
        yield
    except (ResponseHandlingException, httpx.RequestError) as error:
        cause = error.source if isinstance(error, ResponseHandlingException) else error
        raise UnavailableError(
            f"Qdrant at {url} did not answer within {timeout:g} s ({cause!r}); is it running? `interlace doctor` checks."
        ) from error
    except ResourceExhaustedResponse as error:
        raise UnavailableError(f"Qdrant at {url} is overloaded: {error}. Try again later.") from error
    except UnexpectedResponse as error:
        raise refusal(url, error.status_code or 0, error.content) from error


def refusal(url: str, status: int, content: bytes) -> InterlaceError:
    """Return our error for an answer with a status that is not a success."""
    words = content.decode(errors="replace")[:500]
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return RefusedSettingsError(
            f"Qdrant at {url} refuses the API key; set INTERLACE_QDRANT__API_KEY to the server's."
        )
    if status == HTTPStatus.NOT_FOUND:
        return NotFoundError(
            f"Qdrant at {url} has no such collection or point: {words}; `interlace vectors rebuild` writes them again."
        )
    if status == HTTPStatus.CONFLICT:
        return ConflictError(f"Qdrant at {url} reports a conflict: {words}")
    if status == HTTPStatus.INSUFFICIENT_STORAGE or _FULL in words:
        return NoSpaceError(f"Qdrant at {url} has no disk space left: {words}")
    failed = status >= HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.NOT_IMPLEMENTED
    if failed or status == HTTPStatus.TOO_MANY_REQUESTS:
        return UnavailableError(f"Qdrant at {url} failed with status {status}: {words}")
    return QueryRefusedError(f"Qdrant at {url} refused a request with status {status}: {words}")
