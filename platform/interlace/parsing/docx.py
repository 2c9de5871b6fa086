"""DOCX by way of HTML: Mammoth maps Word's styles to elements, and the HTML writer reads those; numbers of lists are counted as in Word."""

import datetime as dt
import io
import re
import zipfile
from typing import Any
from xml.etree import ElementTree as ET

import mammoth

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import clean
from interlace.parsing.docx_numbers import numbers_as_values, with_numbers
from interlace.parsing.html import compose_html
from interlace.parsing.metadata import json_values, stated_title, words_of
from interlace.parsing.sandbox.archive import check_archive, opened_archive, refuse_other_archives
from interlace.parsing.sandbox.limits import ParseLimits

_PROPERTIES_PART = "docProps/core.xml"
# The styles of nested items are lists of their own, without a level.
_NESTED = "\n".join(
    f"p[style-name='{name} {depth}']:{kind}-list(1) => {'ul|ol > li > ' * (depth - 1)}{tag} > li:fresh"
    for name, kind, tag in (("List Number", "ordered", "ol"), ("List Bullet", "unordered", "ul"))
    for depth in range(2, 6)
)
_STYLES = f"""
p[style-name='Title'] => h1:fresh
p[style-name='heading 7'] => h6:fresh
p[style-name='heading 8'] => h6:fresh
p[style-name='heading 9'] => h6:fresh
{_NESTED}
"""
# The arrow that links a note back to its place in the text.
_BACK_LINK = re.compile(r' <a href="#(?:footnote|endnote)-ref-\d+">↑</a>')
_METADATA = {
    "creator": "author", "subject": "subject", "category": "category", "created": "created", "modified": "modified",
    "description": "comments",
}  # fmt: skip


def parse_docx(content: bytes, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in DOCX bytes.

    Raises:
        ParseError: the container is broken or a bomb, its XML declares entities, or it holds no text.
    """
    with opened_archive(content, name) as archive:
        refuse_other_archives(archive, name)
        check_archive(archive, name, limits)
        try:
            properties = _properties(archive)
            html = _to_html(with_numbers(archive) or content)
        except MemoryError:
            raise
        except Exception as error:
            # Mammoth and the XML parser raise many kinds of exception on malformed parts; all mean the same to a user.
            raise ParseError(f"{name} is a broken DOCX ({type(error).__name__}). Save it again.") from error
    composer = Composer(name, limits, title=stated_title(properties.get("title", ""), file_names=False))
    compose_html(clean(html), composer, headings=True)
    composer.require_text("Write down what its pictures say, or leave it out.")
    metadata = {key: _time(properties[tag]) for tag, key in _METADATA.items() if properties.get(tag)}
    return composer.finish(
        fallback_title=fallback_title,
        tags=words_of(properties.get("keywords")),
        metadata=json_values(metadata, limits, name),
    )


def _to_html(content: bytes) -> str:
    """Return headings, paragraphs, lists, tables, links and notes as HTML, without pictures."""
    result = mammoth.convert_to_html(
        io.BytesIO(content),
        style_map=_STYLES,
        include_embedded_style_map=False,  # a document must not control how it is parsed
        convert_image=lambda _: [],
    )
    return numbers_as_values(_BACK_LINK.sub("", result.value))


def _properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the core properties (Dublin Core) by local name."""
    if _PROPERTIES_PART not in archive.namelist():
        return {}
    root = ET.fromstring(archive.read(_PROPERTIES_PART))  # noqa: S314 - the archive check has refused entities
    return {element.tag.rpartition("}")[2]: (element.text or "").strip() for element in root}


def _time(value: str) -> Any:
    """Parse a W3C date and time; return any other text unchanged."""
    try:
        return dt.datetime.fromisoformat(value)
    except ValueError:
        return value
