"""What the URI of a document says about its file: a name may have any character, ``#`` too, which otherwise begins the id of a record."""

import posixpath
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from interlace.parsing.media import CALENDAR, CARDS, CSV, JSON, JSON_LINES, MAILBOX, TSV, UNKNOWN, media_type_of

_NONE: Mapping[str, Any] = MappingProxyType({})
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_OF_RECORDS = frozenset({JSON, JSON_LINES, CSV, TSV, MAILBOX, CALENDAR, CARDS})


def file_uri(uri: str, metadata: Mapping[str, Any] = _NONE) -> str:
    """Return the URI of the file that a document is or is a record of; of an address, what stands before the fragment.

    Args:
        uri: the document's source URI.
        metadata: of its source, where ``path`` is the URI of the file that was read.
    """
    path = metadata.get("path")
    if isinstance(path, str) and f"{uri}#".startswith(f"{path}#"):
        return path
    files = (uri[: mark.start()] for mark in re.finditer("#", uri))
    file, _, last = uri.rpartition("#")
    # A file may be sent under any name (``export#7``); what ends with a suffix of its own, or goes on with a folder, is a name with ``#``.
    whole = uri if not file or "/" in last or posixpath.splitext(last)[1] else file
    return next((each for each in files if _ADDRESS.match(uri) or media_type_of(each) in _OF_RECORDS), whole)


def record_of(uri: str, metadata: Mapping[str, Any] = _NONE) -> str:
    """Return the id of the record, or the fragment, that a source URI ends with; empty for a whole file."""
    return uri.removeprefix(file_uri(uri, metadata))[1:]


def without_suffix(path: str) -> str:
    """Return a path without the suffix of a format that is read, which links to documents leave out; other suffixes stay."""
    return posixpath.splitext(path)[0] if media_type_of(path) != UNKNOWN else path
