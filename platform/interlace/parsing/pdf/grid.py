"""White space on a PDF page: gutters between columns, found on a bitmap."""

import re
from collections.abc import Sequence

from interlace.parsing.pdf.pieces import Piece

MIN_LINES = 3
"""Fewest lines, or rows, of a column or a table."""
_CELLS = 400
_GUTTER = 0.7  # least width, in line heights
_REACH = 0.3  # extent of a piece above and below its middle, in line heights: boxes of neighbouring lines may touch


class Grid:
    """A page as at most 400 by 400 cells, where each row is an integer whose bits mark text.

    Args:
        pieces: at least one.
        height: of a line, in points.
    """

    def __init__(self, pieces: Sequence[Piece], height: float) -> None:
        self._left, self._top = min(piece.left for piece in pieces), min(piece.top for piece in pieces)
        across, down = max(piece.right for piece in pieces) - self._left, max(p.bottom for p in pieces) - self._top
        self._dx, self._dy = max(height / 5, across / _CELLS), max(height / 2, down / _CELLS)
        self._width = max(2, int(_GUTTER * height / self._dx))
        self._rows = [0] * (int(down / self._dy) + 1)
        self._ends = sorted({self.column(piece.right) + 1 for piece in pieces})
        reach = _REACH * height
        for piece in pieces:
            first, last = max(piece.top, piece.middle - reach), min(piece.bottom, piece.middle + reach)
            for row in range(self.row(first), self.row(last) + 1):
                self._rows[row] |= self._bits(piece)

    def _bits(self, piece: Piece) -> int:
        return (1 << self.column(piece.right) + 1) - (1 << self.column(piece.left))

    def column(self, x: float) -> int:
        """Return the bit of an x coordinate."""
        return int((x - self._left) / self._dx)

    def row(self, y: float) -> int:
        """Return the row of a y coordinate."""
        return int((y - self._top) / self._dy)

    def gutter(self) -> tuple[int, int, int] | None:
        """Return first row, last row and first bit of the gutter with text on both sides of most rows; None if there is none."""
        best, most = None, MIN_LINES - 1
        for bit in self._ends:
            window, before = ((1 << self._width) - 1) << bit, (1 << bit) - 1
            first, count = 0, 0
            for at, row in enumerate([*self._rows, window]):
                if row & window:
                    if count > most:
                        best, most = (first, at - 1, bit), count
                    first, count = at + 1, 0
                elif row & before and row >> bit:
                    count += 1
        return best

    def edges(self, pieces: Sequence[Piece]) -> list[int]:
        """Return the first bit to the right of each gutter that runs through all of some pieces."""
        filled = 0
        for piece in pieces:
            filled |= self._bits(piece)
        return [match.end() for match in re.finditer(rf"(?<=1)0{{{self._width},}}(?=1)", f"{filled:b}"[::-1])]
