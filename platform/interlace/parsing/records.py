"""Files of records (JSON Lines, CSV, TSV, JSON arrays): one source for each record, without holding the file in memory.

A record's URI is ``<file>#<id>`` with its ``id`` or ``_id``, else the number of its line (in a JSON array, of its element), from 1.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, BinaryIO

import orjson
from more_itertools import spy

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import display_name
from interlace.parsing.json_record import ID_KEYS
from interlace.parsing.media import CSV, JSON, JSON_LINES, TSV
from interlace.parsing.registry import too_large
from interlace.parsing.sandbox.limits import ParseLimits

_ID_CHARACTERS = 512
_BLOCK = 1 << 16
RECORD_FILES = frozenset({JSON_LINES, CSV, TSV})


@dataclass(slots=True)
class _RecordFile:
    """What the sources of one file share, and the ids seen so far (as 8-byte hashes, because a file may have millions)."""

    uri: str
    metadata: Mapping[str, Any]
    limits: ParseLimits
    seen: set[bytes] = field(default_factory=set)

    @property
    def name(self) -> str:
        return display_name(self.uri)

    def error(self, line: int, problem: str, reason: str = "broken") -> ParseError:
        return ParseError(f"{self.name}, line {line}: {problem}", reason=reason, uri=f"{self.uri}#{line}")

    def source(self, record: Any, content: bytes, line: int) -> Source | ParseError:
        """Return the record as a source, or the error that says why it is none."""
        if not isinstance(record, dict):
            return self.error(
                line, f"{type(record).__name__} instead of an object. Give one JSON object for each record."
            )
        given = next((record[key] for key in ID_KEYS if record.get(key) not in (None, "")), line)
        if not isinstance(given, str | int):
            return self.error(line, "the id is neither a text nor a whole number. Correct it.")
        identity = str(given).strip() or str(line)
        if len(identity) > _ID_CHARACTERS:
            return self.error(
                line, f"the id has {len(identity)} characters (limit {_ID_CHARACTERS}). Shorten it.", "limit"
            )
        digest = blake2b(identity.encode("utf-8", "replace"), digest_size=8).digest()
        if digest in self.seen:
            return self.error(
                line, f"the id {display_name(identity, 80)!r} occurs before. Give each record its own.", "duplicate"
            )
        self.seen.add(digest)
        return Source(f"{self.uri}#{identity}", JSON, content, self.metadata)


def split_records(
    stream: BinaryIO, media_type: str, uri: str, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield a source, or an error naming the line, for each record of a JSON Lines, CSV or TSV stream.

    ``limits.max_bytes`` bounds each record, not the stream; memory holds one record at a time.
    """
    file = _RecordFile(uri, metadata, limits)
    if media_type == JSON_LINES:
        return _json_lines(stream, file)
    return _rows(stream, file, "\t" if media_type == TSV else "")


def split_array(
    content: bytes, uri: str, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield a source for each object of a JSON array; a single source for anything else, which the parser reads or refuses."""
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, list):
        yield Source(uri, JSON, content, metadata)
        return
    file = _RecordFile(uri, metadata, limits)
    for number, record in enumerate(value, start=1):
        yield file.source(record, orjson.dumps(record), number)


def _json_lines(stream: BinaryIO, file: _RecordFile) -> Iterator[Source | ParseError]:
    for number, line in _lines(stream, file.limits.max_bytes):
        if line is None:
            yield _too_large(file, number)
            continue
        content = (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).strip()
        if not content:
            continue
        try:
            record = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            yield file.error(number, f"not valid JSON: {error.msg}. Correct it.")
            continue
        yield file.source(record, content, number)


def _lines(stream: BinaryIO, limit: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield numbered lines; None for a line above the limit, which is skipped without being held."""
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if len(line.rstrip(b"\r\n")) <= limit:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_BLOCK)
        yield number, None


def _too_large(file: _RecordFile, line: int) -> ParseError:
    size = f"more than {file.limits.max_bytes}"
    return too_large(f"{file.name}, line {line}: the record", size, file.limits, uri=f"{file.uri}#{line}")


def _rows(stream: BinaryIO, file: _RecordFile, delimiter: str) -> Iterator[Source | ParseError]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    try:
        # A process-wide setting of the csv module, so it is only ever raised.
        csv.field_size_limit(max(csv.field_size_limit(), file.limits.max_bytes))
        yield from _csv_sources(text, file, delimiter)
    finally:
        text.detach()


def _csv_sources(text: io.TextIOWrapper, file: _RecordFile, delimiter: str) -> Iterator[Source | ParseError]:
    reader: Any = None
    try:
        head, lines = spy(_bounded(text, file))
        reader = csv.reader(lines, delimiter=delimiter or _delimiter("".join(head)), strict=True)
        header = [name.strip() for name in next(reader, [])]
        if not header or len(set(header)) < len(header) or not all(header):
            yield file.error(1, "the first row must name each column once. Add a header.")
            return
        for row in reader:
            if row:
                yield _csv_source(row, header, file, reader.line_num)
    except UnicodeDecodeError as error:
        line = reader.line_num + 1 if reader else 1
        yield file.error(line, f"not valid UTF-8 after this line: {error.reason}. Save the file as UTF-8.", "encoding")
    except csv.Error as error:
        yield file.error(
            reader.line_num if reader else 1, f"not valid CSV: {error}. Correct it; what follows was not read."
        )
    except ParseError as error:
        yield error


def _csv_source(row: list[str], header: list[str], file: _RecordFile, line: int) -> Source | ParseError:
    record = {name: value for name, value in zip(header, row, strict=False) if value}
    # What has no column is kept under a name of its own, so that a reader of the document sees that the row was ragged.
    further = [value for value in row[len(header) :] if value]
    if further:
        record.setdefault("further fields", ", ".join(further))
    content = orjson.dumps(record)
    return _too_large(file, line) if len(content) > file.limits.max_bytes else file.source(record, content, line)


def _bounded(text: io.TextIOWrapper, file: _RecordFile) -> Iterator[str]:
    """Yield lines; a line above the limit ends the file, because rows cannot be separated any more."""
    number = 0
    while line := text.readline(file.limits.max_bytes + 1):
        number += 1
        if len(line) > file.limits.max_bytes:
            raise _too_large(file, number)
        yield line


def _delimiter(head: str) -> str:
    """Return the delimiter that the header uses most; a comma if none."""
    return max(",;\t|", key=head.count)
