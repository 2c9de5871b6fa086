"""Tables of PDF pages: whether columns form one, and its rows."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise, takewhile
from statistics import median

from more_itertools import rstrip

from interlace.parsing.pdf.grid import MIN_LINES
from interlace.parsing.pdf.pieces import LINE_LEVEL, MAX_SWITCHES, Piece, between_strips, in_lines, joined, owners

_SHORT_CELL = 14
_ROW_GAP = 0.35  # least blank strip between rows of multi-line cells, in line heights
_LEVEL = 0.3  # largest vertical offset between the starts of cells in a row, in line heights
_LEVEL_ROWS = 0.8
_FILLED = 0.5  # least share of non-empty cells, and of rows with more than one of them
_MAX_CROWDED_SHARE = 0.2  # share of cells that contain pieces side by side
_STRAIGHT = 0.5
_MAX_TRIES = 4  # of places between two tables
Columns = Sequence[Sequence[Piece]]


def rows_of(columns: Columns, height: float) -> list[list[str]]:
    """Return the cells of each row, by the pieces of each column and the line height in points; empty if it is no table, as in a drawing."""
    owner = owners(columns)
    rows = [
        [in_lines([piece for piece in row if owner[piece.number] == at], height) for at in range(len(columns))]
        for row in _row_pieces(columns, height)
    ]
    cells = [cell for row in rows for cell in row if cell]
    crowded = sum(any(len(line) > 1 for line in cell) for cell in cells)
    shared = sum(sum(map(bool, row)) > 1 for row in rows)
    is_full = (
        len(rows) >= MIN_LINES and len(cells) >= _FILLED * len(rows) * len(columns) and shared >= _FILLED * len(rows)
    )
    if (
        not is_full
        or crowded > _MAX_CROWDED_SHARE * len(cells)
        or not all(_is_straight(each, height) for each in columns)
    ):
        return []
    texts = ([joined(piece.text for line in cell for piece in line) for cell in row] for row in rows)
    return [list(rstrip(row, lambda cell: not cell)) for row in texts]


def side_by_side(columns: Columns, height: float) -> list[list[Piece]]:
    """Return the pieces of two tables side by side, in file order; empty for a single table.

    There are two if the file has one after the other, each row by row, or if both begin with the same words above texts.
    """
    for at in islice(_places_between(columns, height), _MAX_TRIES):
        parts = (columns[:at], columns[at:])
        if all(rows_of(part, height) and any(map(str.isalnum, part[0][-1].text)) for part in parts):
            return [
                sorted((each for column in part for each in column), key=lambda each: each.number) for part in parts
            ]
    return []


def _places_between(columns: Columns, height: float) -> Iterator[int]:
    """Yield the numbers of columns that may be one table, with those to the right of them another; in n log n for all of them."""
    owner = owners(columns)
    order = [owner[number] for number in sorted(owner)]
    count = len(columns)
    left, right = _switches_within(order, count), _switches_within([count - 1 - each for each in order], count)
    changes = _switches_across(order, count)
    tops = [sorted(column, key=lambda piece: piece.bottom) for column in columns]
    texts = [_is_text(column) for column in columns]
    for at in range(2, count - 1):
        by_rows = left[at] > MAX_SWITCHES * at and right[count - at] > MAX_SWITCHES * (count - at)
        head = _head(tops[:at], at, height) if texts[0] and texts[at] else []
        if (by_rows and changes[at] == 1) or (head and head == _head(tops[at:], at, height)):
            yield at


def _switches_across(order: Sequence[int], count: int) -> list[int]:
    """Return for each number of columns how often a file switches between those and the others."""
    changes = [0] * (count + 1)
    for one, other in pairwise(order):
        changes[min(one, other) + 1] += 1
        changes[max(one, other) + 1] -= 1
    return list(accumulate(changes))


def _switches_within(order: Sequence[int], count: int) -> list[int]:
    """Return for each number of columns how often a file switches between those: columns leave a linked list of pieces, the last one first."""
    before, after = list(range(-1, len(order) - 1)), [*range(1, len(order)), -1]
    positions: list[list[int]] = [[] for _ in range(count)]
    for at, column in enumerate(order):
        positions[column].append(at)
    found = [0] * count + [sum(one != other for one, other in pairwise(order))]
    for column in reversed(range(count)):
        found[column] = found[column + 1]
        for at in positions[column]:
            first, last = before[at], after[at]
            if first >= 0:
                found[column] -= order[first] != column
                after[first] = last
            if last >= 0:
                found[column] -= order[last] != column
                before[last] = first
            found[column] += first >= 0 and last >= 0 and order[first] != order[last]
    return found


def _head(tops: Columns, count: int, height: float) -> list[str]:
    """Return the words of the first line of columns, each given from the top; empty if it has not as many pieces as given."""
    limit = min(column[0].bottom for column in tops) + LINE_LEVEL * height
    line = list(
        islice((piece for column in tops for piece in takewhile(lambda each: each.bottom < limit, column)), count + 1)
    )
    return [piece.text for piece in sorted(line, key=lambda piece: piece.left)] if len(line) == count else []


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
    return len(groups) >= MIN_LINES and level >= _LEVEL_ROWS * len(groups)


def _row_pieces(columns: Columns, height: float) -> list[list[Piece]]:
    """Return the pieces of each row: rows are separated by blank strips where there are some, else each line is one unless it continues cells."""
    groups, lines = _groups(columns, height), in_lines((piece for column in columns for piece in column), height)
    if len(groups) < len(lines) and has_wrapped_rows(columns, height):
        return groups
    owner = owners(columns)
    rows: list[list[Piece]] = []
    for line in lines:
        filled = {owner[piece.number] for piece in line}
        if rows and 0 not in filled and filled < {owner[piece.number] for piece in rows[-1]}:
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
