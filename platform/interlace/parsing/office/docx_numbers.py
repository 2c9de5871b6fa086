"""The numbers of Word's lists (ISO 29500-1, 17.9), as Word counts them: Mammoth begins each list with 1, also after a paragraph between its items."""

import hashlib
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from interlace.parsing.html.writer import whole_number
from interlace.parsing.office.package import attribute, local_name, xml_root

_DOCUMENT, _NUMBERING, _STYLES = "word/document.xml", "word/numbering.xml", "word/styles.xml"
_NOT_READ = ("word/media/", "word/embeddings/")
_UNCOUNTED = frozenset({"", "bullet", "none"})
_DRAWN_TWICE = "Choice"  # of the two forms of a text box Mammoth reads the other one
_GONE = ("del", "moveFrom")  # of a paragraph's end, where changes are tracked
_LEVELS = range(9)


def with_numbers(archive: zipfile.ZipFile) -> tuple[bytes, str] | None:
    """Return a DOCX whose numbered paragraphs begin with a mark and their number, and that mark; None if there are none."""
    if not {_DOCUMENT, _NUMBERING, _STYLES} <= set(archive.namelist()):
        return None
    parts = [archive.read(each) for each in (_DOCUMENT, _NUMBERING, _STYLES)]
    document, numbering, styles = map(xml_root, parts)
    counter = _Counter(numbering, styles)
    marked = [(each, number) for each in _paragraphs(document) if (number := counter.number(each)) is not None]
    mark = f"{hashlib.sha256(parts[0]).hexdigest()[:32]}-"  # no text contains its own digest
    for paragraph, number in marked:
        run = ET.Element(paragraph.tag[:-1] + "r")
        ET.SubElement(run, paragraph.tag[:-1] + "t").text = f"{mark}{number};"
        paragraph.insert(int(_child(paragraph, "pPr") is not None), run)
    return (_rewritten(archive, ET.tostring(document)), mark) if marked else None


def numbers_as_values(html: str, mark: str) -> str:
    """Return HTML with the marked numbers as values of list items; those of headings go."""
    marked = re.compile(rf"(<li>)?{mark}(\d+);")
    return marked.sub(lambda found: f'<li value="{found[2]}">' if found[1] else "", html)


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
        self._levels: dict[tuple[str, int], tuple[str, int, int]] = {}  # by definition or list, and level
        self._of_style: dict[tuple[str, str], int] = {}
        self._lists: dict[str, tuple[str, dict[int, int]]] = {}  # definition, and levels at which this list restarts
        self._styles = {attribute(style, "styleId"): style for style in _children(styles, "style")}
        self._places: dict[str, tuple[str, int]] = {}  # list and level by style
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()
        for definition in _children(numbering, "abstractNum"):
            for level in _children(definition, "lvl"):
                place = attribute(definition, "abstractNumId"), whole_number(attribute(level, "ilvl"), 0)
                self._levels[place] = _level(level, place[1])
                self._of_style[place[0], _value(level, "pStyle")] = place[1]
        for each in _children(numbering, "num"):
            self._add_list(each)

    def _add_list(self, element: ET.Element) -> None:
        key, restarts = attribute(element, "numId"), dict[int, int]()
        for override in _children(element, "lvlOverride"):
            at = whole_number(attribute(override, "ilvl"), 0)
            if (level := _child(override, "lvl")) is not None:
                self._levels[f"list {key}", at] = _level(level, at)
            if _child(override, "startOverride") is not None and at in _LEVELS:
                restarts[at] = whole_number(_value(override, "startOverride"), 1)
        self._lists[key] = _value(element, "abstractNumId"), restarts

    def number(self, paragraph: ET.Element) -> int | None:
        """Return the number of a paragraph, which is the next one in the document; None if it has none."""
        key, level = self._place(_child(paragraph, "pPr"))
        if key not in self._lists or level not in _LEVELS:
            return None
        definition, restarts = self._lists[key]
        counts = self._counts[definition]
        if key not in self._begun:
            self._begun.add(key)
            counts |= {each: start - 1 for each, start in restarts.items()}
        numbered, start, _ = self._level_of(key, level)
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [each for each in counts if level < min(each, self._level_of(key, each)[2])]:
            del counts[deeper]
        return None if numbered in _UNCOUNTED or counts[level] < 0 else counts[level]

    def _level_of(self, key: str, level: int) -> tuple[str, int, int]:
        """Return the format, the first number, and the number of levels above that make it begin again."""
        defined = self._levels.get((self._lists[key][0], level), ("", 1, level))
        return self._levels.get((f"list {key}", level), defined)

    def _place(self, properties: ET.Element | None) -> tuple[str, int]:
        """Return list and level of a paragraph, its own or those of its style; none if it was deleted."""
        if any(_child(_child(properties, "rPr"), each) is not None for each in _GONE):
            return "", 0
        key, level = _list_of(properties)
        if key:
            return key, whole_number(level, 0)
        key, of_style = self._place_of_style(_value(properties, "pStyle"))
        return key, whole_number(level, of_style)

    def _place_of_style(self, style: str) -> tuple[str, int]:
        """Return list and level of a style, its own or those of the one on which it is based."""
        seen: set[str] = set()
        place = "", 0
        while style in self._styles and style not in seen and style not in self._places:
            seen.add(style)
            key, level = _list_of(_child(self._styles[style], "pPr"))
            if key:
                definition, _ = self._lists.get(key, ("", {}))
                place = key, self._of_style.get((definition, style), whole_number(level, 0))
                break
            style = _value(self._styles[style], "basedOn")
        place = self._places.get(style, place)
        self._places |= dict.fromkeys(seen, place)
        return place


def _level(element: ET.Element, at: int) -> tuple[str, int, int]:
    start, restart = whole_number(_value(element, "start"), 1), whole_number(_value(element, "lvlRestart"), at)
    return _value(element, "numFmt"), start, restart


def _paragraphs(element: ET.Element) -> Iterator[ET.Element]:
    stack = [element]
    while stack:
        each = stack.pop()
        if local_name(each) == "p":
            yield each
        stack += [child for child in reversed(each) if local_name(child) != _DRAWN_TWICE]


def _list_of(properties: ET.Element | None) -> tuple[str, str]:
    found = _child(properties, "numPr")
    return _value(found, "numId"), _value(found, "ilvl")


def _children(element: ET.Element, name: str) -> Iterator[ET.Element]:
    return (each for each in element if local_name(each) == name)


def _child(element: ET.Element | None, name: str) -> ET.Element | None:
    return None if element is None else next(_children(element, name), None)


def _value(element: ET.Element | None, name: str) -> str:
    found = _child(element, name)
    return "" if found is None else attribute(found, "val")
