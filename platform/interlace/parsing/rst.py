"""reStructuredText: sections by their underlines, and blocks of code after ``::``; the rest is read as text."""

import re

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.sandbox.limits import ParseLimits

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_CODE = re.compile(r"::[ \t]*$|^\.\. (?:code|code-block|sourcecode|literalinclude)::")


def parse_rst(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean reStructuredText; each style of line under a heading is a level, in order of appearance.

    Raises:
        ParseError: reason ``empty``, or a limit is exceeded.
    """
    composer = Composer(name, limits)
    styles: list[str] = []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        overlined = _is_overlined(lines, number)
        heading = number + overlined
        if style := _underline(lines, heading):
            key = style * (1 + overlined)
            if key not in styles:
                styles.append(key)
            composer.heading(min(6, styles.index(key) + 1), lines[heading].strip())
            number = heading + 2
            continue
        composer.write(lines[number])
        composer.line() if lines[number].strip() else composer.paragraph()
        number = _code(composer, lines, number + 1) if _CODE.search(lines[number]) else number + 1
    return composer.finish(fallback_title=fallback_title, metadata={})


def _underline(lines: list[str], number: int) -> str:
    """Return the sign under a line if that makes it a heading; empty if not."""
    below = lines[number + 1] if number + 1 < len(lines) else ""
    title = lines[number].rstrip() if number < len(lines) else ""
    match = _LINE.fullmatch(below)
    if match is None or not title.strip() or _LINE.fullmatch(title) or len(below.rstrip()) < len(title.strip()):
        return ""
    return match[1]


def _is_overlined(lines: list[str], number: int) -> bool:
    line = lines[number].rstrip()
    return bool(_LINE.fullmatch(line)) and number + 2 < len(lines) and lines[number + 2].rstrip() == line


def _code(composer: Composer, lines: list[str], number: int) -> int:
    """Write the indented block that begins at a line, as code; return the line after it."""
    first = number
    while number < len(lines) and (not lines[number].strip() or lines[number][:1] in " \t"):
        number += 1
    block = "\n".join(lines[first:number]).strip("\n")
    if block.strip():
        composer.paragraph()
        start = composer.position
        composer.write(block.rstrip(), keep_indent=True)
        composer.literal(start)
    composer.paragraph()
    return number
