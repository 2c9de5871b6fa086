"""Documents received over the network, as a stream or as a web page: one source, or one for each record."""

import io
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import unquote, urldefrag, urlsplit

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.media import JSON, TEXT, UNKNOWN, media_type_of
from interlace.parsing.records.files import RECORD_FILES, split_array, split_records
from interlace.parsing.registry import too_large
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.ports.fetcher import FetchedPage


def documents_in(
    stream: BinaryIO, media_type: str, uri: str, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield the documents in one file: many records, or the file itself."""
    if media_type in RECORD_FILES:
        yield from split_records(stream, media_type, uri, metadata, limits)
        return
    content = stream.read(limits.max_bytes + 1)
    if len(content) > limits.max_bytes:
        error = too_large(uri, len(content) + len(stream.read()), limits)
        error.uri = uri
        yield error
    elif media_type == JSON:
        yield from split_array(content, uri, metadata, limits)
    else:
        yield Source(uri, media_type, content, metadata)


def documents_of_page(
    page: FetchedPage | ParseError, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield the documents in a page, with its address as source URI. Its file name decides if the server declares nothing more specific than text."""
    if isinstance(page, ParseError):
        yield page
        return
    kind = page.media_type
    if kind in {"", TEXT, UNKNOWN}:
        suggested = media_type_of(unquote(urlsplit(page.url).path))
        kind = suggested if suggested != UNKNOWN else kind or UNKNOWN
    # A fragment is a position on the page, and would look like a record id.
    yield from documents_in(io.BytesIO(page.content), kind, urldefrag(page.url).url, metadata, limits)
