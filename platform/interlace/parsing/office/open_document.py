"""OpenDocument texts and presentations by way of HTML: their elements are renamed to those of HTML, which the HTML writer reads."""

import posixpath
import re
import zipfile
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.html.parser import compose_html
from interlace.parsing.html.writer import HEADINGS, whole_number
from interlace.parsing.office.package import attribute, local_name, xml_root

_TAGS = {
    "a": "a", "custom-shape": "div", "line-break": "br", "list-header": "div", "notes": "section", "p": "p", "page": "section",
    "table": "table", "table-cell": "td", "table-row": "tr", "text-box": "div",
}  # fmt: skip
_NOT_TEXT = frozenset(
    {
        "alphabetical-index", "annotation", "covered-table-cell", "date-time", "footer", "forms", "header", "hidden-text",
        "illustration-index", "object-index", "page-number", "ruby-text", "table-index", "table-of-content", "tracked-changes", "user-index",
    }
)  # fmt: skip
_STYLES = {"Title": "h1", "Preformatted_20_Text": "pre"}
_SPACES = {"s": " ", "tab": "\t"}
_ON_EVERY_SLIDE = frozenset({"date-time", "footer", "header", "page-number"})
_TITLE = 80  # characters
_MAX_SPACES = 100
_ALTERNATIVE = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"  # texts instead of pictures
_LENGTH = re.compile(r"-?\d+(?:\.\d+)?")
# Lines of code are paragraphs each.
_BETWEEN_LINES = re.compile(r"</pre>\s*<pre>")


def write_open_document(_: bytes, archive: zipfile.ZipFile, composer: Composer) -> None:
    """Write what stands in a text or presentation, without comments, deleted text and tables of contents.

    Raises:
        ParseError: it has no content or no body.
    """
    parts = [part for part in ("content.xml", "styles.xml") if part in archive.namelist()]
    if "content.xml" not in parts:
        raise ParseError(f"{composer.name} is a broken OpenDocument: it has no content.xml. Save it again.")
    roots = [xml_root(archive.read(part)) for part in parts]
    body = roots[0].find("{*}body/*")
    if body is None:
        raise ParseError(f"{composer.name} is a broken OpenDocument. Save it again.")
    _insert_charts(body, archive)
    for number, slide in enumerate(body.iterfind("{*}page"), start=1):
        _arrange(slide, number)
    html = _Renamer(roots).html(body)
    compose_html(_BETWEEN_LINES.sub("\n", html), composer, headings=True)


def _insert_charts(body: ET.Element, archive: zipfile.ZipFile) -> None:
    """Show each chart as its title and the table of its values."""
    parts = set(archive.namelist())
    for element in body.iterfind(".//{*}object"):
        part = posixpath.join(posixpath.normpath(attribute(element, "href")), "content.xml")
        element[:] = []
        if part in parts:
            parts.discard(part)  # once, however many refer to it
            chart = xml_root(archive.read(part)).find("{*}body/{*}chart/{*}chart")
            element.extend([] if chart is None else [*chart.iterfind("{*}title/{*}p"), *chart.iterfind("{*}table")])


def _arrange(slide: ET.Element, number: int) -> None:
    """Order a slide from top to bottom and left to right, its notes last, below its title, its first text if that is a line, or its number."""
    shapes = [each for each in slide if attribute(each, "class") not in _ON_EVERY_SLIDE]
    shapes.sort(key=lambda each: (local_name(each) == "notes", *_place(each)))
    written = [each for each in shapes if "".join(each.itertext()).strip()]
    titles = [each for each in written if attribute(each, "class") == "title"]
    title = next(iter(titles + [each for each in written[:1] if _is_line(each)]), None)
    heading = ET.Element("h")
    heading.text = one_line(" ".join(title.itertext())) if title is not None else f"Slide {number}" * bool(written)
    slide[:] = [heading, *(each for each in shapes if each is not title)]


def _place(shape: ET.Element) -> tuple[float, ...]:
    """Return the distances of a shape, or of the first one in a group, from the top and the left, in the unit of the program that wrote them."""
    first = next((each for each in shape.iter() if attribute(each, "y")), shape)
    found = [_LENGTH.match(attribute(first, key)) for key in ("y", "x")]
    return tuple(float(each[0]) if each else 0.0 for each in found)


def _is_line(shape: ET.Element) -> bool:
    texts = [*shape.iterfind("{*}p"), *shape.iterfind("{*}text-box/{*}p")]
    return len(texts) == 1 and len("".join(shape.itertext())) <= _TITLE


class _Renamer:
    """Renames the elements of a document and numbers its list items, as OpenDocument 1.3 (part 3, 5.3) counts them.

    Args:
        parts: roots of the parts with styles.
    """

    def __init__(self, parts: Iterable[ET.Element]) -> None:
        self._parents: dict[str, str] = {}
        self._first: dict[tuple[str, int], int] = {}  # numbers of first items, by style and level of numbered lists
        for style in (each for part in parts for each in part.iter() if local_name(each) in {"style", "list-style"}):
            self._parents[attribute(style, "name")] = attribute(style, "parent-style-name")
            for each in style.iterfind("{*}list-level-style-number"):
                if attribute(each, "num-format"):
                    level = whole_number(attribute(each, "level"), 1)
                    self._first[attribute(style, "name"), level] = whole_number(attribute(each, "start-value"), 1)
        self._counts: dict[str, dict[int, int]] = {}  # last numbers by level, by style and by id of outermost lists
        self._notes: list[ET.Element] = []

    def html(self, body: ET.Element) -> str:
        """Return a document as HTML, its notes as a list at the end."""
        self._rename(body)
        notes = ET.Element("ol")
        for note in self._notes:  # renaming one appends those inside
            self._rename(note)
            _make_item(note)
            notes.append(note)
        body.append(notes)
        return ET.tostring(body, "unicode", method="html")

    def _rename(self, element: ET.Element) -> None:
        kind = local_name(element)
        if kind == "list":
            self._list(element)
            return
        if kind in _NOT_TEXT or element.tag.startswith(_ALTERNATIVE):
            element[:], element.text = [], ""
        element.tag, element.attrib = self._tag(element, kind), _link(element) if kind == "a" else {}
        for child in element:
            self._rename(child)

    def _tag(self, element: ET.Element, kind: str) -> str:
        if kind == "h":
            return f"h{min(max(whole_number(attribute(element, 'outline-level'), 1), 1), 6)}"
        if kind == "p":
            style = attribute(element, "style-name")
            return next((tag for each, tag in _STYLES.items() if each in {style, self._parents.get(style)}), "p")
        if kind in _SPACES:
            element.text = _SPACES[kind] * min(whole_number(attribute(element, "c"), 1), _MAX_SPACES)
        elif kind == "note":
            self._notes += element.iterfind("{*}note-body")
            element[:], element.text = [], f"[{len(self._notes)}]"
        return _TAGS.get(kind, "span")

    def _list(self, element: ET.Element, style: str = "", level: int = 1, counts: dict[int, int] | None = None) -> None:
        """Rename a list; one inside an item takes the style and the counts of that around it."""
        style = attribute(element, "style-name") or style
        if counts is None:
            keys = [f"style {style}", f"list {attribute(element, 'id')}"]
            earlier = attribute(element, "continue-list")
            continues = earlier or attribute(element, "continue-numbering") == "true"
            counts = self._counts.get(f"list {earlier}" if earlier else keys[0], {}) if continues else {}
            self._counts |= dict.fromkeys(keys, counts)
        first = self._first.get((style, level))
        element.tag, element.attrib = "ul" if first is None else "ol", {}
        for item in element:
            number = whole_number(attribute(item, "start-value"), counts.get(level, (first or 1) - 1) + 1)
            is_counted = local_name(item) == "list-item" and item.find("{*}p") is not None
            if is_counted:
                counts[level] = number
                for deeper in [each for each in counts if each > level]:
                    del counts[deeper]
            item.attrib = {"value": str(number)} if is_counted else {}
            for child in item:
                if local_name(child) == "list":
                    self._list(child, style, level + 1, counts)
                else:
                    self._rename(child)
            _make_item(item)


def _make_item(element: ET.Element) -> None:
    """Make an element whose children are renamed an item, whose first paragraph stands behind its number; one with a heading is none."""
    element.tag = "div" if any(child.tag in HEADINGS for child in element) else "li"
    if len(element) and element[0].tag == "p":
        element[0].tag = "span"


def _link(element: ET.Element) -> dict[str, str]:
    """Return the target of a link, which is relative to the package; none within the document."""
    href = attribute(element, "href")
    return {} if href.startswith("#") else {"href": href.removeprefix("../")}
