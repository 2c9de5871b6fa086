"""Tables as programs export them (CSV, TSV): encodings, delimiters, rows above the header, unnamed columns, ragged rows."""

import csv
import io
import re
from collections import Counter, deque
from collections.abc import Iterator
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
_FEWEST_COLUMNS = 3  # in a row that counts as a caption if only one of its cells is filled


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
    as the header; if not, it is skipped with the lines below it that are no rows either.

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
    """The lines of a table, which can be read again from the second line of a row.

    Attributes:
        number: of the last line read, from 1.
        row: the lines read since the row began.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self.number = 0
        self.row: list[str] = []
        self._lines = lines
        self._again: deque[str] = deque()

    def __iter__(self) -> "_RowLines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.number += 1
        self.row.append(line)
        return line

    def retreat(self, kept: int) -> None:
        """Give the lines of the row again that follow the first ``kept``."""
        self.number -= len(self.row) - kept
        self._again.extendleft(reversed(self.row[kept:]))
        del self.row[kept:]


def _records(lines: _RowLines, delimiter: str, header: list[str]) -> Iterator[tuple[int, dict[str, str] | TableError]]:
    captions: list[str] = []
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.row.clear()
        first, mark = lines.number + 1, {}
        try:
            row = next(reader, None)
        except csv.Error as error:
            if not header:
                raise TableError(first, _problem(error)) from None
            mark = {} if _ESCAPED in lines.row[0] else {DAMAGED: "quotation marks"}
            row = _repaired(lines, delimiter, len(header))
            if not row:
                yield first, TableError(first, f"{_problem(error)} The row was not read.")
                continue
        if row is None:
            break
        filled = [value for value in row if value.strip()]
        if filled and header:
            yield lines.number, _record(row, header, captions) | mark
        elif len(filled) == 1 and len(row) >= _FEWEST_COLUMNS:
            captions.append(one_line(filled[0]))
        elif filled:
            header = _names(row)
    if not header:
        raise TableError(1, "no row names the columns. Add a header.", "broken" if captions else "empty")


def _problem(error: csv.Error) -> str:
    # A quotation mark that is never closed takes everything below it for one field, until that is too large.
    is_open = str(error) == _OPEN or "limit" in str(error)
    return ("a quotation mark is never closed." if is_open else f"not valid CSV: {error}.") + " Correct it."


def _repaired(lines: _RowLines, delimiter: str, width: int) -> list[str]:
    """Return the fields of a damaged row's first line if both it and the line below are rows; if not, skip the lines that are none, and return nothing."""

    def is_row(line: str | None) -> bool:
        return not (line or "").strip() or len(_fields(line or "", delimiter)) == width

    lines.retreat(1)
    row = _fields(lines.row.pop(), delimiter)
    below = next(lines, None)
    if len(row) != width or not is_row(below):
        row = []
        while not is_row(below):
            lines.row.clear()
            below = next(lines, None)
    lines.retreat(0)
    return row


def _fields(line: str, delimiter: str) -> list[str]:
    """Return the fields of a line alone: with backslashes before quotation marks if it is whole then, else as far as it can be read."""
    try:
        (row,) = csv.reader([line], delimiter=delimiter, escapechar="\\" if _ESCAPED in line else None, strict=True)
    except (csv.Error, ValueError):
        row = next(csv.reader([line], delimiter=delimiter), [])
    return [value.rstrip("\r\n") for value in row]


def _record(row: list[str], header: list[str], captions: list[str]) -> dict[str, str]:
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
