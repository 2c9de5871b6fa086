"""Org, rewritten in Markdown: headings, lists, tables, code and links; drawers, tags of headings, keywords and comments are left out."""

import re
from collections import deque
from collections.abc import Iterator
from math import inf
from textwrap import dedent

from interlace.domain.documents import ParsedDocument
from interlace.parsing.markdown.parser import parse_markdown
from interlace.parsing.markdown.writer import code_block, inline, table
from interlace.parsing.sandbox.limits import ParseLimits

_HEADING = re.compile(r"(\*+)[ \t]+(?:(?:TODO|DONE)[ \t]+)?(?:\[#\w\][ \t]*)?(\S.*?)(?:[ \t]+:[\w@#%:]+:)?")
_TOP = re.compile(r"^\*[ \t]+\S", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]*#\+title:[ \t]*\S", re.MULTILINE | re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[.*\])?:?(?:[ \t]+(.*))?")
_CODE_BLOCKS = frozenset({"begin_example", "begin_export", "begin_src"})
_HIDDEN = re.compile(r"[ \t]*(:properties:|:logbook:|#\+begin_comment)(?:[ \t].*)?", re.IGNORECASE)
_ENDS = {":properties:": ":end:", ":logbook:": ":end:", "#+begin_comment": "#+end_comment"}
_COMMENT = re.compile(r"[ \t]*#(?: .*)?")
_LITERAL = re.compile(r"[ \t]*:(?: (.*))?")
_ROW = re.compile(r"[ \t]*\|(.*?)\|?[ \t]*")
_RULE = re.compile(r"[ \t]*\|-[-+|]*[ \t]*")
_UNDERLINE = re.compile(r"[ \t]*(?:-+|=+)[ \t]*")  # would make a heading of the text above
_ITEM = re.compile(r"[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]")
_TERM = re.compile(r"([ \t]*[-+][ \t]+.*?)[ \t]+::[ \t]+")
_NOTE = re.compile(r"\A\[fn:([\w-]+)\](?=[ \t])")
_CODE = re.compile(r"(?<![\w=~])([=~])(?=\S)([^=~`]+)(?<=\S)\1(?![\w=~])")
_BROKEN = re.compile(r"\[\[[^\[\]]+\]\[[^\[\]]+\]\]")
_TEXTS = (
    (re.compile(r"[<#`\\]"), r"\\\g<0>"),
    (re.compile(r"\[\[(?:file:)?([^\[\]]+?)(?:::[^\[\]]*)?\]\[([^\[\]]+)\]\]"), r"[\2](<\1>)"),
    (re.compile(r"\[\[(?:file:)?((?:https?:|mailto:|\.{0,2}/)[^\[\]]+|[^\[\]*]+\.\w+)\]\]"), r"[\1](<\1>)"),
    (re.compile(r"\[\[(?:file:)?[*]?([^\[\]]+)\]\]"), r"\1"),
    (re.compile(r"\[fn:[\w-]*:([^\[\]]+)\]"), r"^[\1]"),
    (re.compile(r"\[fn:([\w-]+)\]"), r"[^\1]"),
)


def parse_org(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean Org text.

    Raises:
        ParseError: reason ``empty``, or a limit is exceeded.
    """
    whole = _BROKEN.sub(lambda link: " ".join(link[0].split()), text)
    has_title = len(_TOP.findall(whole)) == 1 and not _TITLE.search(whole)
    return parse_markdown("\n".join(_blocks(deque(whole.split("\n")), 1 - has_title)), name, fallback_title, limits)


def _blocks(lines: deque[str], above: int) -> Iterator[str]:
    """Yield the lines of a text in Markdown, without the indent of the section that they are in; ``above`` levels are above its headings."""
    indent: int | None = None
    outermost = inf  # indent of the items of a list, if in one
    while lines:
        line = lines.popleft()
        if heading := _HEADING.fullmatch(line):
            yield from ("", f"{'#' * min(6, len(heading[1]) + above)} {_inline(heading[2])}", "")
            indent, outermost = None, inf
            continue
        if indent is None and line.strip():
            indent = len(line) - len(line.lstrip())
        line = line[min(indent or 0, len(line) - len(line.lstrip())) :]
        depth = len(line) - len(line.lstrip())
        if _ITEM.match(line):
            outermost = min(outermost, depth)
        elif line and depth <= outermost:
            outermost = inf
        if (hidden := _HIDDEN.fullmatch(line)) and _is_ended(hidden[1].lower(), lines):
            _until(_ENDS[hidden[1].lower()], lines)
        elif keyword := _KEYWORD.fullmatch(line):
            yield from _keyword(keyword[1].lower(), keyword[2] or "", line[:depth] if depth > outermost else "", lines)
        elif _LITERAL.fullmatch(line):
            lines.appendleft(line)
            yield from _code("", [found[1] or "" for found in _run(_LITERAL, lines)])
        elif _ROW.fullmatch(line):
            lines.appendleft(line)
            rows = [found[1].split("|") for found in _run(_ROW, lines) if not _RULE.fullmatch(found[0])]
            yield from table([[_inline(cell.strip()) for cell in row] for row in rows])
        elif _UNDERLINE.fullmatch(line):
            yield from ("", line, "")
        elif not _COMMENT.fullmatch(line):
            yield _inline(_TERM.sub(r"\1: ", _NOTE.sub(r"[^\1]:", line)))


def _keyword(name: str, value: str, indent: str, lines: deque[str]) -> Iterator[str]:
    if name == "title":
        yield from (f"# {_inline(value)}", "")
    elif name == "caption":
        yield from ("", _inline(value), "")
    elif name in _CODE_BLOCKS:
        yield from _code(indent, _until(name.replace("begin", "#+end"), lines))


def _is_ended(start: str, lines: deque[str]) -> bool:
    """Return whether a block has its end line before the next heading or block of its kind."""
    for line in lines:
        found = line.strip().lower()
        if found == _ENDS[start] or found.startswith(start) or _HEADING.fullmatch(line):
            return found == _ENDS[start]
    return False


def _until(end: str, lines: deque[str]) -> list[str]:
    """Remove the lines up to one, and return those before it."""
    found: list[str] = []
    while lines and (line := lines.popleft()).strip().lower() != end:
        found.append(line)
    return found


def _run(pattern: re.Pattern[str], lines: deque[str]) -> Iterator[re.Match[str]]:
    """Remove and yield the next lines as long as they match."""
    while lines and (found := pattern.fullmatch(lines[0])):
        lines.popleft()
        yield found


def _code(indent: str, lines: list[str]) -> Iterator[str]:
    yield from code_block(dedent("\n".join(lines)).split("\n"), indent)


def _inline(text: str) -> str:
    return inline(text, _CODE, lambda code: code[2], _TEXTS)
