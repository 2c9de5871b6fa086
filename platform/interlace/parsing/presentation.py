"""Presentations (PPTX) through python-pptx: a section for each slide, with its tables, charts, diagrams and the speaker's notes."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.group import GroupShape
from pptx.slide import Slide
from pptx.text.text import TextFrame

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer, item_marker
from interlace.parsing.decoding import one_line
from interlace.parsing.office import core_properties, finish, local_name, own_title
from interlace.parsing.sandbox.limits import ParseLimits

_ON_EVERY_SLIDE = {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER}
_TITLE = 80  # characters
_DIAGRAM = "/diagramData"


def parse_presentation(
    content: bytes, archive: zipfile.ZipFile, name: str, fallback_title: str, limits: ParseLimits
) -> ParsedDocument:
    """Return the document in a presentation, hidden slides included; a slide without a title is called by its number.

    Raises:
        ParseError: no slide holds text.
    """
    properties = core_properties(archive)
    composer = Composer(name, limits, title=own_title(properties))
    for number, slide in enumerate(Presentation(io.BytesIO(content)).slides, start=1):
        shapes = list(_in_reading_order(slide.shapes))
        title = slide.shapes.title or next(filter(_may_be_title, shapes[:1]), None)
        heading = title.text_frame.text if title is not None else ""
        lines = list(_lines(slide, [shape for shape in shapes if title is None or shape.shape_id != title.shape_id]))
        composer.heading(1, heading or f"Slide {number}" * any(lines))
        for line in lines:
            composer.write(line, keep_indent=True)
            (composer.line if line else composer.paragraph)()
    composer.require_text("Write down what its pictures say, or leave it out.")
    return finish(composer, properties, fallback_title, limits, name)


def _in_reading_order(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield shapes from top to bottom and left to right, those of a group where the group is."""
    for shape in sorted(shapes, key=lambda each: (each.top or 0, each.left or 0)):
        if isinstance(shape, GroupShape):
            yield from _in_reading_order(shape.shapes)
        elif not shape.is_placeholder or shape.placeholder_format.type not in _ON_EVERY_SLIDE:
            yield shape


def _may_be_title(shape: Any) -> bool:
    """Return whether the first shape of a slide without a title is one: a line of its own."""
    return shape.has_text_frame and len(shape.text_frame.paragraphs) == 1 and 0 < len(shape.text_frame.text) <= _TITLE


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
    """Yield the title of a chart, and each series as a line with its values by category."""
    if chart.has_title and chart.chart_title.has_text_frame:
        yield one_line(chart.chart_title.text_frame.text)
    for plot in chart.plots:
        categories = list(plot.categories)
        for series in plot.series:
            values = [f"{value:g}" if isinstance(value, float) else str(value) for value in series.values]
            named = zip(categories or values, values, strict=False) if categories else ((None, each) for each in values)
            yield f"{series.name}: " + ", ".join(
                f"{category} {value}" if category else value for category, value in named
            )


def _lines_of_diagrams(slide: Slide) -> Iterator[str]:
    """Yield the paragraphs in the diagrams (SmartArt) of a slide."""
    for relation in slide.part.rels.values():
        if relation.reltype.endswith(_DIAGRAM):
            for paragraph in ET.fromstring(relation.target_part.blob).iter():  # noqa: S314 - the archive check has refused entities
                if local_name(paragraph) == "p":
                    yield one_line("".join(each.text or "" for each in paragraph.iter() if local_name(each) == "t"))
