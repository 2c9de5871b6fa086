"""HTML: title, headings, main text and links, without scripts, styles and boilerplate (navigation, asides, footers)."""

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser, LexborNode

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.html.boilerplate import boilerplate_of
from interlace.parsing.html.main_content import around_content
from interlace.parsing.html.writer import HtmlWriter
from interlace.parsing.metadata import json_values, stated_title, words_of
from interlace.parsing.sandbox.limits import ParseLimits

_NOT_TEXT = frozenset(
    {
        "script", "style", "noscript", "template", "svg", "math", "head", "iframe", "object", "embed", "canvas", "audio",
        "video", "button", "select", "textarea",
    }
)  # fmt: skip
_OPERATORS = frozenset("!$%&*+-./:<=>?@\\|~")
_META = {"description": "description", "author": "author", "article:published_time": "published", "date": "date"}
# One whose quotes are not closed ends at the next bracket, one without a bracket with the page: no text is looked at for each tag in it.
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)(?:(?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+>|[^>]*+(?:>|\Z))")
# Void elements, and elements whose end tag is optional in HTML.
_UNNESTED = frozenset(
    {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li", "dt",
        "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "rp", "rt", "html", "head", "body",
    }
)  # fmt: skip
_IS_HTML = re.compile(
    r"\s*<(a|aside|b|blockquote|div|em|figure|h[1-6]|i|ol|p|pre|section|span|strong|table|ul)\b[^<>]*>(?s:.*)</\1>"
)
_CRUMBS = "#breadcrumbs a, .breadcrumbs a, .breadcrumb a"


def parse_html(text: str, name: str, fallback_title: str, limits: ParseLimits, *, title: str = "") -> ParsedDocument:
    """Return the document in clean HTML text.

    The main text is the only ``<main>``, else the only ``<article>``, else the body. Boilerplate is what the page itself marks as such, by
    element, ARIA role and name, and short texts and link lists around most of its prose: a page that is all boilerplate is kept whole.

    Args:
        text: clean.
        name: what messages call the document.
        fallback_title: for a page without one.
        limits: of the parser.
        title: a title from outside the page that replaces its own.

    Raises:
        ParseError: there is no text.
    """
    tree = LexborHTMLParser(_flattened(text, limits.html_depth))
    _drop_permalinks(tree)
    composer = Composer(name, limits, title=title or _title(tree))
    root = _main(tree)
    if root is not None:
        is_boilerplate = boilerplate_of(root)

        def is_dropped(node: LexborNode) -> bool:
            return _is_hidden(node) or is_boilerplate(node)

        around = around_content(root, is_dropped)
        HtmlWriter(composer, lambda node: is_dropped(node) or node.mem_id in around).write(root)
        if composer.blank:
            HtmlWriter(composer, _is_hidden).write(root)
    composer.check_has_text("If a script writes the page, save it as the browser shows it.")
    metadata, keywords = _meta(tree)
    return composer.finish(
        fallback_title=fallback_title, tags=words_of(keywords), metadata=json_values(metadata, limits, name)
    )


def is_html(text: str) -> bool:
    """Return whether a value of another format is written in HTML."""
    return _IS_HTML.match(text) is not None


def compose_html(fragment: str, composer: Composer, *, headings: bool = False, marker: str = "") -> None:
    """Write the readable text of an HTML fragment after the marker of its item; ``headings`` says whether headings begin sections or are text."""
    body = LexborHTMLParser(_flattened(fragment, composer.limits.html_depth)).body
    if body is not None:
        HtmlWriter(composer, _is_hidden, headings=headings, marker=marker).write(body)


def _is_hidden(node: LexborNode) -> bool:
    return node.tag in _NOT_TEXT or "hidden" in node.attributes


def _flattened(text: str, limit: int) -> str:
    """Return HTML without the tags of elements below a depth, keeping their text: building a tree takes time quadratic in the depth."""
    open_tags: list[str] = []
    counts: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    parts: list[str] = []
    end = 0
    for match in _TAG.finditer(text):
        tag = match[2].lower()
        if tag in _UNNESTED or match[0].endswith("/>"):
            continue
        if match[1] and dropped[tag]:
            dropped[tag] -= 1
        elif match[1]:
            while counts[tag] and open_tags:
                closed = open_tags.pop()
                counts[closed] -= 1
                if closed == tag:
                    break
            continue
        elif len(open_tags) < limit or tag in _NOT_TEXT:
            open_tags.append(tag)
            counts[tag] += 1
            continue
        else:
            dropped[tag] += 1
        parts += [text[end : match.start()], " "]
        end = match.end()
    return text if not end else "".join([*parts, text[end:]])


def _drop_permalinks(tree: LexborHTMLParser) -> None:
    """Remove what generators append to headings and definitions: links into the page that are a mark only (``¶``, ``#``), and MediaWiki's ``[edit]``.

    Operators (``+``, ``<=``), which an index of a language links, are text.
    """
    for link in reversed(tree.css('a[href^="#"]')):  # inner links first, for an outer one takes them with it
        mark = link.text().strip()
        if mark and not any(sign.isalnum() or sign in _OPERATORS for sign in mark):
            link.decompose()
    for links in reversed(tree.css(".mw-editsection")):
        links.decompose()


def _title(tree: LexborHTMLParser) -> str:
    title, heading = (
        one_line(node.text()) if (node := tree.css_first(selector)) else "" for selector in ("head > title", "h1")
    )
    title = stated_title(title)
    # Sites append their name: "Install | Example" over the heading "Install". Confluence puts the first crumb before both: "IT : Install".
    title = heading if heading and title.casefold().startswith(heading.casefold()) else title
    crumbs = (f"{one_line(node.text())} : " for node in tree.css(_CRUMBS))
    return title.removeprefix(next(filter(title.startswith, crumbs), ""))


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    for selector in ("main, [role=main]", "article"):
        found = tree.css(selector)
        if len(found) == 1 and found[0].text().strip():
            return found[0]
    return tree.body


def _meta(tree: LexborHTMLParser) -> tuple[dict[str, str], str]:
    """Return the metadata of the page, and its keywords as one string."""
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
