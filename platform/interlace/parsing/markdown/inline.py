"""Markdown's inline level: words, links, wikilinks, typed references and hashtags."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from interlace.parsing.composer import Composer
from interlace.parsing.markdown.footnotes import NOTE_MARK
from interlace.parsing.roles import add_role
from interlace.text.fields import begins_field

_WIKILINK = re.compile(r"!?\[\[([^\[\]\n|]+?)(?:\\?\|([^\[\]\n]+))?\]\]")
# ``#tag`` and ``#a/b``, after white space or an opening bracket or punctuation, and with a letter: ``#1`` is no tag.
_TAG = re.compile(r"(?<![^\s(\[,;>])#((?=[\w/-]*[^\W\d])\w[\w-]*(?:/[\w-]+)*)")
_ROLE = re.compile(r"(?<![$\w])\{([a-z][\w.+:-]{0,63})\}\Z")  # of MyST, before code; not "${HOME}"
_SIZE = re.compile(r"\d+(?:x\d+)?")  # of a picture
_LINK_END = re.compile(r"</a\s*>", re.IGNORECASE)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HREF = re.compile(r"""<a\s(?:[^>]*\s)?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TYPE = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class InlineReference:
    """A reference in inline text: like ``DocumentLink``, with offsets in that text."""

    kind: str
    target: str
    anchor: str
    start: int
    end: int


class _OpenLink(NamedTuple):
    """A link whose end is still to come: where its text begins, and how many hashtags stand before it."""

    kind: str
    href: str
    start: int
    tags: int


@dataclass(slots=True)
class InlineText:
    """The readable text of a paragraph, a heading or a table cell, with the references and hashtags in it."""

    parts: list[str] = field(default_factory=list)
    references: list[InlineReference] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    literals: list[tuple[int, int]] = field(default_factory=list)
    length: int = 0

    @property
    def text(self) -> str:
        """All parts together."""
        return "".join(self.parts)

    def add(self, text: str) -> None:
        """Append text."""
        self.parts.append(text)
        self.length += len(text)

    def take_role(self) -> str:
        """Remove the mark of a role from the end of the text, and return the role; empty if there is none."""
        is_code = bool(self.literals) and self.literals[-1][1] == self.length
        found = _ROLE.search(self.parts[-1]) if self.parts and not is_code else None
        if found is None:
            return ""
        self.parts[-1] = self.parts[-1][: found.start()]
        self.length -= len(found[0])
        return found[1]

    def add_literal(self, text: str) -> None:
        """Append code, or the alternative text of a picture."""
        self.literals.append((self.length, self.length + len(text)))
        self.add(text)

    def add_reference(self, kind: str, target: str, anchor: str, start: int) -> None:
        """Append a reference whose text is what was added since ``start``."""
        self.references.append(InlineReference(kind, target, anchor, start, self.length))

    def write_to(self, composer: Composer) -> None:
        """Write the text into a document, with its references and literals at their offsets there."""
        text, literals = self.text, deque(sorted(self.literals))

        def write(start: int, end: int) -> None:
            while literals and literals[0][0] < end:
                first, last = literals.popleft()
                if start <= first < last <= end:
                    composer.write(text[start:first])
                    position = composer.position
                    composer.write(text[first:last])
                    composer.literal(position)
                    start = last
            composer.write(text[start:end])

        written = 0
        for reference in sorted(self.references, key=lambda item: (item.start, item.end)):
            if reference.start < written:
                continue  # a link within a link: the outer one is kept
            write(written, reference.start)
            start = composer.position
            write(reference.start, reference.end)
            composer.reference(reference.kind, reference.target, reference.anchor, start)
            written = reference.end
        write(written, self.length)


def add_wikilinks(parser: MarkdownIt) -> None:
    """Add ``[[Target#Heading|words]]`` to the parser; it takes precedence over ordinary links, and code spans over it."""
    parser.inline.ruler.before("link", "wikilink", _wikilink)


def _wikilink(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "![":
        return False
    match = _WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        words = (match[2] or "").strip()
        is_size = match[0].startswith("!") and _SIZE.fullmatch(words) is not None
        token.content, token.meta = match[1].strip(), {"words": "" if is_size else words}
    state.pos = match.end()
    return True


def with_field_lines(content: str) -> str:
    """Return the Markdown of a paragraph in which fields below each other begin lines: one alone may be prose that was wrapped at a colon."""
    lines = content.split("\n")
    are_fields = [begins_field(line) for line in lines]
    for at in range(1, len(lines)):
        if are_fields[at] and (are_fields[at - 1] or any(are_fields[at + 1 : at + 2])):
            lines[at - 1] = lines[at - 1].rstrip(" ") + ("" if lines[at - 1].endswith("\\") else "  ")
    return "\n".join(lines)


def read_inline(tokens: Sequence[Token], reference_types: frozenset[str], *, line_break: str = "\n") -> InlineText:
    """Return the text, references and hashtags of an inline token's children; ``line_break`` is what stands for a break."""
    inline = InlineText()
    open_links: list[_OpenLink] = []
    for token in _with_breaks(map(_with_link, tokens)):
        if token.type == "text":
            inline.add(token.content)
            if all(link.kind == "html" for link in open_links):
                inline.tags.extend(_TAG.findall(token.content))
        elif token.type == "link_open":
            href, kind = str(token.attrGet("href") or ""), token.meta.get("kind", "markdown")
            open_links.append(_OpenLink(kind, href, inline.length, len(inline.tags)))
        elif token.type == "link_close":
            _close_link(inline, open_links, token.meta.get("kind", "markdown"))
        elif token.type == "wikilink":
            _add_wikilink(inline, token, reference_types)
        elif token.type == "code_inline" and (role := inline.take_role()):
            add_role(inline, role, token.content)
        elif token.type in {"code_inline", "image"}:
            inline.add_literal(_plain(token))
        else:
            inline.add(line_break if token.type == "hardbreak" else _plain(token))
    return inline


def _close_link(inline: InlineText, open_links: list[_OpenLink], kind: str) -> None:
    """Add the link that ends here. ``</a>`` ends none that Markdown began, and links of HTML that are still open end with the one around them."""
    while kind != "html" and open_links and open_links[-1].kind == "html":
        open_links.pop()
    if not open_links or open_links[-1].kind != kind:
        return
    link = open_links.pop()
    target, _, anchor = link.href.partition("#")
    inline.add_reference(kind, target, anchor, link.start)
    del inline.tags[link.tags :]
    if not target:  # a link to a heading of this document, whose words it shows
        inline.literals.append((link.start, inline.length))


def _with_link(token: Token) -> Token:
    """Return a tag ``<a href="…">`` or ``</a>`` as the mark of a link; any other token unchanged."""
    if token.type == "html_inline" and (found := _HREF.match(token.content)):
        return Token("link_open", "a", 1, attrs={"href": unescape(found[found.lastindex or 0])}, meta={"kind": "html"})
    is_end = token.type == "html_inline" and _LINK_END.fullmatch(token.content)
    return Token("link_close", "a", -1, meta={"kind": "html"}) if is_end else token


def _with_breaks(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens with each ``<br>`` as a hard break, unless it is at an end, and no other break or space after one."""
    begins, is_pending = True, False
    for token in tokens:
        is_blank = token.type == "softbreak" or (token.type == "text" and not token.content.strip())
        if token.type == "hardbreak" or (token.type == "html_inline" and _LINE_BREAK.fullmatch(token.content)):
            is_pending = not begins
        elif is_pending and token.type.endswith("_close"):
            yield token  # of a link or emphasis, behind which the break stands
        elif not (is_pending and is_blank):
            if is_pending:
                yield Token("hardbreak", "br", 0)
                token.content = token.content.lstrip() if token.type == "text" else token.content
            begins, is_pending = begins and not token.content, False
            yield token


def _plain(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type == "image":
        return "".join(_plain(child) for child in token.children or ())
    if token.type == NOTE_MARK:
        return f"[{token.meta['id'] + 1}]"
    return "" if token.type == "html_inline" else token.content


def _add_wikilink(inline: InlineText, token: Token, reference_types: frozenset[str]) -> None:
    target, _, anchor = (part.strip() for part in token.content.partition("#"))
    is_typed = bool(target) and anchor in reference_types and _TYPE.fullmatch(anchor) is not None
    start = inline.length
    inline.add(token.meta["words"] or target or anchor)
    inline.add_reference("typed" if is_typed else "wikilink", target, anchor, start)
