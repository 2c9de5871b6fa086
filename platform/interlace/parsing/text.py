"""Plain text: one section with the whole text, in which paragraphs that were wrapped at a width are lines again."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.sandbox.limits import ParseLimits

_PROSE = frozenset({"", ".txt", ".text", ".eml", ".mht", ".mhtml"})  # not of code, whose lines are statements
_NARROWEST, _WIDEST = 50, 120
_FEWEST_LINES = 3
_MOSTLY = 0.75
# Items of lists, quotations, tables, rules, commands and indented columns begin or are lines of their own.
_OWN_LINE = re.compile(
    r"\s*(?:[^\w\s\"'“„«\u2018(\[`¿¡<]|\d{1,3}[.)]\s|\d{2,4}[-/:.]\d|[a-zA-Z][.)]\s)|.*(?:\S {3,}\S|\t|\|)"
)
_AFTER_HYPHEN = re.compile(r"(?<=[^\W\d_]-)\n")  # where a word such as "self-hosted" may be broken


def parse_text(text: str, name: str, fallback_title: str, limits: ParseLimits) -> ParsedDocument:
    """Return the document in clean text, with ``fallback_title`` as its title.

    Raises:
        ParseError: reason ``empty``.
    """
    composer = Composer(name, limits)
    is_prose = PurePosixPath(name).suffix.lower() in _PROSE
    composer.write(unwrapped(text.strip()) if is_prose else text.strip())
    return composer.finish(fallback_title=fallback_title, metadata={})


def unwrapped(text: str) -> str:
    """Return text whose wrapped paragraphs are one line each, so that sentences are whole; other lines stay.

    A paragraph is wrapped if nearly all of its lines but the last are so long that the next word did not fit.
    """
    lines: list[str] = []
    paragraph: list[str] = []
    for line in text.split("\n"):
        if paragraph and not _goes_on(paragraph[-1], line):
            lines += _joined(paragraph)
            paragraph = []
        paragraph.append(line)
    return "\n".join([*lines, *_joined(paragraph)])


def _goes_on(before: str, line: str) -> bool:
    if not (line.strip() and before.strip() and _indent(line) == _indent(before)):
        return False
    return not (_OWN_LINE.match(line) or _OWN_LINE.match(before))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(paragraph: Sequence[str]) -> Sequence[str]:
    """Return the lines of a paragraph: one if it was wrapped."""
    if not _is_wrapped(paragraph):
        return paragraph
    lines = "\n".join((paragraph[0].rstrip(), *(line.strip() for line in paragraph[1:])))
    return [_AFTER_HYPHEN.sub("", lines).replace("\n", " ")]


def _is_wrapped(lines: Sequence[str]) -> bool:
    if len(lines) < _FEWEST_LINES:
        return False
    sizes = [len(line.rstrip()) for line in lines]
    width = max(sizes)
    if not _NARROWEST <= width <= _WIDEST or any(" " not in line.strip() for line in lines[:-1]):
        return False  # Chinese and Japanese have no blanks between words, and would get some
    firsts = [line.split(maxsplit=1)[0] for line in lines]
    if len(set(firsts)) == 1:
        return False  # entries of a log
    full = [size + 1 + len(first) > width for size, first in zip(sizes, firsts[1:], strict=False)]
    return min(sizes[:-1]) >= width / 2 and sum(full) >= len(full) * _MOSTLY
