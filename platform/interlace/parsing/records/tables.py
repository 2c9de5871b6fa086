"""Tables as programs export them (CSV, TSV): encodings, delimiters, rows above the header, unnamed columns, ragged rows."""

import csv
import io
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from more_itertools import spy

from interlace.parsing.decoding import encoding_of, one_line
from interlace.parsing.header import begins_with_data

FURTHER = "further fields"
CAPTION = "table"
DAMAGED = "damaged"
_DELIMITERS = ",;\t|"
_HEAD_LINES = 20
_SEPARATOR = re.compile(r"sep=(.)\s*")  # the line that declares the delimiter to Excel
_ESCAPED = '\\"'
_OPEN = "unexpected end of data"
_AGAIN_CHARACTERS = 8_000_000  # that are read again in a file because of damaged rows
_MIN_COLUMNS = 3  # in a row that counts as a caption if only one of its cells is filled


class TableError(Exception):
    """A table cannot be read, or not beyond a certain line.

    Attributes:
        line: the number of the line, from 1.
        reason: a stable word, as in ``ParseError``.
    """

    def __init__(self, line: int, problem: str, reason: str = "broken") -> None:
        super().__init__(problem)
        self.line = line
        self.reason = reason


def read_rows(stream: BinaryIO, delimiter: str, limit: int) -> Iterator[tuple[int, dict[str, str] | TableError]]:
    """Yield the line and the filled fields of each row below the header, or what is wrong with the row; empty rows are skipped.

    Unnamed columns are called by their number, and so are all where the first row is clearly data; repeated names get one appended. Fields beyond the header are kept as ``further fields``,
    rows above it with one filled cell as ``table``. A row whose quotation marks are wrong is read, and marked as ``damaged``, if its line has as many fields
    as the header; if not, it is refused together with the lines below it that may belong to it.

    Args:
        stream: the bytes, which can be read twice.
        delimiter: detected from the first lines if empty.
        limit: characters a line may have.

    Raises:
        TableError: no header, no known encoding, or a line that is too long.
    """
    encoding = encoding_of(stream)
    if encoding is None:
        raise TableError(1, "in no encoding that is known. Save the file as UTF-8.", "encoding")
    text = io.TextIOWrapper(stream, encoding=encoding, newline="")
    lines: _RowLines | None = None
    try:
        # A process-wide setting of the csv module, so it is only ever raised.
        csv.field_size_limit(max(csv.field_size_limit(), limit))
        head, bounded = spy(_bounded(text, limit), _HEAD_LINES)
        lines = _RowLines(bounded)
        read = len(head)
        if separator := _SEPARATOR.fullmatch(head[0] if head else ""):
            delimiter = separator[1]
            head = head[1:]
            next(lines)
        delimiter = delimiter or _delimiter(head)
        sample = [row for row in csv.reader(head, delimiter=delimiter) if row]
        sample = sample[:-1] if read == _HEAD_LINES else sample  # the last row may be cut
        width = len(sample[0]) if begins_with_data(sample) else 0
        yield from _records(lines, delimiter, _names([""] * width))
    except UnicodeDecodeError as error:
        line = lines.number + 1 if lines else 1
        raise TableError(line, f"not valid {encoding}: {error.reason}. Save the file as UTF-8.", "encoding") from None
    except csv.Error as error:
        raise TableError(1, _problem(error)) from None
    finally:
        text.detach()


class _RowLines:
    """The lines of a table, which can be read again from the second line of a row, up to ``_AGAIN_CHARACTERS`` in all.

    Attributes:
        number: of the last line read, from 1.
        row: the lines read since the row began; of one that is too long to be read again, at least the first.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self.number = 0
        self.row: list[str] = []
        self._lines = lines
        self._again: deque[str] = deque()
        self._left = _AGAIN_CHARACTERS
        self._below = 0

    def __iter__(self) -> "_RowLines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.number += 1
        self._below += len(line) if self.row else 0
        if self._below <= self._left:
            self.row.append(line)
        else:
            del self.row[1:]
        return line

    def begin(self) -> None:
        """Begin a row with the next line."""
        self.row.clear()
        self._below = 0

    def retreat(self) -> str:
        """Give the lines below the first of the row again, and return that; if they are too many, give none again and return nothing."""
        if self._below > self._left:
            return ""
        self.number -= len(self.row) - 1
        self._left -= self._below
        self._again.extendleft(reversed(self.row[1:]))
        return self.row[0]


@dataclass(frozen=True, slots=True)
class _Damage:
    """A row with wrong quotation marks, until the row below it shows where it ends.

    Attributes:
        line: its number.
        problem: what is wrong, as a sentence.
        row: the fields of the line alone, if they are as many as those of the header.
        mark: a field that says that the row is damaged.
    """

    line: int
    problem: str
    row: Sequence[str]
    mark: Mapping[str, str]


def _records(lines: _RowLines, delimiter: str, header: list[str]) -> Iterator[tuple[int, dict[str, str] | TableError]]:
    captions: list[str] = []
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while not header:
        lines.begin()
        first = lines.number + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise TableError(first, _problem(error)) from None
        if row is None:
            raise TableError(1, "no row names the columns. Add a header.", "broken" if captions else "empty")
        filled = [value for value in row if value.strip()]
        if len(filled) == 1 and len(row) >= _MIN_COLUMNS:
            captions.append(one_line(filled[0]))
        elif filled:
            header = _names(row)
    for line, below, mark in _rows(lines, reader, delimiter, len(header)):
        if isinstance(below, TableError):
            yield line, below
        elif any(map(str.strip, below)):
            yield line, {**mark, **_record(below, header, captions)}


def _rows(
    lines: _RowLines, reader: Iterator[list[str]], delimiter: str, width: int
) -> Iterator[tuple[int, Sequence[str] | TableError, Mapping[str, str]]]:
    """Yield the line of each row below the header, its fields or what is wrong with it, and a mark if it is damaged."""
    damage: _Damage | None = None
    while True:
        lines.begin()
        first, problem = lines.number + 1, "not valid CSV. Correct it."
        row: list[str] | None = []
        try:
            row = next(reader, None)
            is_row = row is None or damage is None or _is_sound(row, lines.row, width)
        except csv.Error as error:
            is_row, problem = False, _problem(error)
        if is_row:
            if damage:
                yield _ended(damage, first - 1)
            damage = None
            if row is None:
                return
            yield lines.number, row, {}
            continue
        line = lines.retreat()
        alone = _fields(line, delimiter)
        fits = len(alone) == width
        if damage and damage.row and fits and line.count('"') % 2 == 0:
            yield _ended(damage, first - 1)
            damage = None
        if damage is None:
            mark = {} if _ESCAPED in line else {DAMAGED: "quotation marks"}
            damage = _Damage(first, problem, alone if fits else (), mark)
        elif damage.row:
            damage = replace(damage, row=())


def _ended(damage: _Damage, last: int) -> tuple[int, Sequence[str] | TableError, Mapping[str, str]]:
    """Return a damaged row as it can be read; if it cannot, the lines up to the last before the next row are refused."""
    if damage.row:
        return damage.line, damage.row, damage.mark
    what = f"Lines {damage.line} to {last} were" if last > damage.line else "The row was"
    return damage.line, TableError(damage.line, f"{damage.problem} {what} not read."), {}


def _is_sound(row: Sequence[str], lines: Sequence[str], width: int) -> bool:
    """Return whether what was read below a damaged row is a row and not the rest of that one.

    It has several fields, on several lines as many as the header, and quotation marks only where they belong.
    """
    if not any(map(str.strip, row)):
        return True
    is_wide = len(row) == width or len(lines) == 1 < len(row)
    return is_wide and sum(value.count('"') for value in row) <= sum(line.count('""') for line in lines)


def _problem(error: csv.Error) -> str:
    # A quotation mark that is never closed takes everything below it for one field, until that is too large.
    is_open = str(error) == _OPEN or "limit" in str(error)
    return ("a quotation mark is never closed." if is_open else f"not valid CSV: {error}.") + " Correct it."


def _fields(line: str, delimiter: str) -> list[str]:
    """Return the fields of a line alone: with backslashes before quotation marks if it is whole then, else as far as it can be read."""
    try:
        (row,) = csv.reader([line], delimiter=delimiter, escapechar="\\" if _ESCAPED in line else None, strict=True)
    except (csv.Error, ValueError):
        row = next(csv.reader([line], delimiter=delimiter), [])
    return [value.rstrip("\r\n") for value in row]


def _record(row: Sequence[str], header: list[str], captions: list[str]) -> dict[str, str]:
    record = {name: value for name, value in zip(header, row, strict=False) if value.strip()}
    # Extra fields are kept under a name of their own, so that a reader of the document sees that the row was ragged.
    further = [value for value in row[len(header) :] if value.strip()]
    if further:
        record.setdefault(FURTHER, ", ".join(further))
    if captions:
        record.setdefault(CAPTION, " ".join(captions))
    return record


def _names(row: list[str]) -> list[str]:
    names: list[str] = []
    for number, cell in enumerate(row, start=1):
        name = one_line(cell) or f"column {number}"
        names.append(f"{name} (column {number})" if name in names else name)
    return names


def _bounded(text: io.TextIOWrapper, limit: int) -> Iterator[str]:
    """Yield lines; a line above the limit ends the file, because rows can no longer be separated."""
    number = 0
    while line := text.readline(limit + 1):
        number += 1
        if len(line) > limit:
            raise TableError(number, "the record is too large", "too-large")
        yield line


def _delimiter(head: list[str]) -> str:
    """Return the delimiter that gives most rows as many fields as the first one, and more than one; a comma if none does."""

    def evenness(delimiter: str) -> tuple[float, int]:
        rows = [row for row in csv.reader(head, delimiter=delimiter) if row]
        if not rows or len(rows[0]) < 2:  # noqa: PLR2004 - one field shows no delimiter
            return (0.0, 0)
        return (Counter(map(len, rows))[len(rows[0])] / len(rows), len(rows[0]))

    return max(_DELIMITERS, key=evenness)
