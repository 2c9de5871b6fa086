"""The reading order of a PDF page: columns one after the other, tables row by row.

A recursive XY cut (Nagy and Seth 1984): find the gutter that divides most lines, then read what is above it, its columns, and what is below,
in this order. Where there is no gutter, or where there is a drawing, the order of the file is kept.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from more_itertools import split_when

from interlace.parsing.pdf.grid import MIN_LINES, Grid
from interlace.parsing.pdf.pieces import (
    HYPHEN,
    MAX_SWITCHES,
    Piece,
    as_written,
    between_strips,
    in_lines,
    joined,
    switches,
)
from interlace.parsing.pdf.rules import RuledTable
from interlace.parsing.pdf.table import has_wrapped_rows, is_aligned, is_data, rows_of, side_by_side

CELLS = " | "
"""The separator between the cells of a row."""
_MAX_CUTS = 200  # a page that needs more is damaged, or crafted to take time
_PROSE_CHARACTERS = 18
_PROSE_FILL = 0.75  # least share of the column's width that most of its lines fill
_MARK = re.compile(r"[\W_]{1,2}|\(?(?:[\d.]{1,8}|[ivxIVX]{1,5}|[A-Za-z])[.):]?")  # before a list item, or a line
_APART = 1.5  # blank strip that separates a header or footer from a column, in line heights
_FAR = 3.0  # the same for a header or footer as wide as the columns
_HEAD_LINES = 2
_MAX_RUNS = 4  # of out-of-place text; a drawing has more
_JUMP = 2  # upwards within a run of the file, in line heights
Band = tuple[list[Piece], list[list[Piece]], list[Piece]]
"""The pieces above columns, those of each column, and those below."""


class Block(NamedTuple):
    """A text with the number of its first piece; and, if it is in file order, its first and last piece."""

    number: int
    text: str
    first: Piece | None = None
    last: Piece | None = None

    def follows(self, other: "Block") -> bool:
        """Return whether the file continues from another block on the same line."""
        one, two = other.last, self.first
        return one is not None and two is not None and (one.number + 1, one.line) == (two.number, two.line)


def in_reading_order(pieces: Sequence[Piece], tables: Sequence[RuledTable] = ()) -> str:
    """Return the text of a page from its pieces, which are given in file order; table cells are separated by ``CELLS``."""
    blocks = [Block(-1, ""), *_Page(pieces, tables).blocks(pieces)]
    text = ""
    for last, block in pairwise(blocks):
        text += ("" if not text or text.endswith(HYPHEN) else " " if block.follows(last) else "\n") + block.text
    return text.strip("\n")


class _Page:
    def __init__(self, pieces: Sequence[Piece], tables: Sequence[RuledTable]) -> None:
        self._tables = tables
        self._height = max(median(piece.bottom - piece.top for piece in pieces), 0.1) if pieces else 1.0
        self._cuts = 0

    def blocks(self, pieces: Sequence[Piece]) -> Iterator[Block]:
        """Yield blocks in reading order."""
        if ruled := self._ruled(pieces):
            above, tables, below = ruled
            yield from (*self.blocks(above), *tables, *self.blocks(below))
            return
        band = self._band(pieces) if self._cuts < _MAX_CUTS else None
        if band is None:
            yield from self._in_file_order(pieces)
            return
        self._cuts += 1
        above, columns, below = band
        yield from self.blocks(above)
        within = sorted((piece for column in columns for piece in column), key=lambda piece: piece.number)
        apart = side_by_side(columns, self._height)
        match "tables" if apart else self._kind(columns):
            case "tables":
                yield from (block for table in apart for block in self.blocks(table))
            case "columns":
                blocks = [block for column in columns for block in self.blocks(column)]
                # If the file itself is in column order, it also says where notes and captions between the columns belong.
                yield from sorted(blocks, key=lambda block: block.number) if _goes_through(columns) else blocks
            case "rows" if rows := rows_of(columns, self._height):
                yield _in_rows(within, rows)
            case "items":
                lines = in_lines(within, self._height)
                yield Block(within[0].number, "\n".join(joined(piece.text for piece in line) for line in lines))
            case _:
                yield _as_written(within)
        yield from self.blocks(below)

    def _ruled(self, pieces: Sequence[Piece]) -> tuple[list[Piece], list[Block], list[Piece]] | None:
        """Return the first ruled tables with nothing else beside them, from the left, with what is above and below; None if there are none."""
        for row in self._rows_of_tables(pieces):
            top, bottom = min(each.down[0] for each in row), max(each.down[-1] for each in row)
            beside = [piece for piece in pieces if top <= piece.middle <= bottom]
            contents = [list(filter(table.has, beside)) for table in row]
            rows = [table.rows(inside, self._height) for table, inside in zip(row, contents, strict=True)]
            if sum(map(len, contents)) == len(beside) and all(rows):
                blocks = [_in_rows(inside, cells) for inside, cells in zip(contents, rows, strict=True)]
                return (
                    [each for each in pieces if each.middle < top],
                    blocks,
                    [each for each in pieces if each.middle > bottom],
                )
        return None

    def _rows_of_tables(self, pieces: Sequence[Piece]) -> Iterator[list[RuledTable]]:
        """Yield the tables that contain some of the pieces, those side by side together."""
        inside = [table for table in self._tables if any(map(table.has, pieces))]
        groups = split_when(inside, lambda one, other: other.down[0] > one.down[-1])
        yield from (sorted(group, key=lambda table: table.across[0]) for group in groups)

    def _in_file_order(self, pieces: Sequence[Piece]) -> Iterator[Block]:
        """Yield runs of pieces in file order; a run that begins higher up than the one before it is moved to its position on the page."""
        jump = _JUMP * self._height
        runs = list(split_when(pieces, lambda one, other: other.top < one.top - jump))
        if len(runs) <= _MAX_RUNS:
            runs.sort(key=lambda run: run[0].top)
        for run in runs:
            for part in split_when(run, lambda one, other: one.number + 1 != other.number):
                yield _as_written(part)

    def _band(self, pieces: Sequence[Piece]) -> Band | None:
        """Return the columns that divide most lines, with what is above and below; None if there are none."""
        if len(pieces) < 2 * MIN_LINES:
            return None
        grid = Grid(pieces, self._height)
        found = grid.gutter()
        if found is None:
            return None
        first, last, bit = found
        inside = [piece for piece in pieces if first <= grid.row(piece.middle) <= last]
        left, right = ([each for each in inside if (grid.column(each.left) > bit) is side] for side in (False, True))
        if min(len(left), len(right)) < MIN_LINES:
            return None
        top, bottom = self._top(left, right), self._bottom(left, right)
        chosen = self._near([piece for piece in inside if top <= piece.middle <= bottom])
        columns = _columns(chosen, grid)
        if len(columns) < 2:  # noqa: PLR2004 - one column is no band
            return None
        taken, half = {piece.number for piece in chosen}, median(piece.middle for piece in chosen)
        others = [piece for piece in pieces if piece.number not in taken]
        return (
            [each for each in others if each.middle < half],
            columns,
            [each for each in others if each.middle >= half],
        )

    def _top(self, left: list[Piece], right: list[Piece]) -> float:
        """Return where columns begin: excluding a header above one of them with nothing beside it and a blank strip below it."""
        tops = [min(piece.top for piece in side) for side in (left, right)]
        early, late = (left, right) if tops[0] < tops[1] else (right, left)
        head = self._parted(sorted(early, key=lambda piece: -piece.middle))
        if not head or max(piece.bottom for piece in head) > max(tops):
            return min(tops)
        is_first = max(piece.number for piece in head) < min(piece.number for piece in late)
        return max(piece.bottom for piece in head) if is_first or self._is_short(head) else min(tops)

    def _bottom(self, left: list[Piece], right: list[Piece]) -> float:
        """Return where columns end, by the same rule with the page upside down."""
        return -self._top(*([_from_the_end(piece) for piece in side] for side in (left, right)))

    def _near(self, pieces: list[Piece]) -> list[Piece]:
        """Return pieces without a short header and footer, of whatever width, that are far from the others."""
        parts = between_strips(pieces, _FAR * self._height)
        first = len(parts) > 1 and self._is_short(parts[0])
        last = len(parts) - (len(parts) > 1 + first and self._is_short(parts[-1]))
        return [piece for part in parts[first:last] for piece in part]

    def _parted(self, ordered: list[Piece]) -> list[Piece]:
        """Return the pieces beyond the last blank strip, given pieces ordered towards the edge of the page."""
        apart = _APART * self._height
        parts = list(
            split_when(ordered, lambda one, other: max(one.top - other.bottom, other.top - one.bottom) > apart)
        )
        return parts[-1] if len(parts) > 1 else []

    def _is_short(self, pieces: list[Piece]) -> bool:
        return len(in_lines(pieces, self._height)) <= _HEAD_LINES

    def _kind(self, columns: list[list[Piece]]) -> str:
        """Return how columns are read: one after the other, in rows, as items after their markers, or in file order."""
        is_by_column = switches(columns) <= MAX_SWITCHES * len(columns)
        prose = [self._is_prose(column) for column in columns]
        if len(columns) == 2 and _is_marks(columns[0]) and (prose[1] or not is_data(columns)):  # noqa: PLR2004
            return "items" if is_by_column else "file"
        if has_wrapped_rows(columns, self._height):
            return "rows"
        aligned = is_aligned(columns, self._height)
        if sum(prose) > 1 or (_goes_through(columns) and not (aligned and is_data(columns))):
            return "columns"
        return "rows" if aligned else "file"

    def _is_prose(self, column: list[Piece]) -> bool:
        lines = in_lines(column, self._height)
        width = max(piece.right for piece in column) - min(piece.left for piece in column)
        fill = median(line[-1].right - line[0].left for line in lines)
        characters = median(sum(len(piece.text) for piece in line) for line in lines)
        return len(lines) >= MIN_LINES and fill >= _PROSE_FILL * width and characters >= _PROSE_CHARACTERS


def _as_written(pieces: Sequence[Piece]) -> Block:
    return Block(pieces[0].number, as_written(pieces), pieces[0], pieces[-1])


def _from_the_end(piece: Piece) -> Piece:
    return replace(piece, number=-piece.number, top=-piece.bottom, bottom=-piece.top)


def _in_rows(pieces: Sequence[Piece], rows: Sequence[Sequence[str]]) -> Block:
    return Block(pieces[0].number, "\n" + "\n".join(map(CELLS.join, rows)) + "\n")


def _columns(pieces: Sequence[Piece], grid: Grid) -> list[list[Piece]]:
    """Return the pieces between gutters that run through all; item numbers are in the column of the items."""
    edges = grid.edges(pieces)
    columns: list[list[Piece]] = [[] for _ in range(len(edges) + 1)]
    for piece in pieces:
        columns[sum(grid.column(piece.left) >= edge for edge in edges)].append(piece)
    columns = [column for column in columns if column]
    if len(columns) > 2 and _is_marks(columns[0]) and not is_data(columns[:2]):  # noqa: PLR2004 - else nothing is left beside them
        return [columns[0] + columns[1], *columns[2:]]
    return columns


def _is_marks(column: Sequence[Piece]) -> bool:
    return sum(_MARK.fullmatch(piece.text) is not None for piece in column) * 2 > len(column)


def _goes_through(columns: Sequence[Sequence[Piece]]) -> bool:
    """Return whether the file has columns one after the other, in their order, except for a few pieces."""
    middles = [median(piece.number for piece in column) for column in columns]
    is_ordered = all(one <= other for one, other in pairwise(middles))
    return is_ordered and switches(columns) <= MAX_SWITCHES * len(columns)
