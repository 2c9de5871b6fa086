"""Plain text: sections by underlined headings and those of manual pages; paragraphs that were wrapped at a width are lines again."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interlace.domain.documents import ParsedDocument
from interlace.parsing.composer import Composer
from interlace.parsing.furniture import without_furniture
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.text.fields import is_field_label
from interlace.text.languages import function_words
from interlace.text.stop_words import TERM_STOP_WORDS

_PROSE = frozenset({"", ".txt", ".text"})  # not of code, whose lines are statements
_NARROWEST, _WIDEST = 50, 160
_MIN_LINES = 3
_MIN_PAIRS = 3  # paragraphs of two lines that show a width; where a sentence clearly goes on, one does
_PAIR = 2
_ENDS = (".", ":", ";", "!", "?")
_MOSTLY = 0.75
# After these a sentence goes on, be it with a capital: a name or a German noun.
_NEVER_LAST = TERM_STOP_WORDS | function_words("de")
# Items of lists, quotations, tables, rules, commands and indented columns begin or are lines of their own.
_OWN_LINE = re.compile(
    r"\s*(?:[^\w\s\"'“„«\u2018(\[`¿¡<]|\d{1,3}[.)]\s|\d{2,4}[-/:.]\d|[a-zA-Z][.)]\s)|.*(?:\S {3,}\S|\t|\|)"
)
_GOES_ON = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[,.;:!?)]*(?:\s|\Z)")  # a word, not a call or an assignment
_RULE = re.compile(r"([=~^*#_\u2500\u2550-])\1{2,}")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9 ,/&'()-]{2,58}[A-Z)]")  # a heading of a manual page, above indented text
_INDENTED = re.compile(r"(?: {3,}|\t)\S")
_HEADING_CHARACTERS = 100
_MIN_CAPITALS = 3
_UNEVEN = 2  # characters by which a rule may be longer or shorter than its heading
# A word that a formatter divided, or a compound that ends a line with its own hyphen.
_DIVIDED = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,60})([\u00ad\u2010])\n([ \t]+)([^\W\d_]+)(\S*) ?")
_WORD = re.compile(r"[^\W\d_]+")
_SPACES = re.compile(r"(?<=\S) {2,}(?=\S)")  # that justify a line
_AFTER_HYPHEN = re.compile(r"(?<=[^\W\d_]-)\n")  # where a word such as "self-hosted" may be broken


def parse_text(
    text: str, name: str, fallback_title: str, limits: ParseLimits, *, suffix: str = "", mail: bool = False
) -> ParsedDocument:
    """Return the document in clean text, in which form feeds part pages. Lines of files whose ``suffix``, in lower case, is none of prose stay; what a mail says has no headings.

    Raises:
        ParseError: reason ``empty``.
    """
    composer = Composer(name, limits)
    prose = suffix in _PROSE
    text = _without_page_breaks(text) if prose else text
    lines = text.strip().split("\n")
    headings = _headings(lines) if prose and not mail else {}
    if sum(below - at for at, (_, below) in headings.items()) == sum(map(bool, map(str.strip, lines))):
        headings = {}  # there would be no text
    width = _width(text) if prose else 0
    start = 0
    for at, (level, below) in [*headings.items(), (len(lines), (0, 0))]:
        block = "\n".join(lines[start:at]).strip("\n")
        composer.write(unwrapped(block, width) if prose else block, keep_indent=True)
        if level:
            composer.heading(level, lines[at].strip())
        start = below
    return composer.finish(fallback_title=fallback_title, metadata={})


def _without_page_breaks(text: str) -> str:
    """Return a text without what stands at the edges of its pages; a paragraph that goes on across a break is one."""
    pages = text.split("\f")
    if len(pages) == 1:
        return text
    pages = [page for page in without_furniture(pages) if page.strip()]
    parts = pages[:1]
    for before, page in pairwise(pages):
        last, first = before.rpartition("\n")[2], page.partition("\n")[0]
        is_one = _goes_on(last, first) and _is_one_sentence(last.strip(), first.strip())
        parts += ["\n" if is_one else "\n\n", page]
    return "".join(parts)


def _headings(lines: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return for each line that is a heading its level, and the number of the line after it and its rule, in order."""
    found: dict[int, tuple[int, int]] = {}
    capitals: dict[int, tuple[int, int]] = {}
    styles: list[str] = []
    for at, line in enumerate(lines[:-1]):
        title, below = line.strip(), lines[at + 1]
        if not title or len(title) > _HEADING_CHARACTERS or (at and lines[at - 1].strip()):
            continue
        rule = _RULE.fullmatch(below.strip())
        if (
            rule
            and not _SPACES.search(title)
            and abs(len(rule[0]) - len(title)) <= _UNEVEN
            and any(map(str.isalpha, title))
        ):
            if rule[1] not in styles:
                styles.append(rule[1])
            found[at] = (styles.index(rule[1]) + 1, at + 2)
        elif _CAPITALS.fullmatch(line.rstrip()) and _INDENTED.match(below):
            capitals[at] = (1, at + 1)
    return found or (capitals if len(capitals) >= _MIN_CAPITALS else {})


def unwrapped(text: str, width: int = 0) -> str:
    """Return text whose wrapped paragraphs are one line each, so that sentences are whole; other lines stay.

    A paragraph is wrapped if nearly all of its lines but the last are so long that the next word did not fit; one of two lines only where others of
    the document were wrapped at that ``width``, in characters.
    """
    paragraphs = _paragraphs(_with_whole_words(text))
    return "\n".join(line for paragraph in paragraphs for line in _joined(paragraph, width))


def _width(text: str) -> int:
    """Return the length of the longest line of wrapped paragraphs, or of those of two lines within a sentence if one width explains them; 0 without them."""
    longest, pairs, is_sure = 0, list[tuple[int, int]](), False
    for paragraph in _paragraphs(text):
        sizes = [len(line.rstrip()) for line in paragraph]
        if _is_wrapped(paragraph, 0):
            longest = max(longest, *sizes)
        elif len(paragraph) == _PAIR and max(sizes) >= _NARROWEST:
            first, second = map(str.strip, paragraph)
            if _is_one_sentence(first, second):
                pairs.append((max(sizes), sizes[0] + 1 + len(second.split(maxsplit=1)[0])))
                is_long = sizes[0] >= _NARROWEST and (first[-1].isalnum() or first[-1] in ",-")
                is_sure |= is_long and second[0].islower() and _GOES_ON.match(second) is not None
    if longest or not (is_sure or len(pairs) >= _MIN_PAIRS):
        return longest
    longest = max(size for size, _ in pairs)
    return longest if longest < min(full for _, full in pairs) else 0


def _paragraphs(text: str) -> Iterator[list[str]]:
    """Yield the lines of a text, those together that may have been one."""
    paragraph: list[str] = []
    for line in text.split("\n"):
        if paragraph and not _goes_on(paragraph[-1], line):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def _with_whole_words(text: str) -> str:
    """Return text with the words whole that a formatter divided: at a soft hyphen, or at another if the whole word occurs in the text."""
    known = set(_WORD.findall(text.casefold())) if "\u2010\n" in text else set[str]()

    def whole(found: re.Match[str]) -> str:
        first, hyphen, indent, second, rest = found.groups()
        is_word = hyphen == "\u00ad" or f"{first}{second}".casefold() in known
        return f"{first}{'' if is_word else hyphen}{second}{rest}\n{indent}"

    return _DIVIDED.sub(whole, text)


def _goes_on(before: str, line: str) -> bool:
    if not (line.strip() and before.strip() and _indent(line) == _indent(before)):
        return False
    return not (_OWN_LINE.match(line) or _OWN_LINE.match(before))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(paragraph: Sequence[str], width: int) -> Sequence[str]:
    """Return the lines of a paragraph: one if it was wrapped."""
    if not _is_wrapped(paragraph, width):
        return paragraph
    lines = "\n".join((paragraph[0].rstrip(), *(line.strip() for line in paragraph[1:])))
    return [_SPACES.sub(" ", _AFTER_HYPHEN.sub("", lines).replace("\n", " "))]


def _is_one_sentence(first: str, second: str) -> bool:
    """Return whether a sentence goes on from line to line, which two contacts, entries or verses do not."""
    if first.endswith(_ENDS):
        return False
    return (
        second.lstrip("\"'(\u201c\u201e")[:1].islower()
        or first.endswith((",", "-"))
        or first.rsplit(maxsplit=1)[-1] in _NEVER_LAST
    )


def _is_wrapped(lines: Sequence[str], width: int) -> bool:
    """Return whether a paragraph was wrapped; one of two lines only at a width, and only within a sentence."""
    if len(lines) < _MIN_LINES and not (len(lines) == _PAIR and width and _is_one_sentence(*map(str.strip, lines))):
        return False
    sizes = [len(line.rstrip()) for line in lines]
    width = max(sizes) if len(lines) > _PAIR else max(width, sizes[1])
    if not _NARROWEST <= width <= _WIDEST or any(" " not in line.strip() for line in lines[:-1]):
        return False  # Chinese and Japanese have no blanks between words, and would get some
    firsts = [line.split(maxsplit=1)[0] for line in lines]
    labels = [first[-1] == ":" and is_field_label(first[:-1]) for first in firsts]
    if len(set(firsts)) == 1 or (labels[0] and any(labels[1:])):
        return False  # entries of a log, fields of a mail
    full = [size + 1 + len(first) > width for size, first in zip(sizes, firsts[1:], strict=False)]
    return min(sizes[:-1]) >= width / 2 and sum(full) >= len(full) * _MOSTLY
