"""Parse bytes in a test, in the process of the test."""

import io
import zipfile
from collections.abc import Mapping

import pytest

from interlace.domain.documents import ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

LIMITS = ParseLimits()
URI = "folder/file.x"


def read(content: bytes | str, media_type: str, uri: str = URI, limits: ParseLimits = LIMITS) -> ParsedDocument:
    return parse(Source(uri, media_type, content.encode() if isinstance(content, str) else content), limits)


def refusal(content: bytes | str, media_type: str, limits: ParseLimits = LIMITS, uri: str = URI) -> ParseError:
    """Return the error that refuses the content; its message begins with the document's name."""
    with pytest.raises(ParseError) as caught:
        read(content, media_type, uri, limits)
    assert caught.value.message.startswith(uri)
    return caught.value


def packed(parts: Mapping[str, str]) -> bytes:
    """Return a ZIP archive of some parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()
