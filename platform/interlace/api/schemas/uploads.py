"""Documents as callers send them: JSON with text or base64, or files of a form; both become sources."""

import base64
import binascii
import math
import unicodedata
from typing import Annotated, Any, Self
from urllib.parse import urldefrag

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from interlace.api.schemas.request_body import RequestBody
from interlace.domain.atoms import ATLAS_STRATEGY, AtlasStrategy
from interlace.domain.documents import ACCESS, LOCAL_FILE, Source
from interlace.domain.reader import MAX_GROUPS
from interlace.domain.validation import GROUP, SURROGATE, WEB_ADDRESS
from interlace.parsing.decoding import clean
from interlace.parsing.media import TEXT, UNKNOWN, media_type_of
from interlace.ports.fetcher import MAX_URLS

MAX_DOCUMENTS = 1000
_MAX_DEPTH = 8
_INT64 = 2**63
# The shorter name is what earlier callers send.
_SOURCE_URI = AliasChoices("source_uri", "uri")


def uri_problem(uri: str) -> str:
    """Return what is wrong with a source URI; empty if nothing is."""
    if not uri.strip():
        return "must not be blank"
    normal = unicodedata.normalize("NFC", uri)
    return "" if clean(normal) == normal and "\n" not in uri else "must not hold control or unprintable characters"


def _uri(value: str) -> str:
    if problem := uri_problem(value):
        raise ValueError(problem)
    return value


def _without_fragment(url: str) -> str:
    """Return an address without the place on its page, which is no part of what identifies the document."""
    return urldefrag(url).url


def json_metadata(value: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata as it is.

    Raises:
        ValueError: it holds what JSON cannot (NaN, infinity, lone surrogates), whole numbers beyond 64 bits, or nests too deep; or it
            names a file of this machine, which a caller from elsewhere may not.
    """
    if LOCAL_FILE in value:
        raise ValueError(f"the key `{LOCAL_FILE}` is reserved for files that this machine reads; use another")
    _check(value, 1)
    return value


def _check(value: Any, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError(f"nests deeper than {_MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key, item in value.items():
            _check(key, depth + 1)
            _check(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("holds NaN or an infinity, which JSON does not have")
    elif isinstance(value, int) and not -_INT64 <= value < _INT64:
        raise ValueError("holds an integer of more than 64 bits; send it as text")
    elif isinstance(value, str) and SURROGATE.search(value):
        raise ValueError("holds half of a surrogate pair")


Uri = Annotated[str, StringConstraints(min_length=1, max_length=2000), AfterValidator(_uri)]
Metadata = Annotated[dict[str, Any], AfterValidator(json_metadata)]
Group = Annotated[str, StringConstraints(pattern=GROUP.pattern)]


class Content(RequestBody):
    """What a document holds."""

    text: str | None = Field(None, description="the document, if it is text")
    content_base64: str | None = Field(None, description="the document's bytes in base64, for example of a PDF")
    media_type: Annotated[str, StringConstraints(max_length=200)] | None = Field(
        None, description="if not given, inferred from the extension of the URI", examples=["text/markdown"]
    )
    metadata: Metadata = Field(
        default_factory=dict,
        description="any key and JSON value; filters may name them. `tags` are tags of the document",
    )
    atlas_strategy: AtlasStrategy | None = Field(
        None,
        description="ingests Markdown as an atom, split by `section` or as one `atom`; if not given, only notes with "
        "an `atlas_id` are atoms, split by section",
    )

    access: list[Group] | None = Field(
        None,
        max_length=MAX_GROUPS,
        description="groups of readers that may see it, none for everybody; if not given, as the document itself declares",
    )

    @field_validator("content_base64")
    @classmethod
    def _is_base64(cls, value: str | None) -> str | None:
        try:
            base64.b64decode(value or "", validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("is not base64") from None
        return value

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if (self.text is None) == (self.content_base64 is None):
            raise ValueError("give either text or content_base64")
        return self

    def to_source(self, uri: str) -> Source:
        """Return the document as ingestion takes it."""
        content = self.text.encode() if self.text is not None else base64.b64decode(self.content_base64 or "")
        guessed = media_type_of(uri)
        if guessed == UNKNOWN and self.text is not None:
            guessed = TEXT
        strategy = {ATLAS_STRATEGY: self.atlas_strategy} if self.atlas_strategy else {}
        access = {ACCESS: self.access} if self.access is not None else {}
        return Source(uri, self.media_type or guessed, content, {**self.metadata, **strategy, **access})


class DocumentBody(Content):
    """One document and what identifies it."""

    source_uri: Uri = Field(
        validation_alias=_SOURCE_URI,
        description="identifies the document: a path or URL; sending it again replaces it",
        examples=["notes/a.md"],
    )


class ReplacementBody(Content):
    """A new version of a document."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "# Plover\n\nThe Plover is a data logger."}]})

    source_uri: Uri | None = Field(
        None, validation_alias=_SOURCE_URI, description="the document's URI; needed only if it does not exist yet"
    )


class AddressBody(RequestBody):
    """A document that is named by its address."""

    url: Annotated[Uri, StringConstraints(pattern=WEB_ADDRESS.pattern), AfterValidator(_without_fragment)] = Field(
        description="address of the document, and its source URI", examples=["https://docs.example/guide.html"]
    )
    metadata: Metadata = Field(default_factory=dict, description="any key and JSON value, as of a document")
    access: list[Group] | None = Field(
        None, max_length=MAX_GROUPS, description="groups of readers that may see it, none for everybody"
    )

    def sent(self) -> dict[str, Any]:
        """Return the metadata that its sender gives it."""
        return {**self.metadata, **({ACCESS: self.access} if self.access is not None else {})}


class BatchBody(RequestBody):
    """Documents to be ingested by one job, as they are or by their addresses."""

    model_config = ConfigDict(
        json_schema_extra={
            "minProperties": 1,
            "examples": [
                {"documents": [{"source_uri": "notes/plover.md", "text": "# Plover\n\nThe Plover is a data logger."}]}
            ],
        },
    )

    documents: list[DocumentBody] = Field(
        default_factory=list, min_length=1, max_length=MAX_DOCUMENTS, description="each with a unique URI"
    )
    urls: list[AddressBody] = Field(
        default_factory=list,
        min_length=1,
        max_length=MAX_URLS,
        description="documents to fetch, from hosts that the server's settings allow; by default there are none",
    )

    @field_validator("documents")
    @classmethod
    def _distinct(cls, value: list[DocumentBody]) -> list[DocumentBody]:
        _check_distinct([document.source_uri for document in value])
        return value

    @field_validator("urls")
    @classmethod
    def _distinct_urls(cls, value: list[AddressBody], info: ValidationInfo) -> list[AddressBody]:
        documents: list[DocumentBody] = info.data.get("documents", [])
        _check_distinct([*(document.source_uri for document in documents), *(each.url for each in value)])
        return value

    @model_validator(mode="after")
    def _has_some(self) -> Self:
        if not self.documents and not self.urls:
            raise ValueError("give documents, urls or both")
        return self


def _check_distinct(uris: list[str]) -> None:
    seen: set[str] = set()
    for uri in uris:
        if uri in seen:
            raise ValueError(f"the source_uri {uri!r} occurs twice")
        seen.add(uri)


class SourceError(BaseModel):
    """A document of the request that cannot be ingested; the others are."""

    source_uri: str = Field(description="where the document came from; empty if it has no name")
    reason: str = Field(description="a stable code for the failure")
    message: str = Field(description="the failure as a sentence, with its remedy")


class Accepted(BaseModel):
    """What was received; the job does the rest."""

    job_id: str = Field(description="follow it at /v1/jobs/{job_id}")
    received: int = Field(description="documents that the job will process")
    unchanged: int = Field(description="documents that are in the graph already, byte for byte")
    errors: list[SourceError] = Field(default_factory=list, description="documents that cannot be read at all")
