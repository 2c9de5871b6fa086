"""Workbooks, presentations, books and OpenDocument files for tests."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pptx import Presentation
from pptx.util import Inches
from tests.support.parsing import packed
from xlsxwriter import Workbook

Cells = Sequence[Sequence[Any]]
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>',
    "OEBPS/a.opf": """<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title><dc:creator>Ada Byron</dc:creator>
        </metadata><manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="b" href="text/two.xhtml"
        media-type="application/xhtml+xml"/><item id="a" href="text/one%201.xhtml" media-type="application/xhtml+xml"/><item id="c" href="cover.svg"
        media-type="image/svg+xml"/></manifest><spine><itemref idref="c"/><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>""",
    "OEBPS/cover.svg": "<svg><text>Cover</text></svg>",
    "OEBPS/nav.xhtml": "<html><body><nav><a href='text/two.xhtml'>Ebb</a></nav></body></html>",
    "OEBPS/text/one 1.xhtml": "<html><head><title/></head><body><h1>Flood</h1><p>It <a href='two.xhtml'>rises</a>.<a id='x'/></p></body></html>",
    "OEBPS/text/two.xhtml": "<html><body><h1>Ebb</h1><p>See <a href='https://example.org/'>there</a>.</p></body></html>",
}

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("style", "style"), ("meta", "meta"),
        ("presentation", "presentation"), ("svg", "svg-compatible"), ("chart", "chart"),
    ]
) + ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip
_STYLES = """<style:style style:name="P7" style:parent-style-name="Title"/><style:style style:name="P8" style:parent-style-name="Preformatted_20_Text"/>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-number text:level="2"
    style:num-format="a" text:start-value="4"/></text:list-style>
    <text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style>"""


def workbook(sheets: Mapping[str, Cells], change: Callable[[Workbook], None] = lambda _: None) -> bytes:
    buffer = io.BytesIO()
    with Workbook(buffer) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
        change(book)
    return buffer.getvalue()


def slides(*fills: Callable[[Any], None], title: str = "") -> bytes:
    """Return a presentation with a slide for each function, which fills a blank slide."""
    presentation, buffer = Presentation(), io.BytesIO()
    presentation.core_properties.title = title
    for fill in fills:
        fill(presentation.slides.add_slide(presentation.slide_layouts[5]))
    presentation.save(buffer)
    return buffer.getvalue()


def titled(title: str, *lines: str) -> Callable[[Any], None]:
    def fill(slide: Any) -> None:
        slide.shapes.title.text = title
        if lines:
            slide.shapes.add_textbox(0, Inches(3), Inches(4), Inches(1)).text_frame.text = "\n".join(lines)

    return fill


def open_document(body: str, kind: str = "text", **parts: str) -> bytes:
    """Return an OpenDocument file with a body; further parts by their names without ``.xml``.

    It has styles of paragraphs (``P7`` for titles, ``P8`` for code) and of lists (``L1`` with numbers, ``L2`` without).
    """
    content = f"<office:automatic-styles>{_STYLES}</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    packaged = {
        f"{name}.xml": f"<office:document {_NAMESPACES}>{part}</office:document>"
        for name, part in {"content": content, "styles": "", **parts}.items()
    }
    return packed({"mimetype": f"application/vnd.oasis.opendocument.{kind}", **packaged})
