"""The wire format between a service and its parser process: length-prefixed JSON, then the raw bytes of the document.

A frame is eight bytes, the lengths of both parts as big-endian 32-bit numbers, and the parts. Answers have no raw part.
"""

import struct
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from interlace.domain.atoms import ATLAS_STRATEGY
from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits

if TYPE_CHECKING:
    from pydantic import TypeAdapter

HEADER = struct.Struct(">II")
_METADATA_FOR_PARSERS = ("title", "language", ATLAS_STRATEGY)


def encode_frame(message: Mapping[str, Any], raw: bytes = b"") -> bytes:
    """Return one frame."""
    head = orjson.dumps(message)
    return b"".join((HEADER.pack(len(head), len(raw)), head, raw))


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """Return the next frame of a blocking, unbuffered stream; None at its end."""
    header = _read(stream, HEADER.size)
    if len(header) < HEADER.size:
        return None
    size, raw_size = HEADER.unpack(header)
    body = _read(stream, size + raw_size)
    return (orjson.loads(body[:size]), body[size:]) if len(body) == size + raw_size else None


def _read(stream: BinaryIO, size: int) -> bytes:
    """Return that many bytes, fewer only at the end: a pipe delivers them in pieces."""
    block = stream.read(size)
    blocks, missing = [block], size - len(block)
    while block and missing:
        block = stream.read(missing)
        blocks.append(block)
        missing -= len(block)
    return b"".join(blocks)


def encode_source(source: Source) -> bytes:
    """Return the request to parse a source, with the part of its metadata that parsers read."""
    metadata = {key: value for key in _METADATA_FOR_PARSERS if isinstance(value := source.metadata.get(key), str)}
    uri = source.uri.encode("utf-8", "replace").decode()
    return encode_frame({"uri": uri, "media_type": source.media_type, "metadata": metadata}, source.content)


def decode_source(message: Mapping[str, Any], content: bytes) -> Source:
    """Return the source of a request."""
    return Source(message["uri"], message["media_type"], content, message["metadata"])


def encode_limits(limits: ParseLimits) -> dict[str, Any]:
    """Return the limits as JSON values: the first message to a parser process."""
    return asdict(limits) | {"reference_types": sorted(limits.reference_types)}


def decode_limits(message: Mapping[str, Any]) -> ParseLimits:
    """Return the limits of a first message."""
    return ParseLimits(**{**message, "reference_types": frozenset(message["reference_types"])})


def encode_answer(answer: ParsedDocument | ParseError, *, last: bool = False) -> bytes:
    """Return the answer to a request; ``last`` says that the process ends after it."""
    if isinstance(answer, ParseError):
        return encode_frame({"error": answer.message, "reason": answer.reason, "last": last})
    # orjson writes dataclasses itself, far faster than ``asdict``.
    return encode_frame({"document": answer, "last": last})


def decode_answer(message: Mapping[str, Any], uri: str) -> ParsedDocument | ParseError:
    """Return the document, checked against its type, or the error of an answer about the source with this URI."""
    document = message.get("document")
    if document is None:
        return ParseError(message["error"], reason=message["reason"], uri=uri)
    return _document_adapter().validate_python(document)


@cache
def _document_adapter() -> "TypeAdapter[ParsedDocument]":
    from pydantic import TypeAdapter  # the parser process, which only encodes documents, starts faster without

    return TypeAdapter(ParsedDocument)
