"""Markdown (CommonMark with tables): YAML front matter, headings, links, wikilinks, typed references and hashtags.

``[[Name#word]]`` is a typed reference if ``word`` is one of ``ParseLimits.reference_types`` (``skill``, ``tool``, ``concept``,
``person``, …); any other part after ``#`` is a heading of the target, as in Obsidian. Hashtags count in running text, not in code,
links or headings. Emphasis, bullets and HTML tags are dropped; list numbers stay, and nested items are indented. A table
row becomes one line, with `` | `` between its cells, and so does a field below another (``Owner: Ada``). A block of HTML that begins
with a heading has headings. Footnotes are numbered and stand at the end, as in DOCX.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from interlace.domain.atoms import ATLAS_ID
from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.composer import Composer, item_marker
from interlace.parsing.html.parser import compose_html
from interlace.parsing.markdown.atlas import atlas_id, with_section_types
from interlace.parsing.markdown.extensions import plain_markdown
from interlace.parsing.markdown.footnotes import NOTE_MARK, add_footnotes, remaining_notes, without_notes
from interlace.parsing.markdown.front_matter import split_front_matter
from interlace.parsing.markdown.inline import InlineText, add_wikilinks, read_inline, with_field_lines
from interlace.parsing.markdown.stated_relations import HEADING, linking_values, relation_lines
from interlace.parsing.metadata import json_values, tags_of, words_of
from interlace.parsing.sandbox.limits import ParseLimits

# Inline rules scan back and forth within a paragraph: a longer one is data rather than prose, and only its text is taken.
_PROSE_CHARACTERS = 100_000
_NESTING = 60
_BREAKS = {"blockquote_close", "table_close", "hr"}
# READMEs centre their headings so, often within one other element.
_HEADING_BLOCK = re.compile(r"\s*(?:<(?:div|center|header)(?:\s[^<>]{0,300})?>\s*)?<h[1-6][\s>]", re.IGNORECASE)
_OWN_KEYS = {"title", "tags", "tag", "aliases", "alias"}


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable(["table", "strikethrough"])
    parser.core.ruler.disable(["inline"])  # the writer parses inline text itself, one block at a time
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    add_wikilinks(parser)
    add_footnotes(parser)
    return parser


def parse_markdown(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean Markdown text.

    Raises:
        ParseError: the front matter is wrong, a limit is exceeded, or there is nothing to read.
    """
    values, body = split_front_matter(text, limits, name)
    title = values.get("title")
    composer = Composer(name, limits, title="" if title is None else str(title))
    plain, labels = plain_markdown(body)
    tokens, environment = block_tokens(plain, name)
    writer = MarkdownWriter(composer, environment)
    for token in tokens:
        writer.write(token)
    writer.write_notes()
    writer.write_relations(values)
    atom = atlas_id(values, text)
    parsed = finish_markdown(
        composer, {**values, ATLAS_ID: atom} if atom else values, writer.tags, fallback_title=fallback_title
    )
    parsed = replace(parsed, anchors=composer.anchors(labels))
    return with_section_types(parsed) if atom else parsed


def block_tokens(body: str, name: str) -> tuple[list[Token], dict[str, Any]]:
    """Return the block tokens of a text below its front matter, and the environment with its link definitions and footnotes.

    Raises:
        ParseError: lists or quotes nest too deep.
    """
    environment: dict[str, Any] = {}
    try:
        tokens = _parser().parse(body, environment)
    except RecursionError:
        raise _too_deep(name) from None
    if any(token.level >= _NESTING - 1 for token in tokens):
        raise _too_deep(name)
    return without_notes(tokens, environment), environment


def finish_markdown(
    composer: Composer, values: Mapping[Any, Any], hashtags: Iterable[str], *, fallback_title: str
) -> ParsedDocument:
    """Return the finished document, with the tags, aliases and metadata of its front matter.

    Raises:
        ParseError: the metadata exceeds a limit, or there is nothing to read.
    """
    tags = words_of(values.get("tags")) + words_of(values.get("tag"))
    # Obsidian also allows tags separated by white space in one string; a tag never contains any.
    tags = [word for tag in tags for word in tag.split()] if isinstance(values.get("tags"), str) else tags
    own = {key: value for key, value in values.items() if key not in _OWN_KEYS}
    return composer.finish(
        fallback_title=fallback_title,
        tags=tags_of([*tags, *hashtags]),
        aliases=words_of(values.get("aliases")) + words_of(values.get("alias")),
        metadata=json_values(own, composer.limits, composer.name),
    )


def _too_deep(name: str) -> ParseError:
    return ParseError(f"{name} nests lists or quotes deeper than {_NESTING} levels. Flatten them.", reason="limit")


class MarkdownWriter:
    """Writes block tokens into a document, one at a time.

    Attributes:
        tags: the hashtags in the text written so far.
    """

    def __init__(self, composer: Composer, environment: dict[str, Any]) -> None:
        self.tags: list[str] = []
        self._composer = composer
        self._environment = environment
        self._heading = 0
        self._first_cell = True
        self._line_break = "\n"
        self._lists = 0
        self._marker = ""
        self._actions: dict[str, Callable[[Token], None]] = {
            "bullet_list_open": self._open_list, "ordered_list_open": self._open_list,
            "bullet_list_close": self._close_list, "ordered_list_close": self._close_list,
            "list_item_open": self._open_item, "heading_open": self._open_heading,
            "heading_close": self._close_block, "inline": self._inline, "paragraph_close": self._close_block,
            "fence": self._code, "code_block": self._code, "html_block": self._html, "tr_open": self._row,
            "td_open": self._cell, "th_open": self._cell,
        }  # fmt: skip

    def write(self, token: Token) -> None:
        """Write one block token; the end of a container only ends a paragraph."""
        action = self._actions.get(token.type)
        if action is not None:
            action(token)
        elif token.type in _BREAKS:
            self._composer.paragraph()

    def write_notes(self, heading: str = "") -> None:
        """Write the footnotes, numbered in the order of their marks, in a section of their own or below the last heading."""
        self._lists = 1
        for marker, tokens in remaining_notes(self._environment):
            self._composer.heading(1, heading)
            heading = ""
            self._marker = item_marker(marker, 1)
            for token in tokens:
                self.write(token)
        self._lists, self._marker = 0, ""
        self._composer.paragraph()

    def write_relations(self, values: Mapping[Any, Any]) -> None:
        """Write the relations that front matter states, as a section of their own, and record the links at its other keys."""
        for number, line in enumerate(relation_lines(values)):
            if not number:
                self._composer.heading(2, HEADING)
            self.write(Token("inline", "", 0, content=line))
            self._composer.paragraph()
        for text in linking_values(values):
            self._record(self._read(text))

    def _record(self, inline: InlineText) -> None:
        """Record the references in words that are no text."""
        text = inline.text
        for item in inline.references:
            words = text[item.start : item.end] or item.target
            self._composer.reference(item.kind, item.target, item.anchor, 0, words)

    def _open_list(self, _: Token) -> None:
        self._lists += 1

    def _close_list(self, _: Token) -> None:
        self._lists -= 1
        self._marker = ""
        if not self._lists:
            self._composer.paragraph()

    def _open_item(self, token: Token) -> None:
        self._marker = item_marker(f"{token.info}{token.markup}" if token.info else "", self._lists)

    def _write_marker(self) -> None:
        if self._marker:
            self._composer.write(self._marker, keep_indent=True)
        self._marker = ""

    def _open_heading(self, token: Token) -> None:
        self._heading = int(token.tag[1]) if token.level == 0 else 0
        self._line_break = " "

    def _close_block(self, token: Token) -> None:
        self._heading = 0
        # markdown-it hides the paragraphs of tight lists: their items are separate lines.
        if token.hidden:
            self._composer.line()
        else:
            self._composer.paragraph()

    def _inline(self, token: Token) -> None:
        inline = self._read(token.content)
        self._line_break = "\n"
        if not self._heading:
            self.tags += inline.tags
            self._write_marker()
            inline.write_to(self._composer)
            return
        self._composer.heading(self._heading, inline.text)
        self._record(inline)

    def _read(self, content: str) -> InlineText:
        if len(content) > _PROSE_CHARACTERS:
            inline = InlineText()
            inline.add(content)
            return inline
        children: list[Token] = []
        parser = _parser()
        parser.inline.parse(with_field_lines(content), parser, self._environment, children)
        if self._heading:  # a section's name is the same with and without a note or a badge
            children = [child for child in children if child.type != NOTE_MARK]
            words = [child for child in children if child.type != "image"]
            is_named = any(child.content.strip() for child in words if child.type != "html_inline")
            children = words if is_named else children
        return read_inline(children, self._composer.limits.reference_types, line_break=self._line_break)

    def _code(self, token: Token) -> None:
        self._write_marker()
        self._composer.paragraph()
        start = self._composer.position
        self._composer.write(token.content.rstrip(), keep_indent=True)
        self._composer.literal(start)
        self._composer.paragraph()

    def _html(self, token: Token) -> None:
        self._composer.paragraph()
        start = self._composer.position
        headings = token.level == 0 and _HEADING_BLOCK.match(token.content) is not None
        compose_html(token.content, self._composer, headings=headings, marker=self._marker)
        self._composer.paragraph()
        self._marker = self._marker if self._composer.position == start else ""

    def _row(self, _: Token) -> None:
        self._composer.line()
        self._first_cell = True

    def _cell(self, _: Token) -> None:
        if not self._first_cell:
            self._composer.write(" | ")
        self._first_cell, self._line_break = False, " "
