"""XML of any kind: paragraphs, and values behind the names of their elements, in sections; no markup."""

import re
from collections import Counter
from html.entities import entitydefs
from xml.etree import ElementTree as ET

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.html.parser import compose_html, is_html
from interlace.parsing.office.package import attribute, local_name
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.text import parse_text

_WORD_BEGINS = re.compile(r"[-_.]+|(?<=[a-z0-9])(?=[A-Z])")
_TITLE = re.compile(
    r"^(?!(?:alt|alternative|job|journal|running|short|sub) )(?:title\b|head$|(?:.* )?(?:title|heading|headline)$)"
)
# Their names say that they are text, or where it stands.
_PROSE = frozenset({"ab", "item", "l", "li", "line", "p", "para", "s", "seg", "simpara", "span", "td", "text", "th"})
_PARAGRAPHS = frozenset({"p", "para", "simpara"})
_NO_HEADINGS = frozenset({"back", "body", "content", "front", "head", "header", "info", "main", "text"})
_SENTENCE = re.compile(r"(?:\S+\s+){7,}\S+[.!?\u2026]")  # long enough to stand without the name of its element
_FIRST_LEVEL = 2  # below the title


def parse_xml(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean XML: its title is the first element called so that is none of a section; text that is not well-formed is read as plain text.

    Raises:
        ParseError: it declares entities, or holds no text.
    """
    if "<!ENTITY" in text:
        raise ParseError(f"{name} declares XML entities, which are refused. Save it again from its program.")
    parser = ET.XMLParser()  # noqa: S314 - it reads nothing outside the text
    parser.entity.update(entitydefs)  # of HTML, for types whose definition is elsewhere
    try:
        root = ET.fromstring(text, parser)  # noqa: S314 - see above
    except ET.ParseError:
        return parse_text(text, name, fallback_title, limits)
    title = _title(root)
    composer = Composer(name, limits, title="" if title is None else _words(title))
    _Writer(composer, title).write(root, _FIRST_LEVEL, is_top=True)
    composer.check_has_text("Write down what it says, or leave it out.")
    language = next((each for element in root.iter() if (each := attribute(element, "lang"))), "")
    return composer.finish(fallback_title=fallback_title, metadata={"language": language} if language else {})


class _Writer:
    """Writes elements into a document whose title is one of them."""

    def __init__(self, composer: Composer, title: ET.Element | None) -> None:
        self._composer = composer
        self._title = title

    def write(self, element: ET.Element, level: int, *, is_top: bool = False) -> None:
        """Write an element whose headings have a level; at the top, elements without values beside them that differ have their names as headings."""
        if element is self._title:
            return
        if _is_block(element):
            self._block(element)
            return
        self._composer.paragraph()
        heading = next((each for each in element if _is_block(each) and _is_title(each)), None)
        if heading is not None and heading is not self._title:
            self._composer.heading(level, _words(heading))
            level += 1
        tags = Counter(each.tag for each in element)
        are_parts = is_top and len(tags) > 1 and not any(map(_is_block, element))
        for child in element:
            is_named = are_parts and tags[child.tag] == 1 and local_name(child) not in _NO_HEADINGS
            if is_named and not any(map(_is_title, child)):
                self._composer.heading(level, _label(child))
            if child is not heading:
                self.write(child, level + is_named, is_top=is_top and len(element) == 1)
        self._composer.paragraph()

    def _block(self, element: ET.Element) -> None:
        """Write a paragraph, or a line with the name of an element and its value."""
        raw, words = "".join(element.itertext()), _words(element)
        if any(local_name(each) in _PARAGRAPHS for each in element):
            self._composer.write(one_line(element.text or ""))
            for child in element:
                self._composer.paragraph()
                self._block(child)
                self._composer.paragraph()
                self._composer.write(one_line(child.tail or ""))
        elif is_html(raw):
            compose_html(raw, self._composer)
        elif words and (_SENTENCE.fullmatch(words) or local_name(element).lower() in _PROSE or len(element)):
            self._composer.paragraph()
            self._composer.write(words)
            self._composer.paragraph()
        elif value := words or _attributes(element):
            self._composer.line()
            self._composer.write(f"{_label(element)}: {value}")
            self._composer.line()


def _title(element: ET.Element) -> ET.Element | None:
    """Return the element with the title of the document; what stands in one of several equal elements is that of a section."""
    counts = Counter(each.tag for each in element)
    for child in element:
        if _is_title(child):
            found = next((each for each in child.iter() if _is_block(each) and _words(each)), None)
        else:
            found = _title(child) if counts[child.tag] == 1 else None
        if found is not None:
            return found
    return None


def _is_title(element: ET.Element) -> bool:
    return _TITLE.search(_label(element).lower()) is not None


def _is_block(element: ET.Element) -> bool:
    """Return whether an element has words of its own, or no elements."""
    return not len(element) or any((each or "").strip() for each in (element.text, *(each.tail for each in element)))


def _words(element: ET.Element) -> str:
    return one_line(_joined(element))


def _joined(element: ET.Element) -> str:
    """Return the words of an element; those of elements that have no others around them, such as items, are apart."""
    gap = "" if _is_block(element) else " "
    inner = (f"{gap}{_joined(each)}{each.tail or ''}" for each in element)
    return (element.text or "") + "".join(inner)


def _attributes(element: ET.Element) -> str:
    """Return the attributes of an element without words: the value alone of a single one."""
    values = {each: value for name, value in element.items() if (each := name.rpartition("}")[2]) == name and value}
    return next(iter(values.values())) if len(values) == 1 else ", ".join(" ".join(each) for each in values.items())


def _label(element: ET.Element) -> str:
    """Return the name of an element as words: ``Filing date`` for ``filing-date`` and ``filingDate``."""
    words = _WORD_BEGINS.sub(" ", local_name(element)).split()
    label = " ".join(word if word.isupper() else word.lower() for word in words)
    return label[:1].upper() + label[1:]
