"""Tables as programs export them (CSV, TSV): encodings, delimiters, rows above the header, unnamed columns, ragged rows."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

from more_itertools import spy

from interlace.parsing.decoding import encoding_of, one_line
from interlace.parsing.header import begins_with_data

FURTHER = "further fields"
CAPTION = "table"
_DELIMITERS = ",;\t|"
_HEAD_LINES = 20
_SEPARATOR = re.compile(r"sep=(.)\s*")  # the line that declares the delimiter to Excel
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


def read_rows(stream: BinaryIO, delimiter: str, limit: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the filled fields of each row below the header; empty rows are skipped.

    Unnamed columns are called by their number, and so are all where the first row is clearly data; repeated names get one appended. Fields beyond the header are kept as ``further fields``,
    rows above it with one filled cell as ``table``.

    Args:
        stream: the bytes, which can be read twice.
        delimiter: detected from the first lines if empty.
        limit: characters a line may have.

    Raises:
        TableError: no header, no known encoding, a quotation mark that is never closed, or a line that is too long.
    """
    encoding = encoding_of(stream)
    if encoding is None:
        raise TableError(1, "in no encoding that is known. Save the file as UTF-8.", "encoding")
    text = io.TextIOWrapper(stream, encoding=encoding, newline="")
    reader: Any = None
    try:
        # A process-wide setting of the csv module, so it is only ever raised.
        csv.field_size_limit(max(csv.field_size_limit(), limit))
        head, lines = spy(_bounded(text, limit), _HEAD_LINES)
        read = len(head)
        if separator := _SEPARATOR.fullmatch(head[0] if head else ""):
            delimiter = separator[1]
            head = head[1:]
            next(lines)
        delimiter = delimiter or _delimiter(head)
        sample = [row for row in csv.reader(head, delimiter=delimiter) if row]
        sample = sample[:-1] if read == _HEAD_LINES else sample  # the last row may be cut
        width = len(sample[0]) if begins_with_data(sample) else 0
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        yield from _records(reader, _names([""] * width))
    except UnicodeDecodeError as error:
        line = reader.line_num + 1 if reader else 1
        raise TableError(line, f"not valid {encoding}: {error.reason}. Save the file as UTF-8.", "encoding") from None
    except csv.Error as error:
        raise _no_csv(1, error) from None
    finally:
        text.detach()


def _records(reader: Any, header: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    captions: list[str] = []
    for row in _rows(reader):
        filled = [value for value in row if value.strip()]
        if not filled:
            continue
        if header:
            yield reader.line_num, _record(row, header, captions)
        elif len(filled) == 1 and len(row) >= _FEWEST_COLUMNS:
            captions.append(one_line(filled[0]))
        else:
            header = _names(row)
    if not header:
        raise TableError(1, "no row names the columns. Add a header.", "broken" if captions else "empty")


def _rows(reader: Any) -> Iterator[list[str]]:
    """Yield rows; an error names the line where its row begins, because an unclosed quotation mark swallows everything after it."""
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise _no_csv(line, error) from None
        if row is None:
            return
        yield row


def _no_csv(line: int, error: csv.Error) -> TableError:
    problem = "a quotation mark is never closed" if str(error) == _OPEN else f"not valid CSV: {error}"
    return TableError(line, f"{problem}. Correct it; what follows was not read.")


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
