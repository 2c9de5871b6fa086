"""Boilerplate around the main content of a web page: link lists and short texts outside the element that holds most of its prose."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from interlace.parsing.html.writer import BLOCKS, CELLS, HEADINGS, LINES
from interlace.text.counting import IDEOGRAPH

_OWN_LINES = (BLOCKS | CELLS | HEADINGS | LINES | {"body", "label", "legend", "summary"}) - {"br"}
_ENDED = re.compile('[.!?…:;"”»)\u3002\uff01\uff1f]\\s*$')
_SENTENCE = 60
_ENDED_SENTENCE = 25
_LINKED_SENTENCE = 0.4
_MIN_PROSE_CHARACTERS = 400  # characters: main content is looked for only in pages with this much
_MAIN = 0.8
_MIN_PARAGRAPHS = 3  # in the main content: the siblings of a single long paragraph are text as well
_MAX_PROSE_SHARE = 0.5
_MIN_LINKED_SHARE = 0.35
_SHORT = 400
_MAX_DROPPED_SHARE = 0.25


@dataclass(slots=True)
class _Element:
    """A block element: its node and parent, the end of its own text and, summed over its subtree, its characters, those in links and of prose."""

    node: LexborNode
    parent: "_Element | None"
    end: str = ""
    text: int = 0
    linked: int = 0
    prose: int = 0
    paragraphs: int = 0
    has_title: bool = False
    children: list["_Element"] = field(default_factory=list)


def around_content(root: LexborNode, is_dropped: Callable[[LexborNode], bool]) -> set[int]:
    """Return the ``mem_id`` of the elements around the main content, the deepest element with four fifths of the page's prose.

    Elements with little prose and either many links or little text are dropped, but never the page's title or a quarter of the text outside links.

    Args:
        root: the page.
        is_dropped: returns whether an element is already left out with its whole subtree.
    """
    page = _summed(root, is_dropped)
    if page.prose < _MIN_PROSE_CHARACTERS:
        return set()
    dropped: list[_Element] = []
    main = page
    while True:
        inner = next((each for each in main.children if each.prose >= _MAIN * page.prose), None)
        if inner is None or inner.paragraphs < _MIN_PARAGRAPHS:
            break
        dropped += _around(inner, main.children)
        main = inner
    lost = sum(each.text - each.linked for each in dropped)
    return set() if lost > _MAX_DROPPED_SHARE * (page.text - page.linked) else {each.node.mem_id for each in dropped}


def _around(main: _Element, siblings: list[_Element]) -> Iterator[_Element]:
    """Yield the siblings of the main content that are left out; a heading is left out if what follows it is."""
    is_last_dropped = True
    for each in reversed(siblings):
        is_heading = each.node.tag in HEADINGS
        is_poor = each.prose < _MAX_PROSE_SHARE * each.text and (
            each.linked > _MIN_LINKED_SHARE * each.text or each.text < _SHORT
        )
        is_last_dropped = each is not main and not each.has_title and is_poor and (is_last_dropped or not is_heading)
        if is_last_dropped:
            yield each


def _summed(root: LexborNode, is_dropped: Callable[[LexborNode], bool]) -> _Element:
    """Return the page as a tree of block elements, with their sums."""
    page = _Element(root, None)
    elements = [page]
    stack = [(child, page, False) for child in _children(root)]
    while stack:
        node, element, is_linked = stack.pop()
        if node.is_text_node:
            _add(element, node.text_content or "", is_linked=is_linked)
        elif node.is_element_node and not is_dropped(node):
            if node.tag in _OWN_LINES:
                element = _Element(node, element, has_title=node.tag == "h1")
                elements.append(element)
            is_linked = is_linked or node.tag == "a"
            stack += [(child, element, is_linked) for child in _children(node)]
    for element in elements:
        own = element.text - element.linked
        is_sentence = own >= _SENTENCE or (own >= _ENDED_SENTENCE and _ENDED.search(element.end) is not None)
        if is_sentence and element.node.tag not in HEADINGS and element.linked <= _LINKED_SENTENCE * element.text:
            element.prose, element.paragraphs = own, 1
    for element in reversed(elements):
        if (parent := element.parent) is not None:
            parent.text += element.text
            parent.linked += element.linked
            parent.prose += element.prose
            parent.paragraphs += element.paragraphs
            parent.has_title |= element.has_title
            if element.text:
                parent.children.append(element)
    for element in elements:
        element.children.reverse()
    return page


def _children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the child nodes of an element, the last first."""
    return reversed(list(node.iter(include_text=True)))


def _add(element: _Element, text: str, *, is_linked: bool) -> None:
    words = " ".join(text.split())
    if words:
        size = len(words) + 2 * len(IDEOGRAPH.findall(words))  # one carries as much as three letters
        element.text += size
        element.linked += size if is_linked else 0
        element.end = text
