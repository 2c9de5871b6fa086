"""Errors as ``application/problem+json`` (RFC 9457): one shape for every refusal and failure, with a stable type.

What went wrong inside is logged under the trace id and never sent.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import orjson
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Match

from interlace.domain.errors import InterlaceError
from interlace.domain.validation import explained

_logger = logging.getLogger(__name__)
MEDIA_TYPE: Final = "application/problem+json"
_LISTED_FIELDS = 20
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its HTTP status, its name for people, and what to do about it."""

    status: int
    title: str
    remedy: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed-request": Kind(400, "Malformed request", "Send a request as /docs describes it."),
    "untrusted-host": Kind(400, "Unknown host name", "Call the API by the address it listens on."),
    "unauthorized": Kind(401, "API key missing or wrong", "Send `Authorization: Bearer KEY` or `X-API-Key: KEY`."),
    "forbidden": Kind(
        403, "Not permitted for this key", "Use a key that has the scope and the tenant; `detail` names them."
    ),
    "not-found": Kind(404, "Not found", "Check the address or the id; ids belong to one tenant."),
    "method-not-allowed": Kind(405, "Method not allowed", "The header `Allow` lists the methods that are."),
    "request-timeout": Kind(408, "Request timed out", "Send the whole request without pauses."),
    "conflict": Kind(409, "Conflict with the current state", "Read the current state, then decide again."),
    "too-large": Kind(
        413, "Request too large", "Send fewer or smaller documents; INTERLACE_API__MAX_BODY_BYTES is the limit."
    ),
    "unsupported-media-type": Kind(
        415, "Unsupported content type", "Send `application/json`, or `multipart/form-data` for files."
    ),
    "invalid-input": Kind(422, "Invalid input", "`errors` names each field and what it may be."),
    "unreadable-document": Kind(422, "Unreadable document", "Repair the document or convert it, then send it again."),
    "rate-limited": Kind(429, "Too many requests", "Wait for the seconds of `Retry-After`, or ask for a higher rate."),
    "internal": Kind(500, "Internal error", "Look for the trace id in the server's log, or report it."),
    "invalid-output": Kind(502, "Language model gave no usable output", "Ask again, or choose another model."),
    "unavailable": Kind(503, "A server does not answer", "Try again later; `interlace doctor` checks every server."),
}
_REFUSALS: Final = frozenset({"unauthorized", "forbidden", "untrusted-host", "rate-limited"})
_BY_STATUS: Final = {
    400: "malformed-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    408: "request-timeout",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-input",
}


class Problem(BaseModel):
    """Why a request was refused or failed."""

    type: str = Field(
        description="stable address of a description of the kind of problem", examples=["/problems/not-found"]
    )
    title: str = Field(description="the kind of problem, for people")
    status: int = Field(description="the HTTP status")
    detail: str = Field(description="what happened to this request, and the remedy")
    instance: str = Field(description="path of the request")
    trace_id: str = Field(description="identifies this request in the server's log")
    errors: list[dict[str, str]] | None = Field(None, description="refused fields: `field` and `message`")


RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    status: {"description": text, "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}}}
    for status, text in (("4XX", "The request was refused."), ("5XX", "The request failed."))
}


def problem(
    scope: Mapping[str, Any],
    code: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem document.

    Args:
        scope: the ASGI scope of the request; its state holds the trace id.
        code: a key of ``KINDS``.
        detail: a full sentence.
        errors: refused fields.
        headers: further headers.
    """
    kind = KINDS[code]
    if code in _REFUSALS:
        # The audit log takes it from here, whoever refused.
        scope.get("state", {})["refusal"] = f"{code}: {detail}"
    body: dict[str, Any] = {
        "type": f"/problems/{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": scope["path"],
        "trace_id": scope.get("state", {}).get("trace_id", ""),
    }
    if errors:
        body["errors"] = list(errors)
    # Paths and field names come from outside and may hold what UTF-8 cannot.
    content = orjson.dumps(_encodable(body))
    return Response(content, kind.status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def on_interlace_error(request: Request, error: Exception) -> Response:
    """Answer an expected failure with its own sentence; one that is a defect of ours, with the trace id only."""
    if not isinstance(error, InterlaceError) or error.code not in KINDS:
        return internal(request.scope, error)
    headers = {"Retry-After": "2"} if error.code == "unavailable" else None
    return problem(request.scope, error.code, error.message, headers=headers)


def on_validation_error(request: Request, error: Exception) -> Response:
    """Answer 422 with each refused field and why."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    errors = [{"field": _field_of(item), "message": _sentence(item)} for item in found[:_LISTED_FIELDS]]
    detail = " ".join(f"{item['field']}: {item['message']}" for item in errors) or "The request is not valid."
    return problem(request.scope, "invalid-input", detail, errors=errors)


def on_http_error(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses: unknown paths, methods, bodies."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status not in _BY_STATUS:
        return internal(request.scope, error)
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_allowed(request))
    return problem(request.scope, _BY_STATUS[status], _http_detail(request, status, error), headers=headers)


def _allowed(request: Request) -> list[str]:
    """Return the methods of every route of a path; the framework names those of the first one only."""
    return [
        method
        for method in _METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]


def internal(scope: Mapping[str, Any], error: Exception) -> Response:
    """Log an unexpected failure and answer 500 with nothing but its trace id."""
    trace = scope.get("state", {}).get("trace_id", "")
    _logger.error("%s %s failed (trace %s)", scope["method"], scope["path"], trace, exc_info=error)
    return problem(
        scope, "internal", f"The server failed to handle the request. Its log has the details under {trace}."
    )


def field_name(loc: Sequence[int | str]) -> str:
    """Return a field as callers write it: ``filters.must[0].op``; the whole body is ``body``."""
    name = ""
    for part in loc[1:]:
        if isinstance(part, int):
            name += f"[{part}]"
        elif part not in {"condition", "filter"} or not name:  # names of alternatives that pydantic puts in between
            name += f".{part}" if name else part
    return name or str(loc[0] if loc else "request")


def _field_of(item: Mapping[str, Any]) -> str:
    # Where JSON is broken, the location is no field but a character.
    return field_name(item["loc"][:1] if item["type"] == "json_invalid" else item["loc"])


def _http_detail(request: Request, status: int, error: Exception) -> str:
    if status == HTTPStatus.NOT_FOUND:
        return f"There is no {request.url.path} here; /docs lists the paths."
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return f"{request.url.path} does not answer {request.method}."
    return str(getattr(error, "detail", KINDS[_BY_STATUS[status]].title))


def _sentence(item: Mapping[str, Any]) -> str:
    if item["type"] == "json_invalid":
        return f"not valid JSON at character {item['loc'][-1]}: {item.get('ctx', {}).get('error', 'cannot be read')}."
    if item["type"] == "extra_forbidden":
        return "there is no such field."
    if item["type"] == "model_attributes_type" and tuple(item["loc"]) == ("body",):
        return "is not a JSON object. Send one, with the header `Content-Type: application/json`."
    return explained(item)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _encodable(item) for key, item in value.items()}
    return value
