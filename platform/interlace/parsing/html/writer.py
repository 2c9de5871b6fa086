"""Text nodes of an HTML tree written as a browser lays them out: collapsed white space, blocks, lines and table rows."""

import re
from collections import deque
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

from interlace.parsing.composer import Composer, item_marker
from interlace.parsing.decoding import one_line
from interlace.parsing.html.spanned_cells import SpannedCells

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LINES = frozenset({"li", "tr", "dt", "dd", "br", "option", "figcaption", "caption"})
BLOCKS = frozenset(
    {
        "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "ul", "ol", "dl", "table", "blockquote",
        "pre", "figure", "form", "address", "fieldset", "hr", "details", "summary", "dialog",
    }
)  # fmt: skip
_LISTS = frozenset({"ul", "ol"})
CELLS = frozenset({"td", "th"})
_TABLES = frozenset({"table", "tr"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_LITERALS = frozenset({"pre", "code", "kbd", "samp"})
# Tables are also used for layout. A cell with more text than this, or with structure of its own, is not data but a column of the page.
_DATUM_CHARACTERS = 1_000
_REPEATED_CHARACTERS = 100  # of a value that is repeated in the rows into which its cell reaches
_COLUMN = "table, ul, ol, dl, pre, h1, h2, h3, h4, h5, h6"
_SPACE = re.compile(r"\s+")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_NOT_FOLLOWED = ("javascript:", "data:", "mailto:", "tel:")


class HtmlWriter:
    """Writes elements into a document.

    Args:
        composer: the document to write to.
        is_dropped: returns whether to leave out an element with its whole subtree.
        headings: whether headings begin sections; otherwise they are text.
        marker: what the first text begins with.
    """

    def __init__(
        self, composer: Composer, is_dropped: Callable[[LexborNode], bool], *, headings: bool = True, marker: str = ""
    ) -> None:
        self._composer = composer
        self._is_dropped = is_dropped
        self._headings = HEADINGS if headings else frozenset()
        self._preformatted = 0
        self._in_heading = 0
        self._datum_start: int | None = None
        self._follows_datum = False
        self._empty_cells = 0  # that a wide cell spans; written only before another cell
        self._tables = [SpannedCells()]
        self._space = False
        self._link_starts: list[int] = []
        self._literal_starts: list[int] = []
        # For each open list, the number of its next item; None in unordered lists.
        self._lists: list[int | None] = []
        self._marker = marker
        self._codes_are_lines = False
        self._follows_term = False

    def write(self, root: LexborNode) -> None:
        """Write everything below an element."""
        for begins, node in self._events(root):
            tag = node.tag or ""
            if tag in self._headings:
                self._heading(tag, node, begins=begins)
            elif tag == "a":
                self._link(node, begins=begins)
            elif self._in_heading:
                continue  # the heading's whole text was taken at its start
            elif tag in _LITERALS:
                self._literal(tag, node, begins=begins)
            elif node.is_text_node:
                self._text(node.text_content or "")
            else:
                self._element(tag, node, begins=begins)

    def _events(self, root: LexborNode) -> Iterator[tuple[bool, LexborNode]]:
        """Yield ``(True, node)`` at the start of a node and ``(False, node)`` at the end of an element, without recursion."""
        stack: list[tuple[bool, LexborNode]] = [(True, root)]
        while stack:
            begins, node = stack.pop()
            if begins and node is not root and node.is_element_node:
                if self._is_dropped(node):
                    continue
                stack.append((False, node))
            if begins:
                children = list(node.iter(include_text=True))
                stack.extend((True, child) for child in reversed(children))
            yield begins, node

    def _heading(self, tag: str, node: LexborNode, *, begins: bool) -> None:
        self._in_heading += 1 if begins else -1
        if begins and self._in_heading == 1:
            self._composer.heading(int(tag[1]), _words(node))

    def _link(self, node: LexborNode, *, begins: bool) -> None:
        href = (node.attributes.get("href") or "").strip()
        is_followed = bool(href) and not href.lower().startswith(_NOT_FOLLOWED)
        target, _, anchor = href.partition("#")
        if self._in_heading:
            if begins and is_followed:
                self._composer.reference("html", target, anchor, 0, one_line(node.text()) or target)
        elif begins:
            self._write_space()
            self._link_starts.append(self._composer.position)
        elif self._link_starts:
            start = self._link_starts.pop()
            if is_followed:
                self._composer.reference("html", target, anchor, start)

    def _literal(self, tag: str, node: LexborNode, *, begins: bool) -> None:
        """Mark code, keys and output as literals."""
        if begins:
            self._element(tag, node, begins=True)
            self._write_space()
            if tag == "code" and self._preformatted:
                self._code_in_block(node)
            self._literal_starts.append(self._composer.position)
        else:
            self._composer.literal(self._literal_starts.pop())
            self._element(tag, node, begins=False)

    def _code_in_block(self, node: LexborNode) -> None:
        """Begin a line for each of several elements in a row: pages that number the lines of code show each as a block."""
        before = node.prev
        if before is None or before.tag != "code":
            self._codes_are_lines = _are_lines(node)
        elif self._codes_are_lines and not before.text().endswith("\n"):
            self._composer.line()

    def _text(self, text: str) -> None:
        """Write a text node; outside preformatted elements white space collapses, also across nodes."""
        if self._preformatted:
            self._write_marker()
            self._composer.write(text, keep_indent=True)
            return
        text = _SPACE.sub(" ", text)
        words = text.strip(" ")
        self._space = self._space or text.startswith(" ")
        if words:
            self._write_space()
            self._composer.write(words)
            self._space = text.endswith(" ")

    def _write_marker(self) -> None:
        if self._marker:
            self._composer.write(self._marker, keep_indent=True)
            self._marker, self._space = "", False
        self._follows_term = False

    def _write_space(self) -> None:
        self._write_marker()
        if self._space and self._composer.position != self._datum_start:
            self._composer.write(" ")
        self._space = False

    def _element(self, tag: str, node: LexborNode, *, begins: bool) -> None:
        self._preformatted += (tag == "pre") * (1 if begins else -1)
        if tag in _LISTS:
            self._list(node, begins=begins)
        if tag in CELLS:
            self._cell(node, begins=begins)
        elif tag in _ROW_GROUPS:
            self._tables[-1].begin_rows()
        elif tag in BLOCKS or tag in LINES:
            if self._datum_start is not None:
                self._space = True  # a data row stays on one line
                return
            if tag in _TABLES:
                self._table(tag, begins=begins)
            self._space = self._follows_datum = False
            self._follows_term = (self._follows_term and begins) or (tag == "dt" and not begins)
            if tag in BLOCKS and not self._follows_term:
                self._composer.paragraph()
            else:
                self._composer.line()
            if tag == "li":
                self._item(node, begins=begins)

    def _list(self, node: LexborNode, *, begins: bool) -> None:
        if not begins:
            self._lists = self._lists[:-1]
        elif node.tag == "ol" and "reversed" not in node.attributes:
            self._lists.append(whole_number(node.attributes.get("start"), 1))
        else:
            self._lists.append(None)

    def _item(self, node: LexborNode, *, begins: bool) -> None:
        """Set the marker of an item; an item without words gets none."""
        self._marker = ""
        if not begins or not self._lists:
            return
        number = self._lists[-1]
        if number is not None:
            number = whole_number(node.attributes.get("value"), number)
            self._lists[-1] = number + 1
        self._marker = item_marker("" if number is None else f"{number}.", len(self._lists))

    def _table(self, tag: str, *, begins: bool) -> None:
        """Begin or end a table or a row of one."""
        if tag == "tr":
            if begins:
                self._tables[-1].begin_row()
            elif self._follows_datum:  # a row without cells of its own repeats none
                self._cells_from_above()
        elif begins:
            self._tables.append(SpannedCells())
        else:
            self._tables.pop()
        self._empty_cells = 0

    def _cells_from_above(self) -> None:
        for text in self._tables[-1].from_above():
            self._part_cells()
            self._composer.write(text)
            self._follows_datum = True

    def _part_cells(self) -> None:
        if self._follows_datum:
            self._composer.write(" | " * (1 + self._empty_cells))
        self._empty_cells = 0

    def _cell(self, node: LexborNode, *, begins: bool) -> None:
        """Begin or end a table cell; a data cell cannot contain another, because it contains no table."""
        if not begins:
            self._end_cell(node)
            return
        if node.css_first(_COLUMN) is not None or len(node.text()) > _DATUM_CHARACTERS:
            deque(self._tables[-1].from_above(), maxlen=0)  # beside a column of the page, no value is repeated
            self._composer.paragraph()
            self._space = self._follows_datum = False
        else:
            self._cells_from_above()
            self._part_cells()
            self._space = False
            self._datum_start = self._composer.position

    def _end_cell(self, node: LexborNode) -> None:
        is_datum = self._datum_start is not None
        text = "" if self._datum_start is None else self._composer.written_since(self._datum_start)
        text = text if len(text) <= _REPEATED_CHARACTERS else ""
        self._space = self._space and not is_datum
        self._follows_datum, self._datum_start = is_datum, None
        rows, columns = (whole_number(node.attributes.get(name), 1) for name in ("rowspan", "colspan"))
        self._empty_cells = self._tables[-1].add(text, rows if is_datum else 1, columns)


def _words(node: LexborNode) -> str:
    """Return the words of a heading, which a break parts as a space does."""
    if node.css_first("br") is None:
        return node.text()
    parts = (" " if each.tag == "br" else each.text(deep=False) for each in node.traverse(include_text=True))
    return "".join(parts)


def whole_number(value: str | None, otherwise: int) -> int:
    """Return the number that an attribute states, or the other one."""
    return int(value) if value and _NUMBER.fullmatch(value.strip()) else otherwise


def _are_lines(node: LexborNode | None) -> bool:
    """Return whether elements in a row, from this one, are lines: some with spaces, but none at the end, as words and signs that are coloured have."""
    texts: list[str] = []
    while node is not None and node.tag == "code":
        texts.append(node.text())
        node = node.next
    return any(" " in text or "\n" in text for text in texts) and not any(text.endswith(" ") for text in texts)
