"""The numbers of Word's lists (ISO 29500-1, 17.9), as Word counts them: Mammoth begins each list with 1, also after a paragraph between its items."""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree as ET

_DOCUMENT, _NUMBERING, _STYLES = "word/document.xml", "word/numbering.xml", "word/styles.xml"
_NOT_READ = ("word/media/", "word/embeddings/")
_UNCOUNTED = frozenset({"", "bullet", "none"})
_DRAWN_TWICE = "Choice"  # of the two forms of a text box Mammoth reads the other one
_BEGIN, _END = "\ue000", "\ue001"  # for private use
_MARK = re.compile(rf"(<li>)?{_BEGIN}(\d+){_END}")


def with_numbers(archive: zipfile.ZipFile) -> bytes | None:
    """Return a DOCX whose numbered paragraphs begin with a mark of their number; None if there are none."""
    if not {_DOCUMENT, _NUMBERING, _STYLES} <= set(archive.namelist()):
        return None
    document, numbering, styles = (ET.fromstring(archive.read(each)) for each in (_DOCUMENT, _NUMBERING, _STYLES))  # noqa: S314 - the archive check has refused entities
    counter = _Counter(numbering, styles)
    marked = [(each, number) for each in _paragraphs(document) if (number := counter.number(each)) is not None]
    for paragraph, number in marked:
        run = ET.Element(paragraph.tag[:-1] + "r")
        ET.SubElement(run, paragraph.tag[:-1] + "t").text = f"{_BEGIN}{number}{_END}"
        paragraph.insert(int(_child(paragraph, "pPr") is not None), run)
    return _rewritten(archive, ET.tostring(document)) if marked else None


def numbers_as_values(html: str) -> str:
    """Return HTML with the marked numbers as values of list items; those of headings go."""
    return _MARK.sub(lambda found: f'<li value="{found[2]}">' if found[1] else "", html)


def _rewritten(archive: zipfile.ZipFile, document: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as written:
        for name in archive.namelist():
            if not name.startswith(_NOT_READ):
                written.writestr(name, document if name == _DOCUMENT else archive.read(name))
    return buffer.getvalue()


class _Counter:
    """Counts the items of each list at each level."""

    def __init__(self, numbering: ET.Element, styles: ET.Element) -> None:
        self._levels: dict[tuple[str, int], tuple[str, int]] = {}  # format and first number, by definition and level
        self._of_style: dict[tuple[str, str], int] = {}
        self._lists: dict[str, tuple[str, dict[int, int]]] = {}  # definition, and levels at which this list restarts
        self._styles = {_attribute(style, "styleId"): style for style in _children(styles, "style")}
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()
        for definition in _children(numbering, "abstractNum"):
            for level in _children(definition, "lvl"):
                place = _attribute(definition, "abstractNumId"), _whole(_attribute(level, "ilvl"))
                self._levels[place] = _value(level, "numFmt"), _whole(_value(level, "start"), 1)
                self._of_style[place[0], _value(level, "pStyle")] = place[1]
        for each in _children(numbering, "num"):
            restarts = {
                _whole(_attribute(level, "ilvl")): _whole(_value(level, "startOverride"), 1)
                for level in _children(each, "lvlOverride")
                if _child(level, "startOverride") is not None
            }
            self._lists[_attribute(each, "numId")] = _value(each, "abstractNumId"), restarts

    def number(self, paragraph: ET.Element) -> int | None:
        """Return the number of a paragraph, which is the next one in the document; None if it has none."""
        key, level = self._place(paragraph)
        if key not in self._lists:
            return None
        definition, restarts = self._lists[key]
        counts = self._counts[definition]
        if key not in self._begun:
            self._begun.add(key)
            counts |= {each: start - 1 for each, start in restarts.items()}
        numbered, start = self._levels.get((definition, level), ("", 1))
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        return None if numbered in _UNCOUNTED or counts[level] < 0 else counts[level]

    def _place(self, paragraph: ET.Element) -> tuple[str, int]:
        """Return list and level of a paragraph, its own or those of its style."""
        properties = _child(paragraph, "pPr")
        key, level = _list_of(properties)
        style, seen = _value(properties, "pStyle"), set[str]()
        while not key and style in self._styles and style not in seen:
            seen.add(style)
            key, of_style = _list_of(_child(self._styles[style], "pPr"))
            if key:
                definition, _ = self._lists.get(key, ("", {}))
                level = level or str(self._of_style.get((definition, style), _whole(of_style)))
            style = _value(self._styles[style], "basedOn")
        return key, _whole(level)


def _paragraphs(element: ET.Element) -> Iterator[ET.Element]:
    stack = [element]
    while stack:
        each = stack.pop()
        if _name(each) == "p":
            yield each
        stack += [child for child in reversed(each) if _name(child) != _DRAWN_TWICE]


def _list_of(properties: ET.Element | None) -> tuple[str, str]:
    found = _child(properties, "numPr")
    return _value(found, "numId"), _value(found, "ilvl")


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _children(element: ET.Element, name: str) -> Iterator[ET.Element]:
    return (each for each in element if _name(each) == name)


def _child(element: ET.Element | None, name: str) -> ET.Element | None:
    return None if element is None else next(_children(element, name), None)


def _value(element: ET.Element | None, name: str) -> str:
    found = _child(element, name)
    return "" if found is None else _attribute(found, "val")


def _attribute(element: ET.Element, name: str) -> str:
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def _whole(value: str, otherwise: int = 0) -> int:
    return int(value) if value.isdecimal() and len(value) < 9 else otherwise  # noqa: PLR2004 - as long as 32 bits
