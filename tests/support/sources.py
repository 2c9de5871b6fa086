"""Find documents on disk in a test: files written, sources found, errors by URI and reason."""

from collections.abc import Sequence
from pathlib import Path

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import SourceResult, find_sources

LIMITS = ParseLimits()


def find(*paths: Path, limits: ParseLimits = LIMITS) -> list[SourceResult]:
    return list(find_sources(paths, limits=limits))


def uris(found: Sequence[SourceResult]) -> list[str]:
    return [item.uri for item in found if isinstance(item, Source)]


def faults(found: Sequence[SourceResult]) -> list[tuple[str, str]]:
    return [(item.uri, item.reason) for item in found if isinstance(item, ParseError)]


def write(path: Path, content: bytes | str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
