"""Cells of an HTML table that reach into the rows and columns after their own, so that each value stands below its header."""

from collections.abc import Iterator

_MAX_CELLS = 100  # that one may span


class SpannedCells:
    """The place in one table, and the cells that reach into the rows below."""

    def __init__(self) -> None:
        self._row = self._column = 0
        self._reaching: dict[int, tuple[int, str]] = {}  # by column, the last row and the text

    def begin_rows(self) -> None:
        """Begin a group of rows, into which no cell from above reaches."""
        self._reaching.clear()

    def begin_row(self) -> None:
        """Begin a row at its first column."""
        self._row, self._column = self._row + 1, 0

    def from_above(self) -> Iterator[str]:
        """Yield the texts of the cells that reach into this row from above, up to the next column that is free."""
        while self._column in self._reaching:
            last, text = self._reaching[self._column]
            if last < self._row:
                return
            self._column += 1
            yield text

    def add(self, text: str, rows: int, columns: int) -> int:
        """Add a cell in the free column, and return how many empty ones follow it, because it is wide.

        Args:
            text: repeated in the rows below.
            rows: how many it is said to span; between 1 and 100 count.
            columns: likewise.
        """
        rows, columns = (max(1, min(each, _MAX_CELLS)) for each in (rows, columns))
        if rows > 1:
            last = self._row + rows - 1
            self._reaching.update({self._column + at: (last, "" if at else text) for at in range(columns)})
        self._column += columns
        return columns - 1
