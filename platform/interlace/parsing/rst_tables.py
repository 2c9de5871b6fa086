"""Tables that directives of reStructuredText write as lists (``list-table``) or as CSV (``csv-table``): their rows."""

import csv
import re
from collections.abc import Mapping, Sequence

TABLES = frozenset({"csv-table", "list-table"})
_ROW = re.compile(r"(\s*)\*(\s+)-(?:\s+(.*))?")
_CELL = re.compile(r"(\s*)-(?:\s+(.*))?")
_BLOCK = re.compile(r"\s*\.\.\s|.*::\s*\Z")
HEADER = re.compile(r"\s+:header:(?:\s|\Z)")
OPTION = re.compile(r"\s+:([\w-]+):(?:\s(.*))?")
_CODE_POINT = re.compile(r"(?:0x|x|\\x|U\+|u|\\u)([0-9A-Fa-f]{1,6})")
_SIGNS = {"tab": "\t", "space": " "}


def table_rows(name: str, options: Sequence[str], lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of each row of a directive's content; empty if it has other blocks in its cells, or is not such a table."""
    if name == "csv-table":
        return _csv_rows(
            {found[1]: (found[2] or "").strip() for each in options if (found := OPTION.fullmatch(each))}, lines
        )
    rows: list[list[list[str]]] = []
    column = -1
    for line in filter(str.strip, lines):
        if row := _ROW.fullmatch(line):
            column = len(row[1]) + 1 + len(row[2])
            rows.append([[row[3] or ""]])
        elif not rows or _BLOCK.match(line) or line.strip() == "*":
            return []
        elif (cell := _CELL.fullmatch(line)) and len(cell[1]) == column:
            rows[-1].append([cell[2] or ""])
        else:
            rows[-1][-1].append(line.strip())
    return [[" ".join(cell) for cell in row] for row in rows]


def _csv_rows(options: Mapping[str, str], lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of CSV, the header first, with the signs that options name, by their names, as themselves or by their code points."""
    try:
        delimiter, quote, escape = (_sign(options.get(each, "")) for each in ("delim", "quote", "escape"))
        rows = csv.reader(
            (line.strip(" ") for line in (options.get("header", ""), *lines)),
            delimiter=delimiter or ",",
            quotechar=quote or '"',
            escapechar=escape or None,
            skipinitialspace=delimiter != " ",
        )
        return [[cell.strip() for cell in row] for row in rows if row]
    except (csv.Error, TypeError, ValueError, OverflowError):
        return []


def _sign(written: str) -> str:
    code = _CODE_POINT.fullmatch(written)
    return chr(int(code[1], 16)) if code else _SIGNS.get(written, written)
