"""The composer: builds a document's readable text part by part and records the offsets of its sections and links."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from interlace.domain.documents import DocumentLink, ParsedDocument, Section
from interlace.domain.errors import ParseError
from interlace.parsing.decoding import clean, one_line
from interlace.parsing.metadata import tags_of, unique
from interlace.parsing.sandbox.limits import ParseLimits

HEADING_CHARACTERS = 300
ANCHOR_CHARACTERS = 500
_INDENT = "  "


def item_marker(number: str, depth: int) -> str:
    """Return the prefix of a list item: its number, and white space or a bullet for nested items.

    Args:
        number: with its punctuation (``3.``); empty in an unordered list.
        depth: nesting depth of the list, at least 1.
    """
    sign = number or ("-" if depth > 1 else "")
    return f"{_INDENT * (depth - 1)}{sign} " if sign else ""


class Composer:
    """A document under construction. Headings are structure, not text: they appear in section paths.

    A level-1 heading before any text is the document's title, unless the document declares another one. Every format is written through
    this class, so that limits, Unicode normalisation and offsets are the same for all.

    Args:
        name: what messages call the document.
        limits: caps on characters, sections and links.
        title: the title that the document declares outside its text; empty if there is none.
    """

    def __init__(self, name: str, limits: ParseLimits, title: str = "") -> None:
        self.name = name
        self.limits = limits
        self.title = one_line(title)[:HEADING_CHARACTERS]
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._sections: list[Section] = []
        self._links: list[DocumentLink] = []
        self._literals: list[tuple[int, int]] = []
        self._open: list[tuple[int, str]] = []
        self._start: int | None = None
        self._has_heading = False

    @property
    def position(self) -> int:
        """Offset at which the next text will begin."""
        return self._length + (len(self._gap) if self._length else 0)

    @property
    def blank(self) -> bool:
        """Whether no text has been written."""
        return self._length == 0

    def written_since(self, start: int) -> str:
        """Return the text that was written since a ``position``."""
        parts, length = list[str](), self._length
        for part in reversed(self._parts):
            if length <= start:
                break
            parts.append(part)
            length -= len(part)
        return "".join(reversed(parts))[max(0, start - length) :]

    def write(self, text: str, *, keep_indent: bool = False) -> None:
        """Append text to the current paragraph; white space at the start of a line is dropped, unless it is code.

        Raises:
            ParseError: reason ``limit``; the document holds too much text.
        """
        text = clean(text)
        if self._start is None or self._gap:
            text = text.lstrip("\n") if keep_indent else text.lstrip()
            if not text.strip():
                return
        if not text:
            return
        if self._gap and self._length:
            self._push(self._gap)
        self._gap = ""
        if self._start is None:
            self._start = self._length
        self._push(text)
        if self._length > self.limits.max_characters:
            raise ParseError(
                f"{self.name} holds more than {self.limits.max_characters} characters of text. Split it.",
                reason="limit",
            )

    def _push(self, text: str) -> None:
        if self._parts and not text.isascii():
            # A text may begin with a mark that composes with the character before it (NFC). Then the last part is written again.
            last = self._parts[-1]
            if not unicodedata.is_normalized("NFC", last[-32:] + text[:32]):
                self._parts.pop()
                self._length -= len(last)
                text = unicodedata.normalize("NFC", last + text)
        self._parts.append(text)
        self._length += len(text)

    def line(self) -> None:
        """End the line: the next text begins a new one."""
        if not self._gap:
            self._gap = "\n"

    def paragraph(self) -> None:
        """End the paragraph: a blank line precedes the next text."""
        self._gap = "\n\n"

    def heading(self, level: int, text: str) -> None:
        """Begin a section, or take the heading as the title; a heading longer than ``HEADING_CHARACTERS`` is also written as text."""
        heading = one_line(text)
        short = heading[:HEADING_CHARACTERS]
        self.paragraph()
        if not heading:
            return
        self._has_heading = True
        first = self.blank and not self._sections and not self._open
        if first and level == 1 and self.title.casefold() in {"", short.casefold()}:
            self.title = self.title or short
        else:
            self._close()
            while self._open and self._open[-1][0] >= level:
                self._open.pop()
            self._open.append((level, short))
        if len(heading) > HEADING_CHARACTERS:
            self.write(heading)
            self.paragraph()

    def _close(self) -> None:
        if self._start is None and not self._open:
            return
        if len(self._sections) >= self.limits.max_sections:
            raise ParseError(
                f"{self.name} has more than {self.limits.max_sections} sections. Split it.", reason="limit"
            )
        level, heading = self._open[-1] if self._open else (0, "")
        start = self._length if self._start is None else self._start
        path = tuple(name for _, name in self._open)
        self._sections.append(Section(heading, path, level, len(self._sections), start, self._length))
        self._start = None

    def reference(self, kind: str, target: str, anchor: str, start: int, words: str = "") -> None:
        """Record a reference in the text, or, with ``words``, one in a heading.

        Args:
            kind: as in ``DocumentLink``.
            target: the target as written, without anchor.
            anchor: a heading of the target, or the type of the name.
            start: ``position`` before its words were written; unused for a heading.
            words: the words of a reference in a heading, which is recorded where its section begins.

        Raises:
            ParseError: reason ``limit``; the document has too many links.
        """
        if len(self._links) >= self.limits.max_links:
            raise ParseError(f"{self.name} has more than {self.limits.max_links} links. Split it.", reason="limit")
        start, end = (self.position, self.position) if words else (min(start, self._length), self._length)
        self._links.append(
            DocumentLink(
                kind, one_line(target)[:2000], one_line(anchor)[:ANCHOR_CHARACTERS], one_line(words), start, end
            )
        )

    def anchors(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names of places in the document, sorted, and cut as those in links are.

        Raises:
            ParseError: reason ``limit``; together with the links they are too many.
        """
        found = {one_line(each)[:ANCHOR_CHARACTERS] for each in names}
        if len(self._links) + len(found) > self.limits.max_links:
            raise ParseError(
                f"{self.name} has more than {self.limits.max_links} links and labels. Split it.", reason="limit"
            )
        return tuple(sorted(found))

    def literal(self, start: int) -> None:
        """Record that what was written since ``start`` (a ``position``) is code or alternative text of a picture."""
        start = min(start, self._length)
        if start < self._length:
            self._literals.append((start, self._length))

    def check_has_text(self, remedy: str) -> None:
        """Refuse a document without text, whatever its title and metadata say.

        Raises:
            ParseError: reason ``empty``; there is neither text nor a heading.
        """
        if self.blank and not self._has_heading:
            raise ParseError(f"{self.name} holds no text. {remedy}", reason="empty")

    def finish(
        self, *, fallback_title: str, tags: Iterable[str] = (), aliases: Iterable[str] = (), metadata: Mapping[str, Any]
    ) -> ParsedDocument:
        """Return the document.

        Raises:
            ParseError: reason ``empty``; there is no text, no heading and no metadata.
        """
        self._close()
        text = "".join(self._parts)
        tags, aliases = tags_of(tags), unique(aliases)
        if not text.strip() and not (self._sections or self.title or tags or aliases or metadata):
            raise ParseError(f"{self.name} holds no text. Add some, or leave it out.", reason="empty")
        return ParsedDocument(
            title=self.title or one_line(fallback_title)[:HEADING_CHARACTERS] or "Untitled",
            text=text,
            sections=tuple(self._sections),
            tags=tags,
            aliases=aliases,
            links=tuple(self._with_words(link, text) for link in self._links),
            metadata=metadata,
            literals=_merged(self._literals),
        )

    @staticmethod
    def _with_words(link: DocumentLink, text: str) -> DocumentLink:
        end = min(link.end, len(text))
        return replace(link, text=link.text or text[link.start : end], start=min(link.start, end), end=end)


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, with overlapping ones merged: inline code may be nested in a code block."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
