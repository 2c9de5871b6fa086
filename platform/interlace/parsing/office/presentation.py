"""Presentations (PPTX) through python-pptx: a section for each slide, with its tables, charts, diagrams and the speaker's notes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any
from xml.etree import ElementTree as ET

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.text.text import TextFrame

from interlace.parsing.composer import Composer, item_marker
from interlace.parsing.decoding import one_line
from interlace.parsing.office.package import local_name, shown_number, xml_root

_ON_EVERY_SLIDE = {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER}
_TITLE = 80  # characters
_DIAGRAM = "/diagramData"


def write_presentation(content: bytes, _: zipfile.ZipFile, composer: Composer) -> None:
    """Write a section for each slide, hidden ones included; one without a title is called by its number."""
    for number, slide in enumerate(Presentation(io.BytesIO(content)).slides, start=1):
        shapes = list(_in_reading_order(slide.shapes))
        title = _title(slide, shapes)
        lines = list(_lines(slide, [shape for shape in shapes if shape is not title]))
        composer.heading(1, title.text_frame.text if title else f"Slide {number}" * any(lines))
        for line in lines:
            composer.write(line, keep_indent=True)
            (composer.line if line else composer.paragraph)()


def _in_reading_order(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield shapes from top to bottom and left to right, those of a group where the group is."""
    for shape in sorted(shapes, key=lambda each: (each.top or 0, each.left or 0)):
        if isinstance(shape, GroupShape):
            yield from _in_reading_order(shape.shapes)
        elif not shape.is_placeholder or shape.placeholder_format.type not in _ON_EVERY_SLIDE:
            yield shape


def _title(slide: Slide, shapes: Iterable[Any]) -> Any:
    """Return the shape that is a slide's title: its placeholder, or the first text if that is a line of its own; None if neither is."""
    texts = [shape for shape in shapes if shape.has_text_frame and shape.text_frame.text.strip()]
    title = slide.shapes.title
    placeholder = title.shape_id if title is not None else None
    lines = [
        shape for shape in texts[:1] if len(shape.text_frame.paragraphs) == 1 and len(shape.text_frame.text) <= _TITLE
    ]
    return next(chain((shape for shape in texts if shape.shape_id == placeholder), lines), None)


def _lines(slide: Slide, shapes: Iterable[Any]) -> Iterator[str]:
    """Yield the lines of a slide; an empty one ends a paragraph."""
    for shape in shapes:
        if shape.has_text_frame:
            yield from _lines_of_text(shape.text_frame)
        elif getattr(shape, "has_table", False):
            for row in shape.table.rows:
                yield " | ".join(one_line(cell.text) for cell in row.cells if not cell.is_spanned)
        elif getattr(shape, "has_chart", False):
            yield from _lines_of_chart(shape.chart)
        yield ""
    yield from _lines_of_diagrams(slide)
    yield ""
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        yield from _lines_of_text(notes)
        yield ""


def _lines_of_text(frame: TextFrame) -> Iterator[str]:
    """Yield each paragraph as a line, those of lower levels as nested items."""
    for paragraph in frame.paragraphs:
        if text := one_line(paragraph.text):
            yield item_marker("", paragraph.level + 1) + text


def _lines_of_chart(chart: Any) -> Iterator[str]:
    """Yield the title of a chart of any type, and each series as a line with its values by category."""
    root = xml_root(chart.part.blob)
    if (title := root.find("{*}chart/{*}title")) is not None:
        yield _words(title)
    for series in root.iterfind(".//{*}ser"):
        name, categories, values = (_points(series, kinds) for kinds in ({"tx"}, {"cat", "xVal"}, {"val", "yVal"}))
        shown = (f"{categories.get(at, '')} {value}".strip() for at, value in values.items())
        yield ": ".join(filter(None, [*name.values(), ", ".join(shown)]))


def _points(series: ET.Element, kinds: set[str]) -> dict[str | None, str]:
    """Return the values in the parts of some kinds of a series by their numbers."""
    points = (point for part in series if local_name(part) in kinds for point in part.iterfind(".//{*}pt"))
    return {point.get("idx"): _value(point.findtext("{*}v") or "") for point in points}


def _value(text: str) -> str:
    """Return a value as it is shown: numbers, which are written with all of their digits, as in spreadsheets."""
    try:
        return shown_number(float(text))
    except ValueError:
        return one_line(text)


def _words(element: ET.Element) -> str:
    """Return the words in an element of DrawingML."""
    return one_line("".join(each.text or "" for each in element.iter() if local_name(each) == "t"))


def _lines_of_diagrams(slide: Slide) -> Iterator[str]:
    """Yield the paragraphs in the diagrams (SmartArt) of a slide."""
    for relation in slide.part.rels.values():
        if relation.reltype.endswith(_DIAGRAM) and relation.target_part.partname.ext == "xml":
            for paragraph in xml_root(relation.target_part.blob).iter():
                if local_name(paragraph) == "p":
                    yield _words(paragraph)
