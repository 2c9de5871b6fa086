"""Reads uploads: a JSON body or the files of a form become sources; files of records become one source a record."""

import io
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from interlace.api.numbers import places_of_non_finite
from interlace.api.schemas.uploads import MAX_DOCUMENTS, BatchBody, Metadata, uri_problem
from interlace.domain.documents import ACCESS, TAGS, Source
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.domain.reader import group_names
from interlace.domain.validation import explained
from interlace.parsing.media import media_type_of
from interlace.parsing.metadata import words_of
from interlace.parsing.received import documents_in, documents_of_page
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.ports.fetcher import PageFetcher

_METADATA = TypeAdapter(Metadata)
_FINITE = "must be a finite number; JSON has neither NaN nor infinities"
_FILE_FIELDS = frozenset({"file", "files"})

REQUEST_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/BatchBody"}},
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["files"],
                "properties": {
                    "files": {
                        "type": "array",
                        "items": {"type": "string", "format": "binary"},
                        "description": "each file's name becomes the document's URI",
                    },
                    "metadata": {
                        "type": "string",
                        "description": "a JSON object that every file gets as metadata",
                        "example": '{"team": "harbour"}',
                    },
                    "tags": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "tags that every file gets in addition to its own",
                        "example": ["boats"],
                    },
                    "access": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "groups of readers that may see every file; if not given, as each declares",
                        "example": [],
                    },
                },
            }
        },
    },
}


@dataclass(frozen=True, slots=True)
class Upload:
    """A request's body before it was looked at: JSON bytes or a form."""

    body: bytes
    form: FormData | None


async def _received(request: Request) -> AsyncIterator[Upload]:
    """Receive the body; what it holds is looked at in the endpoint's thread, where it blocks no other request."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        async with request.form(max_files=MAX_DOCUMENTS, max_fields=100) as form:
            yield Upload(b"", form)
    elif kind == "application/json":
        yield Upload(await request.body(), None)
    else:
        raise HTTPException(
            415, f"Send documents as application/json or multipart/form-data, not as {kind or 'nothing'}."
        )


Received = Annotated[Upload, Depends(_received)]


@dataclass(frozen=True, slots=True)
class Requested:
    """What an upload asks for.

    Args:
        documents: those that it holds, and an error for each that cannot be read.
        addresses: those of documents that it only names, each with the metadata of its sender.
    """

    documents: list[Source | ParseError]
    addresses: Sequence[tuple[str, Mapping[str, Any]]] = ()

    def fetched(self, fetcher: PageFetcher, limits: ParseLimits) -> list[Source | ParseError]:
        """Return all documents, those at the addresses first.

        Raises:
            InvalidInputError: there are addresses, and the settings allow no fetching.
        """
        pages = fetcher.fetch([url for url, _ in self.addresses]) if self.addresses else []
        found: list[Source | ParseError] = []
        for (_, metadata), page in zip(self.addresses, pages, strict=True):
            found += documents_of_page(page, metadata, limits)
        return found + self.documents


def requested(upload: Upload, limits: ParseLimits) -> Requested:
    """Return what an upload asks for; nothing is fetched yet.

    Raises:
        RequestValidationError: the body is not what the API description asks for; it names the field.
    """
    found: list[Source | ParseError] = []
    if upload.form is None:
        batch = _batch(upload.body)
        for document in batch.documents:
            source = document.to_source(document.source_uri)
            found += documents_in(io.BytesIO(source.content), source.media_type, source.uri, source.metadata, limits)
        return Requested(found, [(each.url, each.sent()) for each in batch.urls])
    metadata = _form_metadata(upload.form)
    for number, file in enumerate(_files(upload.form)):
        uri = file.filename or ""
        if problem := uri_problem(uri):
            raise _refused(("body", "files", number), f"the file name {problem}")
        media_type = media_type_of(uri)
        found += documents_in(file.file, media_type, uri, metadata, limits)
    return Requested(found)


def _batch(body: bytes) -> BatchBody:
    try:
        return BatchBody.model_validate(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise _unreadable(("body",), body, f"not valid JSON: {error.msg} at character {error.pos}") from None
    except ValidationError as error:
        problems = [
            {**item, "loc": ("body", *item["loc"])} for item in error.errors(include_input=False, include_url=False)
        ]
        raise RequestValidationError(problems) from None


def _files(form: FormData) -> list[UploadFile]:
    files: list[UploadFile] = []
    for name, value in form.multi_items():
        if isinstance(value, UploadFile) and name in _FILE_FIELDS:
            files.append(value)
        elif name not in {"metadata", "tags", "access"}:
            raise _refused(
                ("body", name), "is not a known field; send `files`, and optionally `metadata`, `tags` and `access`"
            )
    if not files:
        raise _refused(("body", "files"), "at least one file is needed")
    names = [file.filename for file in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _refused(("body", "files"), f"the file name {twice!r} occurs twice")
    return files


def _form_metadata(form: FormData) -> dict[str, Any]:
    tags = [value for value in form.getlist("tags") if isinstance(value, str)]
    metadata = _json_of_form(form)
    groups = [name for value in form.getlist("access") if isinstance(value, str) for name in words_of(value)]
    try:
        access = {ACCESS: list(group_names(groups))} if "access" in form else {}
    except InvalidInputError as error:
        raise _refused(("body", "access"), error.message) from None
    return {**metadata, **access, **({TAGS: [*words_of(metadata.get(TAGS)), *tags]} if tags else {})}


def _json_of_form(form: FormData) -> dict[str, Any]:
    given = form.get("metadata", "{}")
    body = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else b""
    try:
        return _METADATA.validate_python(orjson.loads(body), strict=True)
    except orjson.JSONDecodeError:
        raise _unreadable(("body", "metadata"), body, "must be a JSON object") from None
    except ValidationError as error:
        why = explained(error.errors(include_input=False)[0])
        raise _refused(("body", "metadata"), f"must be a JSON object of metadata: {why}") from None


def _refused(loc: tuple[int | str, ...], message: str) -> RequestValidationError:
    return RequestValidationError([{"loc": loc, "msg": message, "type": "value_error"}])


def _unreadable(loc: tuple[int | str, ...], body: bytes, otherwise: str) -> RequestValidationError:
    """Return the refusal of a JSON text: by the names of the fields whose numbers JSON does not have, if it is that."""
    wrong = [{"loc": (*loc, *place), "msg": _FINITE, "type": "value_error"} for place in places_of_non_finite(body)]
    return RequestValidationError(wrong) if wrong else _refused(loc, otherwise)
