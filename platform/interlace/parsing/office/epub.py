"""EPUB books: the chapters in reading order, each a page of HTML."""

import posixpath
import re
import zipfile
from urllib.parse import unquote

from interlace.parsing.composer import Composer
from interlace.parsing.decoding import clean, decode
from interlace.parsing.html.parser import compose_html
from interlace.parsing.office.package import local_name, xml_root

_CONTAINER = "META-INF/container.xml"
_CHECKED = (".opf", ".xml")  # for declarations of entities, as all parts of these names
_PAGES = frozenset({"application/xhtml+xml", "text/html"})
# Elements that only XHTML closes at once (HTML would take what follows for their content), and links within the book.
_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([A-Za-z][\w:-]*)([^<>]*)/>"
)
_WITHIN = re.compile(r"\bhref\s*=\s*([\"'])(?![A-Za-z][\w+.-]*:)[^\"']*\1")


def write_epub(_: bytes, archive: zipfile.ZipFile, composer: Composer) -> None:
    """Write the chapters of a book as sections, without its table of contents.

    Raises:
        ParseError: a chapter is in no known encoding.
    """
    container = xml_root(archive.read(_CONTAINER))
    paths = [each.attrib["full-path"] for each in container.iter() if local_name(each) == "rootfile"]
    path = next(each for each in paths if each.endswith(_CHECKED))
    package = list(xml_root(archive.read(path)).iter())
    items = {each.get("id"): each for each in package if local_name(each) == "item"}
    for reference in (each for each in package if local_name(each) == "itemref"):
        item = items[reference.get("idref")]
        if item.get("media-type") in _PAGES and "nav" not in (item.get("properties") or "").split():
            part = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(item.attrib["href"])))
            text = _CLOSED.sub(r"<\1\2></\1>", clean(decode(archive.read(part), composer.name)))
            compose_html(_WITHIN.sub("", text), composer, headings=True)
            composer.paragraph()
