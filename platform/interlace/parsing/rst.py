"""reStructuredText by way of HTML: Docutils reads it, with the roles and directives of Sphinx, and the HTML writer reads its tree."""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from html import escape
from typing import Any, ClassVar

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives, roles
from docutils.parsers.rst.languages import get_language
from docutils.readers.standalone import Reader
from docutils.utils import new_document, unescape

from interlace.domain.documents import ACCESS, ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer
from interlace.parsing.decoding import one_line
from interlace.parsing.html.parser import compose_html
from interlace.parsing.markdown.inline import InlineText
from interlace.parsing.markdown.parser import finish_markdown
from interlace.parsing.roles import PROSE_DIRECTIVES, add_role
from interlace.parsing.sandbox.limits import ParseLimits

_SETTINGS: dict[str, Any] = {
    "file_insertion_enabled": False,  # a document must not read files
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectnum_xform": False,
    "syntax_highlight": "none",
    "line_length_limit": sys.maxsize,
}
_SUBSTITUTED_CHARACTERS = 10_000
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([A-Za-z][\w.+:-]*)::")
_ROLE = re.compile(r":([A-Za-z][\w.+:-]{0,63}):`|`:([A-Za-z][\w.+:-]{0,63}):")
_MARKS = re.compile(r"^`+|`+_{0,2}$")  # of a link without an address
# Docutils refuses options that Sphinx gives to some of these, reads files for others, or writes today's date.
_OVERRIDDEN = frozenset({"code", "code-block", "date", "include", "math", "parsed-literal", "raw", "sourcecode"})
_CODE = _OVERRIDDEN | {
    "autosummary", "code-tab", "doctest", "graphviz", "highlight", "literalinclude", "productionlist", "prompt", "testcode", "testoutput",
    "toctree",
}  # fmt: skip
_VERSIONS = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
}
# Fields that say how to show a page.
_OF_SPHINX = frozenset({"no-search", "nocomments", "nosearch", "orphan", "tocdepth"})
_LISTS = frozenset({ACCESS, "alias", "aliases", "tag", "tags"})
_ENGLISH: Any = get_language("en")
_TAGS: dict[type[nodes.Node], str] = {
    nodes.attribution: "p", nodes.block_quote: "blockquote", nodes.bullet_list: "ul", nodes.caption: "p", nodes.citation: "p",
    nodes.classifier: "dt", nodes.definition: "dd", nodes.definition_list: "dl", nodes.description: "dd", nodes.doctest_block: "pre",
    nodes.entry: "td", nodes.enumerated_list: "ol", nodes.field: "li", nodes.footnote: "p", nodes.line: "li",
    nodes.line_block: "div", nodes.list_item: "li", nodes.literal: "code",
    nodes.literal_block: "pre", nodes.math: "code", nodes.option_group: "dt", nodes.option_list: "dl", nodes.paragraph: "p", nodes.row: "tr",
    nodes.rubric: "p", nodes.table: "table", nodes.term: "dt", nodes.title: "p", nodes.title_reference: "code",
}  # fmt: skip
_BLOCKS_OF_CODE = (nodes.literal_block, nodes.doctest_block)
_DROPPED = (nodes.comment, nodes.decoration, nodes.image, nodes.substitution_definition)
_PLAIN_FIRST = (
    nodes.citation, nodes.definition, nodes.description, nodes.entry, nodes.field_body, nodes.footnote, nodes.list_item,
)  # fmt: skip


def parse_rst(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean reStructuredText; each underline style is a heading level, in order of appearance.

    Raises:
        ParseError: reason ``empty`` or ``access``, or a limit is exceeded.
    """
    document = _read(text, name)
    values = _taken_fields(document, name)
    composer = Composer(name, limits, title=str(values.get("title") or _title(document)))
    compose_html("".join(_html(document, 0)), composer, headings=True)
    parsed = finish_markdown(composer, values, (), fallback_title=fallback_title)
    links = tuple(replace(link, kind="rst") for link in parsed.links)
    return replace(parsed, links=links, anchors=composer.anchors(_places(document)))


def _taken_fields(document: nodes.document, name: str) -> dict[str, str | list[str]]:
    """Take a list of fields above all else out of a document: to Sphinx, it is metadata as front matter is."""
    first = next((each for each in document.children if not isinstance(each, nodes.PreBibliographic)), None)
    stating = [each.parent for each in _opening_fields(document) if _field_name(each) == ACCESS]
    if stating not in ([], [first]):
        raise ParseError(
            f"{name} says who may read it (`:{ACCESS}:`) twice, or not above all else. Write `:{ACCESS}: board, legal` once, above the title, "
            "or give the field another name if it does not say who may read the document.",
            reason=ACCESS,
        )
    if not isinstance(first, nodes.field_list):
        return {}
    if first is not document.children[-1]:  # else there is nothing else to read
        document.remove(first)
    values = {(key := _field_name(each)): _value(each.children[1], is_list=key in _LISTS) for each in first.children}
    return {key: value for key, value in values.items() if value and key not in _OF_SPHINX}


def _opening_fields(document: nodes.document) -> Iterator[nodes.Node]:
    """Yield the fields outside sections, and those of the title and the subtitle, which Docutils takes for metadata."""
    title = document.next_node(nodes.section)
    subtitle = title[1] if title and len(title) > 1 and isinstance(title[1], nodes.section) else None
    for parent in filter(None, (document, title, subtitle)):
        for each in parent.children:
            if isinstance(each, nodes.field_list):
                yield from each.children


def _field_name(field: nodes.Node) -> str:
    return field.children[0].astext().strip().lower()


def _value(body: nodes.Node, *, is_list: bool) -> str | list[str]:
    if len(body.children) == 1 and isinstance(body.children[0], nodes.bullet_list):
        return [one_line(item.astext()) for item in body.children[0].children]
    text = one_line(body.astext())
    return text[1:-1].split(",") if is_list and text.startswith("[") and text.endswith("]") else text


def _title(document: nodes.document) -> str:
    """Return the first heading if nothing but code stands above it."""
    for node in document.children:
        if isinstance(node, nodes.section):
            return node[0].astext()
        texts = () if isinstance(node, _DROPPED) else node.findall(nodes.Text)
        if not all(isinstance(each.parent, nodes.literal | nodes.FixedTextElement) for each in texts):
            break
    return ""


def _read(text: str, name: str) -> nodes.document:
    settings = get_default_settings(Parser, Reader)
    vars(settings).update(_SETTINGS)
    document = new_document("", settings)
    for directive in map(str.lower, set(_DIRECTIVE.findall(text))):
        if directive in _OVERRIDDEN or directives.directive(directive, _ENGLISH, document)[0] is None:
            directives.register_directive(directive, _AnyDirective)
    # Those of Docutils too: an earlier document may have defined a role of the same name, which is its own.
    for role in {before or after for before, after in _ROLE.findall(text)}:
        roles.register_local_role(role.lower(), _read_role)
    Parser().parse(text, document)
    if _substituted(document) > _SUBSTITUTED_CHARACTERS:
        raise ParseError(
            f"{name} has substitutions that grow to more than {_SUBSTITUTED_CHARACTERS} characters. Write out what they stand for.",
            reason="limit",
        )
    document.transformer.populate_from_components((Reader(), Parser()))
    document.transformer.apply_transforms()
    return document


def _substituted(document: nodes.document) -> float:
    """Return the characters that the longest substitution stands for; Docutils itself lets those within others grow without bound."""
    definitions = {name.lower(): node for name, node in document.substitution_defs.items()}
    inner = {
        name: [each["refname"].lower() for each in node.findall(nodes.substitution_reference)]
        for name, node in definitions.items()
    }
    sizes: Counter[str] = Counter()
    try:
        for name in TopologicalSorter(inner).static_order():
            text = definitions[name].astext() if name in definitions else ""
            sizes[name] = len(text) + sum(sizes[each] for each in inner.get(name, ()))
    except CycleError:
        return math.inf
    return max(sizes.values(), default=0)


def _read_role(role: str, source: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
    inline = InlineText()
    add_role(inline, role.lower(), unescape(text))
    node: nodes.Node = (nodes.literal if inline.literals else nodes.inline)(source, inline.text)
    for link in inline.references:
        node = nodes.reference(source, "", node, refuri=f"{link.target}#{link.anchor}")
    return [node], []


class _AnyDirective(Directive):
    """A directive that Docutils does not know: its argument, and a block of code or prose."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = defaultdict(lambda: str, {"class": str})  # any

    def run(self) -> list[nodes.Node]:
        """Return the nodes that stand for the directive."""
        content = "\n".join([*(self.arguments if self.name == "math" else ()), *self.content])
        if self.name in _CODE:  # whose argument is a language, a file or a group
            return [nodes.literal_block(content, content)]
        found: list[nodes.Node] = []
        if argument := " ".join([*filter(None, [_VERSIONS.get(self.name)]), *self.arguments]):
            inline, _ = self.state.inline_text(argument, self.lineno)
            is_prose = self.name in PROSE_DIRECTIVES
            found.append(nodes.paragraph(argument, "", *(inline if is_prose else [nodes.literal(argument, argument)])))
        body = nodes.container(content)
        self.state.nested_parse(self.content, self.content_offset, body)
        return [*found, body]


def _html(node: nodes.Node, depth: int) -> Iterator[str]:
    """Yield a node as HTML, its sections below ``depth`` others; of what cannot be read, the source, as code."""
    if isinstance(node, nodes.Text):
        yield escape(node.astext())
    elif isinstance(node, nodes.system_message):
        for block in node.findall(nodes.literal_block):
            yield from _html(block, depth)
    elif isinstance(node, nodes.problematic):
        yield escape(_MARKS.sub("", node.astext()))
    elif isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        yield f"[{escape(node.astext())}]"
    elif isinstance(node, nodes.label):
        yield escape(f"{node.astext()}. " if node.astext().isdecimal() else f"[{node.astext()}] ")
    elif isinstance(node, nodes.Element) and not isinstance(node, _DROPPED) and "contents" not in node["classes"]:
        is_section = isinstance(node, nodes.section)
        tag, end = _tag(node, depth)
        yield tag
        for child in node.children:
            yield from _html(child, depth + is_section)
        yield end + ": " * isinstance(node, nodes.field_name)


def _tag(node: nodes.Element, depth: int) -> tuple[str, str]:
    """Return the start tag and the end tag of an element, with code in blocks as code; empty if only its children count."""
    parent = node.parent
    tag = _TAGS.get(type(node), "")
    if isinstance(node, nodes.reference) and node.get("refuri"):
        return f'<a href="{escape(node["refuri"])}">', "</a>"
    if isinstance(node, nodes.title) and isinstance(parent, nodes.section):
        tag = f"h{min(6, depth)}"
    if (
        isinstance(node, nodes.paragraph)
        and isinstance(parent, _PLAIN_FIRST)
        and not isinstance(node.previous_sibling(), nodes.paragraph)
    ):
        tag = ""
    if isinstance(node, _BLOCKS_OF_CODE):
        return "<pre><code>", "</code></pre>"
    start = node.get("start")
    return (f'<{tag} start="{start}">' if start else f"<{tag}>", f"</{tag}>") if tag else ("", "")


def _places(document: nodes.document) -> Iterator[str]:
    """Yield the names of the places that the document names for links."""
    for name, is_explicit in document.nametypes.items():
        place = document.ids.get(document.nameids.get(name) or "")
        is_note = isinstance(place, nodes.footnote | nodes.citation)
        if is_explicit and place is not None and not is_note and not place.get("refuri"):
            yield name
