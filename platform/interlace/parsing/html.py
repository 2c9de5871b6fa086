"""HTML: title, headings, main text and links, without scripts, styles and navigation."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.metadata import json_values, words_of
from interlace.parsing.sandbox.limits import ParseLimits

_DROPPED = frozenset(
    {
        "script", "style", "noscript", "template", "svg", "math", "head", "iframe", "object", "embed", "canvas", "audio",
        "video", "button", "select", "textarea",
    }
)  # fmt: skip
_BOILERPLATE = frozenset({"nav", "aside", "footer"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LINES = frozenset({"li", "tr", "dt", "dd", "br", "option", "figcaption", "caption"})
_PARAGRAPHS = frozenset(
    {
        "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "ul", "ol", "dl", "table", "blockquote",
        "pre", "figure", "form", "address", "fieldset", "hr", "details",
    }
)  # fmt: skip
_META = {"description": "description", "author": "author", "article:published_time": "published", "date": "date"}
_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)(?:[^>\"']|\"[^\"]*\"|'[^']*')*+>")
# Elements that never hold others, and elements whose end tag HTML lets authors leave out.
_UNNESTED = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li", "dt",
        "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rp", "rt", "html", "head", "body",
    }
)  # fmt: skip


def parse_html(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean HTML text.

    The main text is the one ``<main>``, else the one ``<article>``, else the body without navigation, asides and footers.

    Raises:
        ParseError: elements nest too deep, or there is no text.
    """
    _check_depth(text, limits.html_depth, name)
    tree = LexborHTMLParser(text)
    composer = Composer(name, limits, title=_title(tree))
    root = _main(tree)
    if root is not None:
        _walk(root, composer, _DROPPED | _BOILERPLATE)
        if composer.blank:
            _walk(root, composer, _DROPPED)
    metadata, keywords = _meta(tree)
    return composer.finish(
        fallback_title=fallback_title, tags=words_of(keywords), metadata=json_values(metadata, limits, name)
    )


def compose_html(fragment: str, composer: Composer) -> None:
    """Write the readable text of an HTML fragment, for example of an HTML block in Markdown, without making sections."""
    _check_depth(fragment, composer.limits.html_depth, composer.name)
    tree = LexborHTMLParser(fragment)
    if tree.body is not None:
        _walk(tree.body, composer, _DROPPED, headings=False)


def _check_depth(text: str, limit: int, name: str) -> None:
    """Refuse deep nesting before the tree is built: building costs time in the square of the depth."""
    depth = 0
    open_tags: dict[str, int] = {}
    for match in _TAG.finditer(text):
        tag = match[2].lower()
        if tag in _UNNESTED or match[0].endswith("/>"):
            continue
        if not match[1]:
            depth += 1
            open_tags[tag] = open_tags.get(tag, 0) + 1
        elif open_tags.get(tag):
            depth -= 1
            open_tags[tag] -= 1
        if depth > limit:
            raise ParseError(f"{name} nests HTML elements deeper than {limit} levels. Simplify it.", reason="limit")


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("head > title")
    title = one_line(node.text()) if node else ""
    heading = tree.css_first("h1")
    words = one_line(heading.text()) if heading else ""
    # Sites append their name: "Install | Example" over the heading "Install".
    return words if words and title.casefold().startswith(words.casefold()) else title


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    for selector in ("main, [role=main]", "article"):
        found = tree.css(selector)
        if len(found) == 1 and found[0].text().strip():
            return found[0]
    return tree.body


def _meta(tree: LexborHTMLParser) -> tuple[dict[str, str], str]:
    metadata, keywords = {}, ""
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        key = (attributes.get("name") or attributes.get("property") or "").lower()
        content = one_line(attributes.get("content") or "")
        if key == "keywords":
            keywords = content
        elif key in _META and content:
            metadata[_META[key]] = content
    language = tree.root.attributes.get("lang") if tree.root else None
    if language:
        metadata["language"] = language
    return metadata, keywords


def _events(root: LexborNode, dropped: frozenset[str]) -> Iterator[tuple[bool, LexborNode]]:
    """Yield ``(True, node)`` when a node begins and ``(False, node)`` when an element ends, without recursion."""
    stack: list[tuple[bool, LexborNode]] = [(True, root)]
    while stack:
        begins, node = stack.pop()
        if begins and node is not root and node.is_element_node:
            if node.tag in dropped or "hidden" in node.attributes:
                continue
            stack.append((False, node))
        if begins:
            children = list(node.iter(include_text=True))
            stack.extend((True, child) for child in reversed(children))
        yield begins, node


def _walk(root: LexborNode, composer: Composer, dropped: frozenset[str], *, headings: bool = True) -> None:
    writer = _Writer(composer)
    skip = 0
    for begins, node in _events(root, dropped):
        tag = node.tag or ""
        if headings and tag in _HEADINGS:
            skip += 1 if begins else -1
            if begins and skip == 1:
                composer.heading(int(tag[1]), node.text())
        elif skip and tag != "a":
            continue
        elif node.is_text_node:
            writer.text(node.text_content or "")
        elif begins:
            writer.begin(tag, node, in_heading=bool(skip))
        else:
            writer.end(tag, in_heading=bool(skip))


class _Writer:
    """Writes text nodes with white space as a browser would show it."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._preformatted = 0
        self._space = False
        self._links: list[tuple[str, int]] = []

    def text(self, text: str) -> None:
        """Write a text node; white space collapses, also across nodes, outside preformatted elements."""
        if self._preformatted:
            self._composer.write_verbatim(text)
            return
        text = _SPACE.sub(" ", text)
        words = text.strip(" ")
        if not words:
            self._space = True
            return
        self._flush_space(text.startswith(" "))
        self._composer.write(words)
        self._space = text.endswith(" ")

    def _flush_space(self, wanted: bool) -> None:
        if wanted or self._space:
            self._composer.write(" ")
        self._space = False

    def begin(self, tag: str, node: LexborNode, *, in_heading: bool) -> None:
        """Open an element."""
        if tag == "a":
            href = (node.attributes.get("href") or "").strip()
            if in_heading and _leads_somewhere(href):
                target, _, anchor = href.partition("#")
                self._composer.reference("html", target, anchor, 0, one_line(node.text()) or target)
            elif not in_heading:
                self._flush_space(wanted=False)
                self._links.append((href, self._composer.position))
            return
        self._preformatted += tag == "pre"
        if tag in {"td", "th"} and node.prev is not None:
            self._flush_space(wanted=False)
            self._composer.write(" | ")
        self._break(tag)

    def end(self, tag: str, *, in_heading: bool) -> None:
        """Close an element."""
        if tag == "a":
            if not in_heading and self._links:
                href, start = self._links.pop()
                if _leads_somewhere(href):
                    self._composer.link("html", href, start)
            return
        self._preformatted -= tag == "pre"
        self._break(tag)

    def _break(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._composer.paragraph()
            self._space = False
        elif tag in _LINES:
            self._composer.line()
            self._space = False


def _leads_somewhere(href: str) -> bool:
    return bool(href) and not href.lower().startswith(("javascript:", "data:", "mailto:", "tel:"))
