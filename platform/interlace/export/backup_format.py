"""The file of a backup: gzip with JSON Lines.

The first line describes the file: ``{"format", "version", "schema", "tenants", "settings"}``. Each tenant begins with ``{"tenant", "properties"}``,
followed by its nodes ``{"label", "key", "labels", "properties", "relationships"}``; a relationship has ``type``, ``properties``, and the
``label`` and ``key`` of its end. The last line ``{"nodes", "relationships", "sha256"}`` has counts and the digest of all lines before it.
Bytes are ``{"$bytes": base64}``, times ``{"$time": ISO 8601}``.
"""

import base64
import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import orjson

from interlace.domain.errors import InvalidInputError

FORMAT = "interlace-backup"
VERSION = 1
OLDEST_SCHEMA = 19
"""The last migration that changes data which a backup holds: what was saved before it does not have what it did."""
_MAX_LINE_CHARACTERS = 200_000_000
_COMPRESSION = 6
_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds.

    Args:
        tenants: the tenants that own the graphs.
        settings: the settings that were set, without secrets and paths of the machine.
        schema: version of the database's schema that it was saved with; 0 where the file is too old to say.
        nodes: number of nodes.
        relationships: number of relationships.
        digest: SHA-256 of its lines but for the last.
    """

    tenants: tuple[str, ...]
    settings: Mapping[str, Any]
    schema: int
    nodes: int
    relationships: int
    digest: str


class BackupWriter:
    """Writes lines, and counts nodes and relationships."""

    def __init__(self, out: gzip.GzipFile) -> None:
        self._out = out
        self._digest = hashlib.sha256()
        self.nodes = 0
        self.relationships = 0

    def line(self, value: Mapping[str, Any]) -> None:
        """Write one line."""
        data = orjson.dumps(value, default=_encoded, option=_OPTIONS)
        self._digest.update(data)
        self._out.write(data)

    def node(self, value: Mapping[str, Any]) -> None:
        """Write a node with its outgoing relationships."""
        self.line(value)
        self.nodes += 1
        self.relationships += len(value["relationships"])

    @property
    def digest(self) -> str:
        """SHA-256 of the lines so far."""
        return self._digest.hexdigest()

    def finish(self) -> None:
        """Write the last line."""
        self.line({"nodes": self.nodes, "relationships": self.relationships, "sha256": self.digest})


@contextmanager
def writing(target: Path) -> Iterator[BackupWriter]:
    """Yield a writer whose file replaces the target, durably, when the block ends without an error; else nothing is left.

    Raises:
        OSError: the file cannot be written.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as raw:
            # No time and no name in the header, so that the same graph gives the same file.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=_COMPRESSION, mtime=0) as out:
                writer = BackupWriter(out)
                yield writer
                writer.finish()
            raw.flush()
            os.fsync(raw.fileno())
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)


def check(source: Path) -> Contents:
    """Read the whole file, compare it with its digest, and return what it holds.

    Raises:
        InvalidInputError: it is not a backup, of a newer format, corrupt or truncated.
    """
    digest, nodes, relationships = hashlib.sha256(), 0, 0
    last: bytes | None = None
    head: dict[str, Any] | None = None
    for line in _lines(source):
        if last is not None:
            digest.update(last)
            value = _loaded(source, last)
            head = head if head is not None else _head(source, value)
            if "relationships" in value:
                nodes, relationships = nodes + 1, relationships + len(value["relationships"])
        last = line
    end = _loaded(source, last or b"{}")
    if head is None or end != {"nodes": nodes, "relationships": relationships, "sha256": digest.hexdigest()}:
        raise _damaged(source, "its last line does not agree with what comes before")
    return Contents(
        tuple(head["tenants"]), head["settings"], head.get("schema", 0), nodes, relationships, digest.hexdigest()
    )


def read(source: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of tenants and of nodes from a file that was checked."""
    for line in _lines(source):
        value = _loaded(source, line)
        if "properties" in value:
            yield value


def _lines(source: Path) -> Iterator[bytes]:
    try:
        with gzip.open(source, "rb") as lines:
            while line := lines.readline(_MAX_LINE_CHARACTERS):
                yield line
    except gzip.BadGzipFile as error:
        raise InvalidInputError(f"{source} is not a backup of Interlace, or damaged ({error}).") from error
    except (EOFError, zlib.error) as error:
        raise _damaged(source, str(error)) from error


def _loaded(source: Path, line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _damaged(source, str(error)) from error
    if not isinstance(value, dict):
        raise _damaged(source, "a line is not an object")
    return value


def _head(source: Path, value: Mapping[str, Any]) -> dict[str, Any]:
    if value.get("format") != FORMAT:
        raise InvalidInputError(f"{source} is not a backup of Interlace; `interlace backup` writes one.")
    if value.get("version") != VERSION:
        raise InvalidInputError(
            f"{source} has version {value.get('version')} of the backup format, this Interlace reads {VERSION}; restore it with the "
            "Interlace that wrote it."
        )
    return dict(value)


def _damaged(source: Path, why: str) -> InvalidInputError:
    return InvalidInputError(f"{source} is corrupt or truncated ({why}); nothing was changed. Take another copy.")


def _encoded(value: object) -> Any:
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime | date | time):
        return {"$time": value.isoformat()}
    raise TypeError(f"A property of type {type(value).__name__} cannot be backed up.")


def decode_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a line with bytes and times as the graph takes them."""
    return {name: _decoded(value) for name, value in properties.items()}


def _decoded(value: Any) -> Any:
    if isinstance(value, dict) and "$bytes" in value:
        return base64.b64decode(value["$bytes"])
    if isinstance(value, dict) and "$time" in value:
        return datetime.fromisoformat(value["$time"])
    return [_decoded(item) for item in value] if isinstance(value, list) else value
