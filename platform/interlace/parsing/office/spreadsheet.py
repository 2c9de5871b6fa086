"""Spreadsheets (Excel, OpenDocument) through calamine: a section for each sheet, and each row as a line that names its columns."""

import datetime as dt
import io
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.header import Cells, begins_with_data
from interlace.parsing.office.number_formats import percentages
from interlace.parsing.office.package import shown_number
from interlace.parsing.sandbox.limits import ParseLimits

_PAIR = 2
_SAMPLE_ROWS = 20


def write_spreadsheet(content: bytes, archive: zipfile.ZipFile | None, composer: Composer) -> None:
    """Write the visible sheets of a workbook, with the values that their formulas had when it was saved.

    Raises:
        ParseError: the workbook is broken or has a password, or no cell of a visible sheet is filled.
    """
    shares = percentages(archive) if archive else {}
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = [
            workbook.get_sheet_by_name(sheet.name)
            for sheet in workbook.sheets_metadata
            if sheet.visible is SheetVisibleEnum.Visible and sheet.typ is SheetTypeEnum.WorkSheet
        ]
    except CalamineError as error:
        problem = f"{composer.name} is a broken spreadsheet, or has a password ({error})"
        raise ParseError(f"{problem}. Save it again.") from None
    for sheet in sheets:
        if len(workbook.sheet_names) > 1:
            composer.heading(2, sheet.name)
        header: Cells = ()
        for is_filled, block in groupby(_rows(sheet, shares.get(sheet.name, ())), key=any):
            if is_filled:
                header = _write_block(list(block), header, composer)
    composer.check_has_text("Fill a cell of a sheet that is not hidden, or leave it out.")


def parse_old_spreadsheet(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in a workbook of Excel before 2007, which is no ZIP container; see ``write_spreadsheet``."""
    composer = Composer(name, limits)
    write_spreadsheet(content, None, composer)
    return composer.finish(fallback_title=fallback_title, metadata={})


def _rows(sheet: CalamineSheet, shares: Collection[tuple[int, int]]) -> Iterator[list[str]]:
    """Yield the cells of each row, ``shares`` of which show a percentage; one that is merged with those below it belongs to their rows too, if these have others."""
    top, left = sheet.start or (0, 0)
    merged: dict[int, dict[int, int]] = defaultdict(dict)
    for (first, column), (last, _) in sheet.merged_cell_ranges or ():
        if first < last and column >= left:
            merged[first][column - left] = last
    begun: dict[int, tuple[int, str]] = {}
    for number, values in enumerate(sheet.iter_rows(), start=top):
        cells = [_text(value, (number, column) in shares) for column, value in enumerate(values, start=left)]
        if any(cells):
            for column, (last, cell) in begun.items():
                cells[column] = cell if number <= last else cells[column]
        begun |= {column: (last, cells[column]) for column, last in merged[number].items() if column < len(cells)}
        yield cells


def _text(value: Any, is_share: bool) -> str:
    if isinstance(value, float):
        return f"{shown_number(round(value * 100, 6))}%" if is_share else shown_number(value)
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        value = value.date()
    return one_line(str(value))


def _write_block(rows: Sequence[Cells], above: Cells, composer: Composer) -> Cells:
    """Write rows without an empty one between, and return their header; data at the top belongs to the header above them."""
    composer.paragraph()
    columns = sum(any(column) for column in zip(*rows, strict=True))
    fewest = max(_PAIR + 1, columns / 2)  # cells that a header fills
    at = next((number for number, row in enumerate(rows) if _filled(row) >= fewest), len(rows))
    header: Cells = ()
    if at == 0 and above and _is_data(rows):
        header, at = above, len(rows)
    for number, row in enumerate(rows):
        if number == at and any(_filled(each) > 1 for each in rows[at + 1 :]):
            header = row
        elif header and _filled(row) > 1:
            named = zip(header, row, strict=True)
            composer.write(" | ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell))
        else:
            composer.write((": " if _filled(row) == _PAIR else " | ").join(filter(None, row)))
        composer.line()
    composer.paragraph()
    return header or above


def _is_data(rows: Sequence[Cells]) -> bool:
    filled = [number for number, cell in enumerate(rows[0]) if cell]
    return begins_with_data([[row[number] for number in filled] for row in rows[:_SAMPLE_ROWS]])


def _filled(row: Cells) -> int:
    return sum(map(bool, row))
