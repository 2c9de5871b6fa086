"""The wire between a service and its parser process: length-prefixed JSON, then the raw bytes of the document.

A frame is eight bytes, the lengths of both parts as big-endian 32-bit numbers, and the parts. Answers have no raw part.
"""

import struct
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, BinaryIO

import orjson

from interlace.domain.atoms import ATLAS_STRATEGY
from interlace.domain.documents import DocumentLink, ParsedDocument, Section, Source
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits

HEADER = struct.Struct(">II")
_READ = ("title", ATLAS_STRATEGY)


def pack(message: Mapping[str, Any], raw: bytes = b"") -> bytes:
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
    """Return that many bytes, fewer only at the end: a pipe hands them over in pieces."""
    block = stream.read(size)
    if len(block) == size:
        return block
    blocks, missing = [block], size - len(block)
    while block and missing:
        block = stream.read(missing)
        blocks.append(block)
        missing -= len(block)
    return b"".join(blocks)


def source_frame(source: Source) -> bytes:
    """Return the request to parse a source, with the little of its metadata that matters to a parser."""
    known = {key: value for key in _READ if isinstance(value := source.metadata.get(key), str)}
    uri = source.uri.encode("utf-8", "replace").decode()
    return pack({"uri": uri, "media_type": source.media_type, "metadata": known}, source.content)


def source_of(message: Mapping[str, Any], content: bytes) -> Source:
    """Return the source of a request."""
    return Source(message["uri"], message["media_type"], content, message["metadata"])


def limits_message(limits: ParseLimits) -> dict[str, Any]:
    """Return the limits as JSON values: the first message to a parser process."""
    return asdict(limits) | {"reference_types": sorted(limits.reference_types)}


def limits_of(message: Mapping[str, Any]) -> ParseLimits:
    """Return the limits of a first message."""
    return ParseLimits(**{**message, "reference_types": frozenset(message["reference_types"])})


def answer_frame(answer: ParsedDocument | ParseError, *, last: bool = False) -> bytes:
    """Return the answer to a request; ``last`` announces that the process ends after it."""
    if isinstance(answer, ParseError):
        return pack({"error": answer.message, "reason": answer.reason, "last": last})
    # orjson writes dataclasses itself, far faster than ``asdict``.
    return pack({"document": answer, "last": last})


def answer_of(message: Mapping[str, Any], uri: str) -> ParsedDocument | ParseError:
    """Return the document or the error of an answer about the source with this URI."""
    document = message.get("document")
    if document is None:
        return ParseError(message["error"], reason=message["reason"], uri=uri)
    values = {item.name: document[item.name] for item in fields(ParsedDocument)}
    for name in ("tags", "aliases"):
        values[name] = tuple(values[name])
    values["sections"] = tuple(Section(**{**item, "path": tuple(item["path"])}) for item in values["sections"])
    values["links"] = tuple(DocumentLink(**item) for item in values["links"])
    return ParsedDocument(**values)
