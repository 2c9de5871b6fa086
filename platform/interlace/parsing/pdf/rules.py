"""Tables whose cells are separated by rules on a PDF page: lines, or the edges of rectangles, that cross each other."""

import ctypes
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from more_itertools import rstrip, split_when
from pypdfium2 import PdfPage, raw

from interlace.parsing.pdf.pieces import Piece, in_lines, joined

_MAX_OBJECTS = 10_000  # on a page, including text objects
_MAX_LINES = 4_000  # a page with more is a drawing
_MAX_RULES = 300
_MIN_LENGTH = 6.0  # points
_NEAR = 3.0  # points: largest gap within one rule, and between rules that touch
_MIN_RULES = 3  # rules in each direction
_MAX_CELL_LINES = 12  # a cell with more is part of the page
_MIN_CELLS = 4
_FILLED = 0.4  # least share of cells with text, in rows that have some
Rule = tuple[float, float, float]
"""A line along an axis: its coordinate across the axis, and its start and end along it."""


@dataclass(frozen=True, slots=True)
class RuledTable:
    """The positions of a table's rules in points, from the left and from the top."""

    across: tuple[float, ...]
    down: tuple[float, ...]

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is within the outer rules."""
        return self.across[0] <= x <= self.across[-1] and self.down[0] <= y <= self.down[-1]

    def has(self, piece: Piece) -> bool:
        """Return whether the middle of a piece is in the table."""
        return self.holds((piece.left + piece.right) / 2, piece.middle)

    def parts(self, left: float, right: float, y: float) -> bool:
        """Return whether a vertical rule separates two points at the same height."""
        return self.holds(left, y) and self.holds(right, y) and bisect(self.across, left) != bisect(self.across, right)

    def rows(self, pieces: Iterable[Piece], height: float) -> list[list[str]]:
        """Return the cell texts of each row that has some; empty if this is not a table but a frame, or the grid of a drawing."""
        cells: dict[tuple[int, int], list[Piece]] = {}
        for piece in pieces:
            place = bisect(self.down, piece.middle), bisect(self.across, (piece.left + piece.right) / 2)
            cells.setdefault(place, []).append(piece)
        lines = {place: in_lines(cell, height) for place, cell in cells.items()}
        rows, columns = sorted({row for row, _ in cells}), range(1, len(self.across))
        is_full = len(cells) >= max(_MIN_CELLS, _FILLED * len(rows) * len(columns)) and len(rows) > 1
        if not is_full or max(map(len, lines.values())) > _MAX_CELL_LINES:
            return []
        texts = (
            [joined(piece.text for line in lines.get((row, at), ()) for piece in line) for at in columns]
            for row in rows
        )
        return [list(rstrip(row, lambda cell: not cell)) for row in texts]


def ruled_tables(page: PdfPage) -> list[RuledTable]:
    """Return the tables whose cells are separated by rules, from the top; none on a page with as many lines as a drawing."""
    if raw.FPDFPage_CountObjects(page) > _MAX_OBJECTS:
        return []
    level: list[Rule] = []
    upright: list[Rule] = []
    for count, (x1, y1, x2, y2) in enumerate(_lines(page)):
        if count > _MAX_LINES:
            return []
        if abs(y1 - y2) < 1 and abs(x1 - x2) > _MIN_LENGTH:
            level.append((-y1, min(x1, x2), max(x1, x2)))
        elif abs(x1 - x2) < 1 and abs(y1 - y2) > _MIN_LENGTH:
            upright.append((x1, -max(y1, y2), -min(y1, y2)))
    level, upright = _joined(level), _joined(upright)
    if len(level) + len(upright) > _MAX_RULES:
        return []
    return sorted(_crossing(level, upright), key=lambda table: (table.down[0], table.across[0]))


def _crossing(level: Sequence[Rule], upright: Sequence[Rule]) -> Iterator[RuledTable]:
    """Yield a table for each set of rules that touch."""
    groups: list[tuple[set[Rule], set[Rule]]] = []
    for rule in level:
        touched = {each for each in upright if _touch(rule, each)}
        own = ({rule}, touched)
        for other in [group for group in groups if group[1] & touched]:
            groups.remove(other)
            own = (own[0] | other[0], own[1] | other[1])
        groups.append(own)
    for across, down in groups:
        xs, ys = _places(down), _places(across)
        if min(len(xs), len(ys)) >= _MIN_RULES:
            yield RuledTable(xs, ys)


def _touch(level: Rule, upright: Rule) -> bool:
    y, left, right = level
    x, top, bottom = upright
    return left - _NEAR <= x <= right + _NEAR and top - _NEAR <= y <= bottom + _NEAR


def _places(rules: Iterable[Rule]) -> tuple[float, ...]:
    places = sorted(place for place, _, _ in rules)
    return tuple(places[:1] + [other for one, other in pairwise(places) if other - one > _NEAR])


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """Return rules, merging those that continue or overlap each other: a cell is often drawn separately."""
    found: list[Rule] = []
    for near in split_when(sorted(rules), lambda one, other: other[0] - one[0] > _NEAR):
        place, end = near[0][0], float("-inf")
        for _, first, last in sorted(near, key=lambda rule: rule[1]):
            if first > end + _NEAR:
                found.append((place, first, last))
            elif last > end:
                found[-1] = (place, found[-1][1], last)
            end = max(end, last)
    return found


def _lines(page: PdfPage) -> Iterator[tuple[float, float, float, float]]:
    """Yield the straight lines of the page's paths, in PDF page coordinates."""
    x, y, matrix = ctypes.c_float(), ctypes.c_float(), raw.FS_MATRIX()
    for each in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        raw.FPDFPageObj_GetMatrix(each, matrix)
        last = start = (0.0, 0.0)
        for number in range(min(raw.FPDFPath_CountSegments(each), _MAX_LINES + 1)):
            segment = raw.FPDFPath_GetPathSegment(each, number)
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            point = (
                matrix.a * x.value + matrix.c * y.value + matrix.e,
                matrix.b * x.value + matrix.d * y.value + matrix.f,
            )
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == raw.FPDF_SEGMENT_LINETO:
                yield (*last, *point)
            elif kind == raw.FPDF_SEGMENT_MOVETO:
                start = point
            if raw.FPDFPathSegment_GetClose(segment):
                yield (*point, *start)
            last = point
