"""Files of records (JSON Lines, CSV, TSV, JSON arrays, mailboxes, calendars, contact cards): one source for each record, without holding the file in memory.

A record's URI is ``<file>#<id>`` with its ``id`` or ``_id``, else the number of its line (in a JSON array, of its element, in a calendar, of its entry), from 1. A mail's id is
its ``Message-ID``, so that it stays the same document where others are removed; else, or where an earlier mail has the same, its number.
"""

import codecs
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, BinaryIO

import orjson

from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import display_name, without_mark
from interlace.parsing.media import CALENDAR, CARDS, CSV, JSON, JSON_LINES, MAIL, MAILBOX, TSV
from interlace.parsing.records.calendars import read_entries
from interlace.parsing.records.conversations import is_slack_day
from interlace.parsing.records.json_record import ID_KEYS, json_type, load_json
from interlace.parsing.records.tables import TableError, read_rows
from interlace.parsing.registry import too_large
from interlace.parsing.sandbox.limits import ParseLimits

_ID_CHARACTERS = 512
_BLOCK = 1 << 16
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # a line feed byte does not always end a line there
# Text of a mail may have a line that begins with "From " too, but hardly one with a time and a year, below an empty one.
_MAIL_BEGINS = re.compile(rb"From .*\b\d?\d:\d\d\b.*\b\d{4}\b")
_MAILBOX = re.compile(_MAIL_BEGINS.pattern + rb".*\r?\n[A-Za-z-]+:[ \t]")
_QUOTED_FROM = re.compile(rb">+From ")
_HEADER = re.compile(rb"(?:(?!\r?\n).+\n)*")
_MESSAGE_ID = re.compile(rb"^Message-ID:\s*<([!-;=?-~]+)>", re.IGNORECASE | re.MULTILINE)
RECORD_FILES = frozenset({JSON_LINES, CSV, TSV, MAILBOX, CALENDAR, CARDS})


@dataclass(slots=True)
class _RecordFile:
    """What the sources of one file share, and the ids seen so far (as 8-byte hashes, because a file may have millions)."""

    uri: str
    metadata: Mapping[str, Any]
    limits: ParseLimits
    unit: str = "line"
    seen: set[bytes] = field(default_factory=set)

    @property
    def name(self) -> str:
        return display_name(self.uri)

    def error(self, number: int, problem: str, reason: str = "broken") -> ParseError:
        return ParseError(
            f"{self.name}, {self.unit} {number}: {problem}", reason=reason, uri=f"{self.uri}#{number}", file=self.uri
        )

    def source(self, record: Any, content: bytes, number: int) -> Source | ParseError:
        """Return the record as a source, or an error that says why it cannot be one."""
        if not isinstance(record, dict):
            return self.error(
                number, f"{json_type(record)} instead of an object. Give one JSON object for each record."
            )
        given = next((record[key] for key in ID_KEYS if record.get(key) not in (None, "")), number)
        if isinstance(given, bool) or not isinstance(given, str | int):
            return self.error(number, "the id is neither a text nor a whole number. Correct it.")
        identity = str(given).strip() or str(number)
        if len(identity) > _ID_CHARACTERS:
            return self.error(
                number, f"the id has {len(identity)} characters (limit {_ID_CHARACTERS}). Shorten it.", "limit"
            )
        if not self.is_new(identity):
            return self.error(
                number, f"the id {display_name(identity, 80)!r} occurs before. Give each record its own.", "duplicate"
            )
        return Source(f"{self.uri}#{identity}", JSON, content, self.metadata)

    def mail(self, content: bytes, number: int) -> Source:
        """Return a mail as a source."""
        found = _MESSAGE_ID.search(_HEADER.match(content)[0])  # type: ignore[index]
        identity = found[1].decode() if found and len(found[1]) <= _ID_CHARACTERS else ""
        return Source(
            f"{self.uri}#{identity if identity and self.is_new(identity) else number}", MAIL, content, self.metadata
        )

    def is_new(self, record_id: str) -> bool:
        """Return whether no record had this id before."""
        digest = blake2b(record_id.encode("utf-8", "replace"), digest_size=8).digest()
        known = digest in self.seen
        self.seen.add(digest)
        return not known


def is_mailbox(head: bytes) -> bool:
    """Return whether a file begins like a mailbox, whatever its name is: archives of lists end in ``.txt``, folders of Thunderbird in nothing."""
    return _MAILBOX.match(head) is not None


def split_records(
    stream: BinaryIO, media_type: str, uri: str, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield a source, or an error naming the line (else the mail or entry), for each record of a JSON Lines, CSV, TSV, mbox, calendar or vCard stream.

    ``limits.max_bytes`` bounds each record, not the stream; memory holds one record at a time.
    """
    file = _RecordFile(uri, metadata, limits)
    if media_type == JSON_LINES:
        return _json_lines(stream, file)
    if media_type == MAILBOX:
        return _mails(stream, file)
    if media_type in {CALENDAR, CARDS}:
        file.unit = "entry"
        return _entries(stream, file)
    return _rows(stream, file, "\t" if media_type == TSV else "")


def split_array(
    content: bytes, uri: str, metadata: Mapping[str, Any], limits: ParseLimits
) -> Iterator[Source | ParseError]:
    """Yield a source for each object of a JSON array, each chat of an export, or each line of JSON Lines declared as JSON; a single one for anything else, left to the parser."""
    content = without_mark(content)
    try:
        value = load_json(content)
    except orjson.JSONDecodeError:
        value = None
        first = content.lstrip().partition(b"\n")[0]
        if _is_object(first):
            yield from _json_lines(io.BytesIO(content), _RecordFile(uri, metadata, limits))
            return
    if isinstance(value, dict) and isinstance(chats := value.get("chats"), dict):  # all chats of an account on Telegram
        value = chats.get("list")
    if not isinstance(value, list) or is_slack_day(value):
        yield Source(uri, JSON, content, metadata)
        return
    file = _RecordFile(uri, metadata, limits, "record")
    for number, record in enumerate(value, start=1):
        yield file.source(record, orjson.dumps(record), number)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def _json_lines(stream: BinaryIO, file: _RecordFile) -> Iterator[Source | ParseError]:
    for number, line in _lines(stream, file.limits.max_bytes):
        if line is None:
            yield _too_large(file, number)
            continue
        if number == 1 and line.startswith(_UTF16):
            yield file.error(number, "written in UTF-16. Save the file as UTF-8.", "encoding")
            return
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
    """Yield numbered lines; None for a line above the limit, which is skipped without being held in memory."""
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if len(line.rstrip(b"\r\n")) <= limit:
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_BLOCK)
        yield number, None


def _mails(stream: BinaryIO, file: _RecordFile) -> Iterator[Source | ParseError]:
    number = 0
    for number, mail in enumerate(_messages(stream, file.limits.max_bytes), start=1):
        yield _too_large(file, number, "mail") if mail is None else file.mail(mail, number)
    if not number:
        yield file.error(1, "no mail begins here with a line such as 'From ada@example.org Thu Jan  1 12:00:00 2026'.")


def _messages(stream: BinaryIO, limit: int) -> Iterator[bytes | None]:
    """Yield the mails of a mailbox; None for one above the limit, which is skipped without being held in memory."""
    mail: list[bytes] = []
    size, begun, below_empty = 0, False, True
    while line := stream.readline(_BLOCK):
        if below_empty and _MAIL_BEGINS.match(line):
            if begun:
                yield b"".join(mail) if size <= limit else None
            mail, size, begun = [], 0, True
        elif begun and size <= limit:
            size += len(line)
            mail.append(line[1:] if _QUOTED_FROM.match(line) else line)
        below_empty = not line.strip()
    if begun:
        yield b"".join(mail) if size <= limit else None


def _entries(stream: BinaryIO, file: _RecordFile) -> Iterator[Source | ParseError]:
    number = 0
    for number, record in enumerate(read_entries(stream, file.limits.max_bytes), start=1):
        yield _too_large(file, number, "entry") if record is None else file.source(record, orjson.dumps(record), number)
    if not number:
        yield file.error(1, "no event, task or card begins here. Export the calendar or the contacts again.", "empty")


def _too_large(file: _RecordFile, number: int, unit: str = "line") -> ParseError:
    size = f"more than {file.limits.max_bytes}"
    error = too_large(f"{file.name}, {unit} {number}: the record", size, file.limits, uri=f"{file.uri}#{number}")
    error.file = file.uri
    return error


def _rows(stream: BinaryIO, file: _RecordFile, delimiter: str) -> Iterator[Source | ParseError]:
    try:
        for line, record in read_rows(stream, delimiter, file.limits.max_bytes):
            if isinstance(record, TableError):
                yield file.error(line, str(record))
                continue
            content = orjson.dumps(record)
            is_large = len(content) > file.limits.max_bytes
            yield _too_large(file, line) if is_large else file.source(record, content, line)
    except TableError as error:
        is_large = error.reason == "too-large"
        yield _too_large(file, error.line) if is_large else file.error(error.line, str(error), error.reason)
