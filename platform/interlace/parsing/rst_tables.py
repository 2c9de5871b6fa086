"""Tables that directives of reStructuredText write as lists (``list-table``) or as CSV (``csv-table``): their rows."""

import csv
import re
from collections.abc import Sequence

TABLES = frozenset({"csv-table", "list-table"})
_ROW = re.compile(r"(\s*)\*(\s+)-(?:\s+(.*))?")
_CELL = re.compile(r"(\s*)-(?:\s+(.*))?")
_BLOCK = re.compile(r"\s*\.\.\s|.*::\s*\Z")


def table_rows(name: str, lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of each row of a directive's content; empty if it has other blocks in its cells, or is not such a table."""
    if name == "csv-table":
        try:
            return [[cell.strip() for cell in row] for row in csv.reader(map(str.strip, lines)) if row]
        except csv.Error:
            return []
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
