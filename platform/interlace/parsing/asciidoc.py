"""AsciiDoc, rewritten in Markdown: headings, lists, tables, code, links and the words of macros, as Asciidoctor reads them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from interlace.domain.documents import ACCESS, ParsedDocument
from interlace.domain.errors import ParseError
from interlace.parsing.markdown.parser import parse_markdown
from interlace.parsing.markdown.writer import code_block, inline, table
from interlace.parsing.metadata import json_values
from interlace.parsing.sandbox.limits import ParseLimits

_INDENT = " " * 4  # of what belongs to an item
_MAX_CELLS = 100  # that one may span
_VALUE_CHARACTERS = 10_000  # that a name may stand for
_ENTRY = re.compile(r":!?([\w-]+)!?:(?:[ \t]+(.*))?")
_NAME = re.compile(r"\{([\w-]{1,80})\}")
_AUTHOR = r"\w[\w'.-]*(?:(?:[ \t]+\w[\w'.-]*){0,4}[ \t]+<[^<>;]+>|(?:[ \t]+\w[\w'.-]*){0,2}(?<!\.))"
_AUTHORS = re.compile(rf"{_AUTHOR}(?:;[ \t]*{_AUTHOR})*")
_ADDRESS = re.compile(r"[ \t]*<[^<>]*>")
_REVISION = re.compile(r"v?\d[\w.]*(?:,([^:]*))?(?::.*)?|(\d{4}-\d\d?-\d\d?)")
_READERS = re.compile(rf"^[ \t]*:!?{ACCESS}!?:(.*)$", re.IGNORECASE | re.MULTILINE)
_SECTION = re.compile(r"^={2,6}[ \t]", re.MULTILINE)
_METADATA = {"author": "author", "revdate": "created"}
_HEADING = re.compile(r"(={1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r"([=\-~^+])\1+")
_CODE = re.compile(r"-{4,}|\.{4,}|```.*")
_HIDDEN = re.compile(r"/{4,}")
_TABLE = re.compile(r"[|,:]={3,}")
# Delimiters of other blocks, attributes, comments, rules, and directives of the preprocessor.
_MARKUP = re.compile(
    r"={4,}|\*{4,}|_{4,}|\+{4,}|--|'{3,}|<{3,}|\[[^\]]*\]|\[\[.*\]\]|//(?!/).*|(?:include|if\w{2,4}|endif|toc)::.*\]"
)
_TITLE = re.compile(r"\.([^\s.].*)")
_COLUMNS = re.compile(r"cols=(?:\"([^\"]*)\"|([^,\]]+))")
_CELL = re.compile(r"(?:(?:(?<=\s)|^)(?:(\d+)?(?:\.\d+)?([*+]))?[<^>.]{0,3}[a-z]?)?(?<!\\)\|", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(\*{1,6}|-|\.{1,6}|<?\d{1,4}[.>]|<\.>)[ \t]+(\S.*)")
_TERM = re.compile(r"[ \t]*(\S.{0,200}?)(:{2,4}|;;)(?:[ \t]+(.*))?")
_NEW_BLOCKS = (_CODE, _HIDDEN, _TABLE, _MARKUP, _ITEM, _TERM)  # that end a paragraph
_QUOTED = re.compile(r"([\"'])`(?=\S)([^`]+)`\1")
_VERBATIM = re.compile(
    r"``([^`]+)``|(?<![\w`])`(?=\S)([^`]+)(?<=\S)`(?!\w)|(?<![\w+])\+(?=\S)([^+]+)(?<=\S)\+(?![\w+])"
)
_PASSED = re.compile(r"\A(\+{1,2})(.+)\1\Z")
# Bounded, and with whole pairs of brackets only, so that the work grows with the text.
_WORDS = r"\[\"?((?:[^\[\]]|\[[^\[\]]{0,200}\]){1,1000}?)\"?(?:,\s*[\w-]+=[^\[\]]{0,1000})?\^?\]"
_TEXTS = (
    (re.compile(r"\(\(\([^()]*\)\)\)|(?:indexterm|anchor):[^\s\[]{0,200}\[[^\]]{0,1000}\]|\[\[[^\[\]]*\]\]"), ""),
    (re.compile(r"\(\(([^()]+)\)\)|(?:kbd|btn|pass):\w*\[([^\]]{0,1000})\]"), r"\1\2"),
    (re.compile(r"footnote:[\w-]*\[([^\]]{1,2000})\]"), r"^[\1]"),
    (re.compile(r"image::?([^\s\[]{1,2000})\[([^,\]]{0,1000})(?:,[^\]]{0,1000})?\]"), r"![\2](\1)"),
    (re.compile(r"<<([^<>,]+\.adoc[^<>,]*),\s*([^<>]+)>>"), r"[\2](\1)"),
    (re.compile(r"<<#?([^<>,]+),\s*([^<>]+)>>"), r"[\2](#\1)"),
    (re.compile(r"<<#?([^<>,]+)>>"), r"\1"),
    (re.compile(r"(?:(?:link|xref):([^\s\[]+)|(?<!\()((?:https?://|mailto:)[^\s\[\]<>()]+))\[\]"), r"[\1\2](\1\2)"),
    (re.compile(r"(?:link|xref):([^\s\[]+)" + _WORDS), r"[\2](\1)"),
    (re.compile(r"(?<!\()((?:https?://|mailto:)[^\s\[\]<>()]+)" + _WORDS), r"[\2](\1)"),
    (re.compile(r"(?:\[[\w .%-]+\])?(?<![\w#&(])#{1,2}(?=[^\s#])([^#]+)(?<=\S)#{1,2}(?![\w#])"), r"\1"),
    (re.compile(r"`'"), "'"),
    (re.compile(r"<(?!https?:)|#(?=\w)|`|^\+(?= )", re.MULTILINE), r"\\\g<0>"),
)


def parse_asciidoc(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean AsciiDoc, with its author, the date of its revision and who may read it as metadata; included files are left out.

    Raises:
        ParseError: reason ``empty`` or ``access``, or a limit is exceeded.
    """
    rewriter = _Rewriter(text.split("\n"))
    parsed = parse_markdown("\n".join(rewriter.blocks()), name, fallback_title, limits)
    stated = {**json_values(rewriter.metadata(), limits, name), **_readers(text, name)}
    return replace(parsed, metadata={**parsed.metadata, **stated})


def _readers(text: str, name: str) -> dict[str, str]:
    """Return the attribute above the first section that says who may read the document, even where it is no attribute to Asciidoctor."""
    stated = _READERS.findall(_SECTION.split(text, maxsplit=1)[0])
    if len(stated) > 1:
        raise ParseError(
            f"{name} says who may read it (`:{ACCESS}:`) twice. Write `:{ACCESS}: board, legal` once, below the title, "
            "or give the attribute another name if it does not say who may read the document.",
            reason=ACCESS,
        )
    return {ACCESS: stated[0].strip().removeprefix("[").removesuffix("]")} if stated else {}


class _Rewriter:
    """Reads the lines of a text; ``number`` is that of the next one."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.rstrip() for line in lines]
        self.number = 0
        self._names = {found[1]: found[2] or "" for line in reversed(self.lines) if (found := _ENTRY.fullmatch(line))}
        self._items: list[tuple[str, int]] = []  # marker and number of the last item at each depth
        self._is_attached = False
        self._columns = ""
        self._has_title = False

    def blocks(self) -> Iterator[str]:
        """Yield the blocks of the text in Markdown."""
        while self.number < len(self.lines):
            line = self.lines[self.number]
            self.number += 1
            if _HIDDEN.fullmatch(line):
                self._until(line)
            elif entry := _ENTRY.fullmatch(line):
                self._names[entry[1]] = entry[2] or ""
            elif _TABLE.fullmatch(line):
                yield from self._table(line)
            elif _CODE.fullmatch(line):
                yield from self._code(self._until("```" if line.startswith("`") else line))
            elif line == "+":
                self._is_attached = True
            elif _MARKUP.fullmatch(line):
                columns = _COLUMNS.search(line)
                self._columns = columns[1] or columns[2] if columns else self._columns
            elif line:
                yield from self._text(line)

    def metadata(self) -> dict[str, str]:
        """Return the author and the date that the attributes of the text state, once its blocks are read."""
        stated = {key: self._resolved(self._names.get(name, "")) for name, key in _METADATA.items()}
        return {key: value for key, value in stated.items() if value and not _NAME.search(value)}

    def _header(self) -> None:
        """Read the lines between the title and an empty line as attributes, unless others than of author, revision, entries and comments are there."""
        names: dict[str, str] = {}
        end = self.number
        while end < len(self.lines) and (line := self.lines[end]):
            if entry := _ENTRY.fullmatch(line):
                names[entry[1]] = entry[2] or ""
            elif "author" not in names and _AUTHORS.fullmatch(line):
                names["author"] = ", ".join(map(str.strip, _ADDRESS.sub("", line).replace("_", " ").split(";")))
            elif "author" in names and (revision := _REVISION.fullmatch(line)):
                names["revdate"] = (revision[1] or revision[2] or "").strip()
            elif not line.startswith("//") or _HIDDEN.fullmatch(line):
                return
            end += 1
        self._names |= names
        self.number = end

    def _until(self, delimiter: str) -> list[str]:
        """Read the lines up to the next delimiter, and that."""
        start = self.number
        while self.number < len(self.lines) and self.lines[self.number] != delimiter:
            self.number += 1
        self.number += 1
        return self.lines[start : self.number - 1]

    def _text(self, line: str) -> Iterator[str]:
        """Yield the heading, item or paragraph that begins with a line."""
        below = self.lines[self.number] if self.number < len(self.lines) else ""
        underline = _UNDERLINE.fullmatch(below)
        if heading := _HEADING.fullmatch(line):
            yield from self._heading(len(heading[1]), heading[2].removesuffix(f" {heading[1]}").rstrip())
        elif underline and abs(len(below) - len(line)) <= 1 and any(map(str.isalnum, line)):
            self.number += 1
            yield from self._heading("=-~^+".index(underline[1]) + 1, line)
        elif title := _TITLE.fullmatch(line):
            yield from ("", (self._indent() if self._is_attached else "") + self._inline(title[1]), "")
        elif item := _ITEM.fullmatch(line):
            yield self._item(item[1], self._inline(self._lines_of(item[2])))
        elif term := _TERM.fullmatch(line):
            yield self._item(term[2], self._inline(self._lines_of(f"{term[1]}: {term[3] or ''}".rstrip())))
        elif line[0].isspace() and (self._is_attached or not self._items):
            start = self.number - 1
            while self.number < len(self.lines) and self.lines[self.number] not in {"", "+"}:
                self.number += 1
            yield from self._code(self.lines[start : self.number])
        else:
            is_continued = self._is_attached or (self._items and line[0].isspace())
            yield from self._paragraph(self._indent() if is_continued else "", self._inline(self._lines_of(line)))

    def _heading(self, level: int, words: str) -> Iterator[str]:
        if level == 1 and not self._has_title:
            self._has_title = True
            begins = self.number - (2 if _UNDERLINE.fullmatch(self.lines[self.number - 1]) else 1)
            if all(not line.strip() or line.startswith((":", "//")) for line in self.lines[:begins]):
                self._header()
        yield from self._paragraph("", f"{'#' * level} {self._inline(words)}")

    def _paragraph(self, indent: str, words: str) -> Iterator[str]:
        if not indent:
            self._items.clear()
        self._is_attached = False
        yield from ("", indent + words, "")

    def _indent(self) -> str:
        return _INDENT * len(self._items)

    def _code(self, lines: list[str]) -> Iterator[str]:
        indent = self._indent() if self._is_attached else ""
        self._is_attached = False
        yield from code_block(lines, indent)

    def _lines_of(self, first: str) -> str:
        """Read the lines that go on with a paragraph, and return all as one."""
        words = [first]
        while self.number < len(self.lines):
            line = self.lines[self.number]
            if not line or line == "+" or any(each.fullmatch(line) for each in _NEW_BLOCKS):
                break
            words.append(line.strip())
            self.number += 1
        return "".join(f"{line[:-2]}  \n" if line.endswith(" +") else f"{line} " for line in words).rstrip()

    def _item(self, marker: str, words: str) -> str:
        """Return an item of a list: deeper than those above it if its marker is new."""
        given = marker.strip("<.>")
        kind = "1" if given.isdecimal() else marker
        while any(kind == each for each, _ in self._items[:-1]):
            self._items.pop()
        last = self._items.pop()[1] if self._items and self._items[-1][0] == kind else 0
        number = int(given) if given.isdecimal() else last + 1
        indent = self._indent()
        self._items.append((kind, number))
        self._is_attached = False
        return f"{indent}{f'{number}.' if kind[0] in '1.<' else '-'} {words}"

    def _table(self, delimiter: str) -> Iterator[str]:
        lines = [line for line in self._until(delimiter) if not _MARKUP.fullmatch(line)]
        written, self._columns = self._columns, ""
        marked = [number for number, line in enumerate(lines) if _CELL.search(line)]
        start = marked[0] if marked and delimiter[0] == "|" else len(lines)
        yield from ("", *(f"{self._inline(line)}\n" for line in lines[:start]))
        if start < len(lines):
            self._items.clear()
            columns = _count(written) or sum(map(_span, _CELL.finditer(lines[start])))
            rows = _rows("\n".join(lines[start:]), columns)
            yield from table([[self._inline(cell) for cell in row] for row in rows])

    def _inline(self, text: str) -> str:
        """Return text of a paragraph in Markdown."""
        text = _QUOTED.sub(r"\1\2\1", self._resolved(text))
        return inline(text, _VERBATIM, lambda code: _PASSED.sub(r"\2", next(filter(None, code.groups()))), _TEXTS)

    def _resolved(self, text: str) -> str:
        return _NAME.sub(lambda found: self._names.get(found[1], found[0])[:_VALUE_CHARACTERS], text)


def _count(columns: str) -> int:
    """Return the number of columns in ``1,2``, ``3*`` or ``2*,1``."""
    found = [re.match(r"\s*(\d{1,3})\*", each) for each in columns.split(",")] if columns else []
    return sum(int(each[1]) if each else 1 for each in found)


def _span(mark: re.Match[str]) -> int:
    return max(1, min(int(mark[1] or 1), _MAX_CELLS))


def _rows(text: str, columns: int) -> list[list[str]]:
    """Return the cells of a table by row; those that a wide one spans are empty."""
    marks = list(_CELL.finditer(text))
    above = text[: marks[0].start()].strip()
    cells = [above] if above else []
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        cell = " ".join(text[mark.end() : end].split())
        cells += [cell] * _span(mark) if mark[2] == "*" else [cell, *[""] * (_span(mark) - 1)]
    return [cells[at : at + columns] for at in range(0, len(cells), columns)]
