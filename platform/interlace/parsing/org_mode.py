"""Org, rewritten in Markdown: headings, lists, tables, code and links; drawers, tags of headings, keywords and comments are left out."""

import re
from collections import deque
from collections.abc import Iterator
from textwrap import dedent

from interlace.domain.documents import ParsedDocument
from interlace.parsing.markdown import parse_markdown
from interlace.parsing.sandbox.limits import ParseLimits

_FENCE = "~" * 12
_HEADING = re.compile(r"(\*+)[ \t]+(?:(?:TODO|DONE)[ \t]+)?(?:\[#\w\][ \t]*)?(\S.*?)(?:[ \t]+:[\w@#%:]+:)?")
_TOP = re.compile(r"^\*[ \t]+\S", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]*#\+title:[ \t]*\S", re.MULTILINE | re.IGNORECASE)
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[.*\])?:?(?:[ \t]+(.*))?")
_CODE_BLOCKS = frozenset({"begin_example", "begin_export", "begin_src"})
_DRAWER = re.compile(r"[ \t]*:(?:properties|logbook):", re.IGNORECASE)
_COMMENT = re.compile(r"[ \t]*#(?: .*)?")
_LITERAL = re.compile(r"[ \t]*:(?: (.*))?")
_ROW = re.compile(r"[ \t]*\|(.*?)\|?[ \t]*")
_RULE = re.compile(r"[ \t]*\|-[-+|]*[ \t]*")
_TERM = re.compile(r"([ \t]*[-+][ \t]+.*?)[ \t]+::[ \t]+")
_NOTE = re.compile(r"\A\[fn:([\w-]+)\](?=[ \t])")
_CODE = re.compile(r"(?<![\w=~])([=~])(?=\S)([^=~`]+)(?<=\S)\1(?![\w=~])")
_KEPT = re.compile(r"\x00(\d+)\x00")  # in place of code; clean text has none
_BROKEN = re.compile(r"\[\[[^\[\]]+\]\[[^\[\]]+\]\]")
_TEXTS = (
    (re.compile(r"[<#\\]"), r"\\\g<0>"),
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
    while lines:
        line = lines.popleft()
        if heading := _HEADING.fullmatch(line):
            yield from ("", f"{'#' * min(6, len(heading[1]) + above)} {_inline(heading[2])}", "")
            indent = None
            continue
        if indent is None and line.strip():
            indent = len(line) - len(line.lstrip())
        line = line[min(indent or 0, len(line) - len(line.lstrip())) :]
        if keyword := _KEYWORD.fullmatch(line):
            yield from _keyword(keyword[1].lower(), keyword[2] or "", line, lines)
        elif _DRAWER.fullmatch(line):
            _until(":end:", lines)
        elif _LITERAL.fullmatch(line):
            lines.appendleft(line)
            yield from _code("", [found[1] or "" for found in _run(_LITERAL, lines)])
        elif _ROW.fullmatch(line):
            lines.appendleft(line)
            yield from _table([found[1].split("|") for found in _run(_ROW, lines) if not _RULE.fullmatch(found[0])])
        elif not _COMMENT.fullmatch(line):
            yield _inline(_TERM.sub(r"\1: ", _NOTE.sub(r"[^\1]:", line)))


def _keyword(name: str, value: str, line: str, lines: deque[str]) -> Iterator[str]:
    if name == "title":
        yield from (f"# {_inline(value)}", "")
    elif name == "caption":
        yield from ("", _inline(value), "")
    elif name in _CODE_BLOCKS:
        yield from _code(line[: len(line) - len(line.lstrip())], _until(name.replace("begin", "#+end"), lines))


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
    yield from ("", *(indent + line for line in (_FENCE, *dedent("\n".join(lines)).split("\n"), _FENCE)), "")


def _table(rows: list[list[str]]) -> Iterator[str]:
    yield ""
    for number, row in enumerate(rows):
        yield f"| {' | '.join(_inline(cell.strip()) for cell in row)} |"
        if not number:
            yield "|" + "---|" * len(row)
    yield ""


def _inline(text: str) -> str:
    codes: list[str] = []

    def keep(code: re.Match[str]) -> str:
        codes.append(f"`{code[2]}`")
        return f"\x00{len(codes) - 1}\x00"

    text = _CODE.sub(keep, text)
    for pattern, words in _TEXTS:
        text = pattern.sub(words, text)
    return _KEPT.sub(lambda kept: codes[int(kept[1])], text)
