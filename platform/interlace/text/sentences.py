"""The sentence splitter: where sentences end by punctuation, without a model.

A sentence ends after ``.``, ``!``, ``?`` or ``…`` and closing quotes unless what follows begins in lower case, it numbers an item, it is an
abbreviation or an ordinal of what follows, or dots lead to what follows; after the full stops of scripts without spaces; and at the end of a line.
A row is one sentence, whatever its cells hold, but not a line of prose with a bar in it. Text to be quoted may be wrapped, so there only an empty
line ends a sentence.
"""

import re
from collections.abc import Iterator

from interlace.text.excerpts import shortened

_END_WITHOUT_SPACE = "(?<=[\u3002\uff01\uff1f\uff61])[\u300d\u300f\uff09\uff63\u201d\u2019]*"
# The number of an item at the beginning of a line.
_NO_ITEM = "".join(f"(?<!{before}{number}[.])" for before in (r"\A", r"\n", "  ") for number in (r"\d", r"\d\d"))
_MAX_ROW_CHARACTERS = 500
# Prose is a line whose last cell would hold several sentences: ``An int | None is optional. It has no limit.``
_ROW = rf"^(?=.{{1,{_MAX_ROW_CHARACTERS}}}$)(?=.* \| )(?!.*[.!?] +[^\W\d_a-z][^|\n]*[.!?]$).+(?:\n|\Z)"
_BEFORE_NUMBERS = """
Abb Abs Art Bd Fig Kap Nr S Str Tab Vol Ziff approx art ca max min nr p pp vol Jan Feb Mar Apr Aug Sep Sept Oct Okt Nov Dec Dez
"""
_GERMAN_MONTHS = "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan Feb Apr Aug Sep Sept Okt Nov Dez"
_ENGLISH_VERB = "(?:is|was|has|had|will|saw|came|comes|brought|brings)"
_ORDINALS = r"\d \d\d"
# Leaders of a price list. Before other words than numbers, four dots may be an ellipsis and a full stop.
_NO_LEADER = "(?<![.]{5})(?<![.] [.] [.] [.] [.])"
_NO_SHORT_LEADER = "(?<![.]{4})(?<![.] [.] [.] [.])"
_NEVER_LAST = r"z[.]B z[.]\sB d[.]h d[.]\sh bzw evtl ggf inkl zzgl"


def _not_after(words: str) -> str:
    return "".join(rf"(?<!\b{word}[.])" for word in words.split())


_SMALL = "a-z\u00df-\u00f6\u00f8-\u00ff\u010d\u0159\u0161\u017e"
# ``Max. 60 W`` and ``No. 5``, but not ``I met Max. 3 days …`` or ``Is it? No. 5 people …``.
_NO_WORD = (
    rf"(?:{_not_after('Max Min')}|(?<=[{_SMALL}] Max[.])|(?<=[{_SMALL}] Min[.]))(?:{_not_after('No')}|(?<=[?] No[.]))"
)
# ``max. 60 W``, ``Hauptstr. 5``; ``am 1. September``, but not ``We sold 20. April was …``; ``z. B. Strom``, ``bzw. Gas``.
_NO_END = (
    rf"(?:(?!\s+\d)|{_not_after(_BEFORE_NUMBERS)}(?<!str[.]){_NO_SHORT_LEADER}{_NO_WORD})"
    rf"(?:(?!\s+(?:{'|'.join(_GERMAN_MONTHS.split())})\b(?!\s+{_ENGLISH_VERB}\b))|{_not_after(_ORDINALS)})"
    rf"(?:(?!\s+B[.])|{_not_after('z')}){_not_after(_NEVER_LAST)}"
)
# Closing quotes belong to the sentence that they close, opening ones to the next.
_END = re.compile(
    rf"{_ROW}|(?<=[.!?\u2026]){_NO_ITEM}{_NO_LEADER}{_NO_END}[\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[^\W_{_SMALL}])"
    rf"|{_END_WITHOUT_SPACE}|\n",
    re.MULTILINE,
)
_MAX_RECORD_CHARACTERS = 500
_FIELD = re.compile(r"([^:()]{1,40}(?:\([^()]*\))?): \S.*")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_END_OF_WRAPPED = re.compile(rf"(?<=[.!?])\s+(?=\S)|{_END_WITHOUT_SPACE}|\s*\n\s*\n\s*")


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, *, wrapped: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the sentences of a text, in order and without white space at their ends.

    Args:
        text: the text.
        start: offset where to begin.
        end: offset where to stop; none for the end of the text.
        wrapped: whether a single line break may occur within a sentence.
    """
    end = len(text) if end is None else end
    yield from _split_spans(_END_OF_WRAPPED if wrapped else _END, text, start, end)


def quotable_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the sentences of a text to be shown: as they are, but a short record is one, because a field by itself says little."""
    yield from strip_span(text, 0, len(text)) if _is_record(text) else sentence_spans(text)


def paragraph_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text's paragraphs, which blank lines separate."""
    return _split_spans(_PARAGRAPH, text, start, end)


def _split_spans(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stripped, non-blank spans of a text that end with a pattern's matches or with the text."""
    for match in pattern.finditer(text, start, end):
        yield from strip_span(text, start, match.end())
        start = match.end()
    yield from strip_span(text, start, end)


def strip_span(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span without white space at its ends; nothing if it is blank."""
    content = text[start:end]
    left = content.lstrip()
    if left:
        start += len(content) - len(left)
        yield start, start + len(left.rstrip())


def sentence_at(text: str, offset: int, max_characters: int) -> str:
    """Return the sentence around an offset on one line, cut to at most ``max_characters``; empty beyond the text."""
    for start, end in sentence_spans(text):
        if offset < end:
            return shortened(text[start:end], max_characters)
    return ""


def _is_record(text: str) -> bool:
    """Return whether a text is nothing but fields, each with a label of its own, which speakers do not have."""
    lines = text.strip().split("\n") if len(text) <= _MAX_RECORD_CHARACTERS else []
    labels = {field[1] for line in lines if (field := _FIELD.fullmatch(line))}
    return len(labels) == len(lines) > 1
