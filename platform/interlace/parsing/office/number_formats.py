"""Number formats of Excel workbooks: which cells show a percentage, which calamine does not say."""

import posixpath
import re
import zipfile
from collections.abc import Collection, Iterator
from functools import reduce
from xml.etree import ElementTree as ET

from interlace.parsing.office.package import local_name, xml_root

_STYLES, _WORKBOOK, _TARGETS = _PARTS = ("xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels")
_BUILT_IN = {"9", "10"}  # ECMA-376 part 1, 18.8.30: 0% and 0.00%
_TEXT = re.compile(r'"[^"]*"|\\.')  # shown as it is


def percentages(archive: zipfile.ZipFile) -> dict[str, set[tuple[int, int]]]:
    """Return the cells that show a percentage (row and column, from 0) by name of their sheet; none for XLSB and OpenDocument."""
    parts = set(archive.namelist())
    styles = _percent_styles(xml_root(archive.read(_STYLES))) if parts.issuperset(_PARTS) else ()
    if not styles:
        return {}
    targets = {
        each.get("Id"): posixpath.join("xl", each.get("Target", "")).lstrip("/")
        for each in xml_root(archive.read(_TARGETS))
    }
    sheets = [each for each in xml_root(archive.read(_WORKBOOK)).iter() if local_name(each) == "sheet"]
    ids = {each.get("name", ""): value for each in sheets for key, value in each.items() if key.endswith("}id")}
    places = {name: targets.get(value, "") for name, value in ids.items()}
    return {name: set(_cells(archive.read(part), styles)) for name, part in places.items() if part in parts}


def _percent_styles(root: ET.Element) -> Collection[str]:
    """Return the numbers of the cell styles whose format has a percent sign."""
    elements = [(local_name(each), each) for each in root.iter()]
    custom = [each for name, each in elements if name == "numFmt" and "%" in _TEXT.sub("", each.get("formatCode", ""))]
    formats = _BUILT_IN.union(each.get("numFmtId") for each in custom)
    styles = next((each for name, each in elements if name == "cellXfs"), ())
    return {str(number) for number, style in enumerate(styles) if style.get("numFmtId") in formats}


def _cells(sheet: bytes, styles: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the cells of some styles; by a regular expression, because parsing a large sheet takes seconds."""
    pattern = (
        rf"""<(?:\w+:)?c\b(?=[^<>]*\ss=["'](?:{"|".join(styles)})["'])[^<>]*\sr=["']([A-Z]{{1,3}})(\d{{1,7}})["']"""
    )
    for letters, row in re.findall(pattern.encode(), sheet):
        yield int(row) - 1, reduce(lambda number, letter: number * 26 + letter - 64, letters, 0) - 1
