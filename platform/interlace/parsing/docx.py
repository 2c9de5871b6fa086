"""DOCX: headings by style, paragraphs, tables and hyperlinks, in the order of the document."""

import io
import re
from collections.abc import Iterator
from typing import Any

from docx import Document
from docx.oxml.ns import qn

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.metadata import json_values, words_of
from interlace.parsing.sandbox.archive import check_archive
from interlace.parsing.sandbox.limits import ParseLimits

MAIN_PART = "word/document.xml"
_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TEXT, _TAB, _BREAK, _LINK = qn("w:t"), qn("w:tab"), (qn("w:br"), qn("w:cr")), qn("w:hyperlink")
_STYLE, _VALUE, _RELATION, _ANCHOR = qn("w:pStyle"), qn("w:val"), qn("r:id"), qn("w:anchor")
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)


def parse_docx(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in DOCX bytes.

    Raises:
        ParseError: the container is broken or a bomb, its XML declares entities, or it holds no text.
    """
    if MAIN_PART not in check_archive(content, name, limits):
        raise ParseError(f"{name} is a ZIP container without {MAIN_PART}: no DOCX. Unpack it.", reason="unknown-type")
    try:
        document = Document(io.BytesIO(content))
        return _read(document, name, fallback_title, limits)
    except (ParseError, MemoryError):
        raise
    except Exception as error:
        # lxml and python-docx let many kinds of exception out on malformed parts; each means the same to a reader.
        raise ParseError(f"{name} is a broken DOCX ({type(error).__name__}). Save it again.") from error


def _read(document: Any, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    properties = document.core_properties
    composer = Composer(name, limits, title=properties.title or "")
    styles = {style.style_id: style.name or "" for style in document.styles}
    relations = {key: rel.target_ref for key, rel in document.part.rels.items() if rel.is_external}
    for block in _blocks(document.element.body):
        if block.tag == _TABLE:
            _write_table(block, composer)
        else:
            _write_paragraph(block, composer, styles, relations)
        composer.paragraph()
    metadata = {
        key: getattr(properties, key) for key in ("author", "subject", "category", "created", "modified", "comments")
    }
    return composer.finish(
        fallback_title=fallback_title,
        tags=words_of(properties.keywords),
        metadata=json_values({key: value for key, value in metadata.items() if value}, limits, name),
    )


def _blocks(body: Any) -> Iterator[Any]:
    """Yield paragraphs and tables in order, also those inside content controls and tracked insertions."""
    stack = list(reversed(body))
    while stack:
        element = stack.pop()
        if element.tag in {_PARAGRAPH, _TABLE}:
            yield element
        else:
            stack.extend(reversed(element))


def _style_level(paragraph: Any, styles: dict[str, str]) -> int:
    """Return the heading level of a paragraph's style; 0 for running text."""
    style = next(paragraph.iter(_STYLE), None)
    style_name = styles.get(style.get(_VALUE), "") if style is not None else ""
    if style_name.casefold() == "title":
        return 1
    match = _HEADING.fullmatch(style_name)
    return min(6, max(1, int(match[1]))) if match else 0


def _write_paragraph(paragraph: Any, composer: Composer, styles: dict[str, str], relations: dict[str, str]) -> None:
    level = _style_level(paragraph, styles)
    if level:
        composer.heading(level, _text(paragraph))
    for child in () if level else paragraph:
        start = composer.position
        composer.write(_text(child))
        if child.tag == _LINK:
            target, anchor = relations.get(child.get(_RELATION) or "", ""), child.get(_ANCHOR) or ""
            if target:
                composer.link("html", target, start)
            elif anchor:
                composer.reference("html", "", anchor, start)


def _write_table(table: Any, composer: Composer) -> None:
    for row in table.iter(_ROW):
        if row.getparent() is table:
            cells = (one_line(_text(cell)) for cell in row.iter(_CELL) if cell.getparent() is row)
            composer.write(" | ".join(cells))
            composer.line()


def _text(element: Any) -> str:
    pieces = []
    for node in element.iter(_TEXT, _TAB, *_BREAK, _PARAGRAPH):
        if node.tag == _TEXT:
            pieces.append(node.text or "")
        elif node.tag == _TAB:
            pieces.append("\t")
        elif node is not element:
            pieces.append("\n")
    return "".join(pieces)
