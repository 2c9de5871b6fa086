"""reStructuredText: sections by their underlines; blocks after ``::``, directives and comments are code, the rest is read as text."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, count

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import HEADING_CHARACTERS, Composer
from interlace.parsing.roles import PROSE_DIRECTIVES
from interlace.parsing.rst_inline import SUBSTITUTED, TARGET, link_targets, read_rst, substitutions
from interlace.parsing.rst_tables import HEADER, OPTION, TABLES, table_rows
from interlace.parsing.sandbox.limits import ParseLimits

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s++(?:(?P<name>[\w.+:-]+)::)?(?!\S*\[)(?P<rest>.*))?")
_NOTE = re.compile(r"\s*\.\.[ \t]+\[(\d+|[#*]|#?[A-Za-z][\w.-]*)\](?:[ \t]+(.*))?")
_NAMED = re.compile(r"``[^`]+``|(^[ \t]*\.\.[ \t]+)?\[(#[\w.-]*)\](?(1)(?!\S)|_(?!\w))")
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|(?:\d+|#|[A-Za-z])[.)])\s+")
_STARTS_LINE = re.compile(r"\s*(?:[-*+\u2022]\s|(?:\d+|#|[A-Za-z])[.)]\s|[|+=]|:[\w -]+:(?:\s|$))")
_BLOCKS_OF_CODE = frozenset(
    {
        *(
            "autosummary", "code", "code-block", "code-tab", "doctest", "graphviz", "highlight", "literalinclude",
            "math", "parsed-literal",
        ),
        *("productionlist", "prompt", "raw", "sourcecode", "testcode", "testoutput", "toctree"),
    }
)  # fmt: skip


def parse_rst(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean reStructuredText; each underline style is a heading level, in order of appearance.

    Raises:
        ParseError: reason ``empty``, or a limit is exceeded.
    """
    reader = _RstLines(Composer(name, limits), text)
    while reader.number < len(reader.lines):
        reader.read_line()
    reader.write_paragraph()
    parsed = reader.composer.finish(fallback_title=fallback_title, metadata={})
    return replace(parsed, anchors=reader.composer.anchors(reader.anchors))


class _RstLines:
    """Reads the lines of a text into a document; ``number`` is that of the next line."""

    def __init__(self, composer: Composer, text: str) -> None:
        self.composer = composer
        lines = text.split("\n")
        is_prose = [not each for each in _are_code(lines)]
        self.lines = _numbered(lines, is_prose)
        self.number = 0
        self._styles: list[str] = []
        self._paragraph: list[list[str]] = []
        self._column = 0
        self._has_prose = False
        self._targets = replace(
            link_targets(_blocks(compress(lines, is_prose))), words=substitutions("\n".join(compress(lines, is_prose)))
        )
        self.anchors = self._targets.places()

    def read_line(self) -> None:
        """Read a heading, a block, or a line of a paragraph."""
        if self._heading():
            return
        line = self.lines[self.number]
        if note := _NOTE.fullmatch(line):
            self._note(note[1], note[2] or "")
        elif not line.strip() or TARGET.fullmatch(line):
            self.write_paragraph()
            self.number += 1
            while line.strip() and self.number < len(self.lines) and _goes_on(line, self.lines[self.number]):
                self.number += 1
        elif not self._paragraph and (explicit := _EXPLICIT.fullmatch(line)):
            self._explicit(explicit)
        elif not self._paragraph and line.lstrip().startswith(">>>"):
            self._block(_indent(line) - 1, blank_ends=True)
        else:
            self._prose(line)

    def _note(self, label: str, words: str) -> None:
        """Read the first line of a footnote, or of an entry of a bibliography."""
        self.write_paragraph()
        self._paragraph.append([f"{label}. {words}" if label.isdecimal() else f"[{label}] {words}"])
        self.number += 1
        self._column = _indent(self.lines[self.number]) if self.number < len(self.lines) else 0
        if not self._column:
            self.write_paragraph()

    def _prose(self, line: str) -> None:
        """Read a line of a paragraph: it continues the line before unless it is an item, a row or indented differently."""
        goes_on = self._paragraph and _indent(line) == self._column and not _STARTS_LINE.match(line)
        if goes_on:
            self._paragraph[-1].append(line.strip())
        else:
            is_table = not self._paragraph and line.lstrip()[0] in "|+="
            self._paragraph.append([line.strip()])
            self._column = -1 if is_table or self._column < 0 else _text_column(line)
        self.number += 1
        if line.rstrip().endswith("::"):
            base = _text_column(line)
            self.write_paragraph()
            self._block(base)

    def write_paragraph(self) -> None:
        """Write the lines read since the last block, and end the paragraph."""
        if self._paragraph:
            self._has_prose = True
            read_rst("\n".join(map(" ".join, self._paragraph)), self._targets).write_to(self.composer)
            self._paragraph = []
        self._column = 0
        self.composer.paragraph()

    def _heading(self) -> bool:
        overlined = _is_overlined(self.lines, self.number)
        heading = self.number + overlined
        style = _underline(self.lines, heading)
        if not style:
            return False
        self.write_paragraph()
        key = style * (1 + overlined)
        if key not in self._styles:
            self._styles.append(key)
        inline = read_rst(self.lines[heading].strip(), self._targets)
        text = inline.text
        if not self._has_prose and not self.composer.title:
            self.composer.title = text[:HEADING_CHARACTERS]  # also below directives, which do not count as text
        self.composer.heading(min(6, self._styles.index(key) + 1), text)
        for item in inline.references:
            self.composer.reference(item.kind, item.target, item.anchor, 0, text[item.start : item.end])
        self.number = heading + 2
        return True

    def _explicit(self, found: re.Match[str]) -> None:
        """Read a directive, its options and, if it is code, its block; or a comment."""
        line, name = self.lines[self.number], (found["name"] or "").lower()
        prose = found["rest"].strip() if name in PROSE_DIRECTIVES else ""
        self.number += 1
        self._literal([line.strip().removesuffix(prose).rstrip()])
        if prose:
            self._paragraph.append([prose])
            self._options()
            self._column = _indent(self.lines[self.number]) if self.number < len(self.lines) else 0
            return
        options = self._options()
        if name in TABLES:
            self._table(name, options, _indent(line))
        else:
            self._literal(options)
        if not name or name in _BLOCKS_OF_CODE:
            self._block(_indent(line))

    def _options(self) -> list[str]:
        """Read the options of a directive, each as one line."""
        options: list[list[str]] = []
        while self.number < len(self.lines):
            line = self.lines[self.number]
            if OPTION.fullmatch(line):
                options.append([line])
            elif options and _goes_on(options[-1][0], line):
                options[-1].append(line.strip())
            else:
                break
            self.number += 1
        return list(map(" ".join, options))

    def _table(self, name: str, options: Sequence[str], base: int) -> None:
        """Write the rows of a table as lines with separated cells; one that has other blocks in its cells is read as they are."""
        end = self._end_of_block(base)
        rows = table_rows(name, options, self.lines[self.number : end])
        self._literal([each for each in options if not (rows and HEADER.match(each))])
        for row in rows:
            for number, cell in enumerate(row):
                self.composer.write(" | " if number else "")
                read_rst(cell, self._targets).write_to(self.composer)
            self.composer.line()
        if rows:
            self.number = end
            self.composer.paragraph()

    def _block(self, base: int, *, blank_ends: bool = False) -> None:
        """Write the lines that begin here and are indented by more than ``base`` characters, as code."""
        first, self.number = self.number, self._end_of_block(base, blank_ends=blank_ends)
        self._literal(self.lines[first : self.number])

    def _end_of_block(self, base: int, *, blank_ends: bool = False) -> int:
        end = self.number
        while end < len(self.lines):
            line = self.lines[end]
            if _indent(line) <= base if line.strip() else blank_ends:
                break
            end += 1
        return end

    def _literal(self, lines: list[str]) -> None:
        block = "\n".join(lines).strip("\n")
        if block.strip():
            self.composer.paragraph()
            start = self.composer.position
            self.composer.write(block.rstrip(), keep_indent=True)
            self.composer.literal(start)
        self.composer.paragraph()


def _are_code(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it stands in a literal block, a comment or a directive of code."""
    base = -1
    for line in lines:
        if line.strip() and _indent(line) <= base:
            base = -1
        yield base >= 0 or line.lstrip().startswith(">>>")
        if base >= 0:
            continue
        if explicit := _EXPLICIT.fullmatch(line):
            name = (explicit["name"] or "").lower()
            is_comment = not (name or TARGET.fullmatch(line) or SUBSTITUTED.match(line))
            base = _indent(line) if is_comment or name in _BLOCKS_OF_CODE else -1
        elif line.rstrip().endswith("::"):
            base = _text_column(line)


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, those of a link target as one."""
    block = [""]
    is_target = False
    for line in lines:
        if is_target and _goes_on(block[0], line):
            block.append(line.strip())
            continue
        yield " ".join(block)
        block = [line]
        is_target = TARGET.fullmatch(line) is not None
    yield " ".join(block)


def _goes_on(line: str, below: str) -> bool:
    """Return whether the line below one belongs to it by its indent."""
    return bool(below.strip()) and _indent(below) > _indent(line)


def _numbered(lines: list[str], is_prose: Sequence[bool]) -> list[str]:
    """Return lines with the numbers of footnotes that are numbered automatically (``[#]_``, ``[#name]_``): in the order of the notes, and not those of others."""
    labels = [note[1] for line in compress(lines, is_prose) if (note := _NOTE.fullmatch(line))]
    taken = set(labels)
    free = (each for each in map(str, count(1)) if each not in taken)
    found = [(label, next(free)) for label in labels if label.startswith("#")]
    numbers = {label: number for label, number in found if label != "#"}
    notes, marks = (deque(number for label, number in found if label == "#") for _ in range(2))

    def number(each: re.Match[str]) -> str:
        if not each[2]:
            return each[0]  # code
        unnamed = notes if each[1] else marks
        of = unnamed.popleft() if each[2] == "#" and unnamed else numbers.get(each[2], each[2])
        return f"{each[1] or ''}[{of}]{'' if each[1] else '_'}"

    return [
        _NAMED.sub(number, line) if prose and "[#" in line else line
        for line, prose in zip(lines, is_prose, strict=True)
    ]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _text_column(line: str) -> int:
    """Return the column at which the text of a line begins, after its list marker."""
    item = _ITEM.match(line)
    return len(item[0]) if item else _indent(line)


def _underline(lines: list[str], number: int) -> str:
    """Return the underline character if it makes a line a heading; empty if not."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    title = lines[number].rstrip() if number < len(lines) else ""
    match = _LINE.fullmatch(below)
    if match is None or not title.strip() or _LINE.fullmatch(title) or len(below.rstrip()) < len(title.strip()):
        return ""
    return match[1]


def _is_overlined(lines: list[str], number: int) -> bool:
    line = lines[number].rstrip()
    return bool(_LINE.fullmatch(line)) and number + 2 < len(lines) and lines[number + 2].rstrip() == line
