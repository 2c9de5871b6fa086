"""Whether a table begins with the names of its columns: it does, unless its first row is clearly like the rows below it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

_KINDS = (
    ("date", r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?: \d.*)?|\d{1,2}:\d\d(?::\d\d.*)?"),
    ("address", r"[^\s@]+@[^\s@]+\.\w+|(?:https?|ftp)://\S+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("number", r"[-+]?[$€£]?\d[\d.,]*(?:[eE][-+]?\d+)?\s?[%€]?"),
)  # fmt: skip
_KIND = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS))
_YEARS = range(1500, 2101)
_FEWEST_ROWS = 3
_RECURS = 2
Row = Sequence[str]


def begins_with_data(rows: Sequence[Row]) -> bool:
    """Return whether the first of a table's rows is data.

    Each of its cells must be of the kind of those below it, and one must be what names no column: a date or an address above others, a text
    that recurs below it, or numbers other than years and ascending ones, which name the columns of many tables.

    Args:
        rows: the first rows of the file, with all of their cells.
    """
    first, below = rows[0] if rows else (), rows[1:]
    if not below or not all(map(str.strip, first)) or any(len(row) != len(first) for row in below):
        return False
    if first in below:
        return False  # a file that was put together from several, with their headers
    columns = [[cell.strip() for cell in column if cell.strip()] for column in zip_longest(*below)]
    pairs = [(cell.strip(), column, _kind_of(column)) for cell, column in zip(first, columns, strict=True)]
    if any(kind and _kind_of([cell]) != kind for cell, _, kind in pairs):
        return False
    kinds = {kind for _, _, kind in pairs}
    recurs = any(not kind and column.count(cell) >= _RECURS for cell, column, kind in pairs)
    numbers = [(cell, column) for cell, column, kind in pairs if kind == "number"]
    is_data = recurs or (bool(numbers) and not _may_name(numbers))
    return bool(kinds & {"date", "address"}) or (is_data and len(below) >= _FEWEST_ROWS)


def _kind_of(cells: Row) -> str:
    """Return the kind that all cells have; empty for text, and for no cells."""
    kinds = {found.lastgroup if (found := _KIND.fullmatch(cell)) else "" for cell in cells}
    return (kinds.pop() or "") if len(kinds) == 1 else ""


def _may_name(numbers: Sequence[tuple[str, Row]]) -> bool:
    """Return whether numbers, each with those below it, may name columns: years, the first ones, ascending ones, or whole ones above fractions."""
    values = list(_values([cell for cell, _ in numbers]))
    ascends = all(one < other for one, other in pairwise(values)) and (len(values) > 1 or values[0] in {0, 1})
    is_whole = all(cell.isdigit() for cell, _ in numbers)
    return (
        ascends
        or any(v in _YEARS for v in values)
        or (is_whole and not all(c.isdigit() for _, b in numbers for c in b))
    )


def _values(numbers: Row) -> Iterator[float]:
    for number in numbers:
        digits = re.sub(r"[^\d.eE+-]", "", number)
        try:
            yield float(digits)
        except ValueError:
            yield 0.0
