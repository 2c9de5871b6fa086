"""Whether a table begins with the names of its columns: it does, unless its first row is clearly like the rows below it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest

_KINDS = (
    ("date", r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?: \d.*)?"),
    ("time", r"\d{1,2}:\d\d(?::\d\d.*)?"),
    ("address", r"[^\s@]+@[^\s@]+\.\w+|(?:https?|ftp)://\S+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("number", r"[-+]?[$€£]?\d[\d.,]*(?:[eE][-+]?\d+)?\s?[%€]?"),
)  # fmt: skip
_KIND = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS))
_YEARS = range(1500, 2101)
_MIN_ROWS = 3
_RECURS = 2
Cells = Sequence[str]


def begins_with_data(rows: Sequence[Cells]) -> bool:
    """Return whether the first of a table's rows, given with all of their cells, is data.

    Each of its cells must be of the kind of those below it, and there must be what names no column: a date or an address above others, texts
    that all recur below, or numbers other than those that name the columns of many tables, such as years and ascending ones.
    """
    first, below = rows[0] if rows else (), rows[1:]
    if not below or not all(map(str.strip, first)) or any(len(row) != len(first) for row in below):
        return False
    if [cell.strip() for cell in first] in ([cell.strip() for cell in row] for row in below):
        return False  # a file that was put together from several, with their headers
    columns = [[cell.strip() for cell in column if cell.strip()] for column in zip_longest(*below)]
    pairs = [(cell.strip(), column, _kind_of(column)) for cell, column in zip(first, columns, strict=True)]
    if any(kind and _kind_of([cell]) != kind for cell, _, kind in pairs):
        return False
    kinds = {kind for _, _, kind in pairs}
    recurs = [column.count(cell) >= _RECURS for cell, column, kind in pairs if not kind]
    numbers = [(cell, column) for cell, column, kind in pairs if kind == "number"]
    of_names = bool(recurs) and not any(recurs)
    is_data = (bool(recurs) and all(recurs)) or (bool(numbers) and not _may_name(numbers, of_names=of_names))
    return bool(kinds & {"date", "address"}) or (is_data and len(below) >= _MIN_ROWS)


def _kind_of(cells: Cells) -> str:
    """Return the kind that all cells have; empty for text, and for no cells."""
    kinds = {found.lastgroup if (found := _KIND.fullmatch(cell)) else "" for cell in cells}
    return (kinds.pop() or "") if len(kinds) == 1 else ""


def _may_name(numbers: Sequence[tuple[str, Cells]], *, of_names: bool) -> bool:
    """Return whether numbers, each with those below it, may name columns: years, the first ones, ascending ones, or whole ones.

    Whole ones do if they descend, are blocks that ascend, stand above fractions, or all differ beside texts that may be names.
    """
    values = list(_values([cell for cell, _ in numbers]))
    ascends = [one < other for one, other in pairwise(values)]
    if any(value in _YEARS for value in values) or (all(ascends) and (bool(ascends) or values[0] in {0, 1})):
        return True
    if not all(cell.isdigit() for cell, _ in numbers):
        return False
    descends = all(one > other for one, other in pairwise(values))
    are_blocks = ascends[:1] == ascends[-1:] == [True] and all(map(bool.__or__, ascends, ascends[1:]))
    above_fractions = not all(cell.isdigit() for _, column in numbers for cell in column)
    differ = of_names and len(set(values)) == len(values)
    return above_fractions or (bool(ascends) and (descends or are_blocks or differ))


def _values(numbers: Cells) -> Iterator[float]:
    for number in numbers:
        digits = re.sub(r"[^\d.eE+-]", "", number)
        try:
            yield float(digits)
        except ValueError:
            yield 0.0
