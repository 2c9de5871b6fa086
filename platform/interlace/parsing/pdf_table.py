"""Tables of PDF pages: whether columns form one, and its rows."""

from bisect import bisect_left
from collections.abc import Sequence
from statistics import median

from more_itertools import rstrip

from interlace.parsing.pdf_grid import FEWEST_LINES
from interlace.parsing.pdf_pieces import MOST_SWITCHES, Piece, between_strips, in_lines, joined, owners, switches

_SHORT_CELL = 14
_ROW_GAP = 0.35  # least blank strip between rows of multi-line cells, in line heights
_LEVEL = 0.3  # largest vertical offset between the starts of cells in a row, in line heights
_LEVEL_ROWS = 0.8
_FILLED = 0.5  # least share of non-empty cells, and of rows with more than one of them
_MOST_CROWDED = 0.2  # share of cells that contain pieces side by side
_STRAIGHT = 0.5
Columns = Sequence[Sequence[Piece]]


def rows_of(columns: Columns, height: float) -> list[list[str]]:
    """Return the cells of each row of a table; empty if the columns do not look like a table, as in a drawing.

    Args:
        columns: the pieces of each column.
        height: line height in points.
    """
    owner = owners(columns)
    rows = [
        [in_lines([piece for piece in row if owner[piece.number] == at], height) for at in range(len(columns))]
        for row in _row_pieces(columns, height)
    ]
    cells = [cell for row in rows for cell in row if cell]
    crowded = sum(any(len(line) > 1 for line in cell) for cell in cells)
    shared = sum(sum(map(bool, row)) > 1 for row in rows)
    is_full = (
        len(rows) >= FEWEST_LINES and len(cells) >= _FILLED * len(rows) * len(columns) and shared >= _FILLED * len(rows)
    )
    if not is_full or crowded > _MOST_CROWDED * len(cells) or not all(_is_straight(each, height) for each in columns):
        return []
    texts = ([joined(piece.text for line in cell for piece in line) for cell in row] for row in rows)
    return [list(rstrip(row, lambda cell: not cell)) for row in texts]


def side_by_side(columns: Columns, height: float) -> list[list[Piece]]:
    """Return the pieces of two tables side by side, in file order; empty for a single table.

    There are two if the file has one after the other, each row by row, or if both begin with the same words above texts.
    """
    for at in range(2, len(columns) - 1):
        parts = (columns[:at], columns[at:])
        tables = [sorted((each for column in part for each in column), key=lambda each: each.number) for part in parts]
        by_rows = all(switches(part) > MOST_SWITCHES * len(part) for part in parts)
        heads = [[piece.text for piece in in_lines(table, height)[0]] for table in tables]
        is_repeated = heads[0] == heads[1] and len(heads[0]) == at and all(_is_text(part[0]) for part in parts)
        is_apart = (by_rows and switches(tables) == 1) or is_repeated
        if is_apart and all(rows_of(part, height) and any(map(str.isalnum, part[0][-1].text)) for part in parts):
            return tables
    return []


def _is_text(column: Sequence[Piece]) -> bool:
    return sum(piece.text[0].isalpha() for piece in column) * 2 > len(column)


def is_data(columns: Columns) -> bool:
    """Return whether the columns after the first hold short values: numbers in one of them, or a few letters in all of several columns."""
    short = [median(len(piece.text) for piece in column) <= _SHORT_CELL for column in columns[1:]]
    numeric = [sum(any(map(str.isdigit, piece.text)) for piece in column) * 2 > len(column) for column in columns[1:]]
    return any(map(bool.__and__, short, numeric)) or (len(short) > 1 and all(short))


def is_aligned(columns: Columns, height: float) -> bool:
    """Return whether most lines of the shortest column have a line of another column beside them."""
    fewest = min(columns, key=len)
    others = sorted(piece.middle for column in columns if column is not fewest for piece in column)
    beside = sum(_has_near(others, piece.middle, _LEVEL * height) for piece in fewest)
    return beside * 2 >= len(fewest)


def has_wrapped_rows(columns: Columns, height: float) -> bool:
    """Return whether blank strips divide columns into rows whose cells begin at the same height."""
    groups, owner = _groups(columns, height), owners(columns)
    level = 0
    for group in groups:
        middles: dict[int, float] = {}
        for piece in group:
            middles.setdefault(owner[piece.number], piece.middle)
        level += len(middles) > 1 and max(middles.values()) - min(middles.values()) < _LEVEL * height
    return len(groups) >= FEWEST_LINES and level >= _LEVEL_ROWS * len(groups)


def _row_pieces(columns: Columns, height: float) -> list[list[Piece]]:
    """Return the pieces of each row: rows are separated by blank strips where there are some, else each line is one unless it continues cells."""
    groups, lines = _groups(columns, height), in_lines((piece for column in columns for piece in column), height)
    if len(groups) < len(lines) and has_wrapped_rows(columns, height):
        return groups
    owner = owners(columns)
    rows: list[list[Piece]] = []
    for line in lines:
        held = {owner[piece.number] for piece in line}
        if rows and 0 not in held and held < {owner[piece.number] for piece in rows[-1]}:
            rows[-1] += line
        else:
            rows.append(list(line))
    return rows


def _groups(columns: Columns, height: float) -> list[list[Piece]]:
    return between_strips((piece for column in columns for piece in column), _ROW_GAP * height)


def _is_straight(column: Sequence[Piece], height: float) -> bool:
    """Return whether half of a column's pieces are aligned left, right or centred."""
    for places in (
        [piece.left for piece in column],
        [piece.right for piece in column],
        [(piece.left + piece.right) / 2 for piece in column],
    ):
        middle = median(places)
        if sum(abs(place - middle) < 0.5 * height for place in places) >= _STRAIGHT * len(places):
            return True
    return False


def _has_near(ordered: Sequence[float], value: float, distance: float) -> bool:
    at = bisect_left(ordered, value - distance)
    return at < len(ordered) and ordered[at] <= value + distance
