"""DOCX by way of HTML: Mammoth maps Word's styles to elements, and the HTML writer reads those; numbers of lists are counted as in Word."""

import io
import re
import zipfile

import mammoth

from interlace.parsing.composer import Composer
from interlace.parsing.decoding import clean
from interlace.parsing.html.parser import compose_html
from interlace.parsing.office.docx_numbers import numbers_as_values, with_numbers

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


def write_docx(content: bytes, archive: zipfile.ZipFile, composer: Composer) -> None:
    """Write what stands in DOCX bytes."""
    numbered, mark = with_numbers(archive) or (content, "")
    html = numbers_as_values(_to_html(numbered), mark) if mark else _to_html(content)
    compose_html(clean(html), composer, headings=True)


def _to_html(content: bytes) -> str:
    """Return headings, paragraphs, lists, tables, links and notes as HTML, without pictures."""
    result = mammoth.convert_to_html(
        io.BytesIO(content),
        style_map=_STYLES,
        include_embedded_style_map=False,  # a document must not control how it is parsed
        convert_image=lambda _: [],
    )
    return _BACK_LINK.sub("", result.value)
