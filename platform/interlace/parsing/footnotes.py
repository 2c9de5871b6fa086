"""Footnotes of Markdown: ``[^1]`` in a text, and ``[^1]: words`` with further indented blocks where the note is written; or ``^[words]`` in the text (Pandoc)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkLabel
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

NOTE_MARK = "note_mark"
_MARK = re.compile(r"\[\^([^\s\[\]]{1,100})\](?P<is_note>:)?")
_BEGINS_LINE = re.compile(r"(?:[ \t>]|[-*+][ \t])*")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
_TOKEN = re.compile(rf"(`+)|(\\)|{_MARK.pattern}")
# Words of a note, and not the characters of a regular expression, as in ``^[a-z ]+``.
_WORD = re.compile(r"[^\w\s]*[^\W\d_]{2}")
_FEWEST_WORDS = 2
_INDENT = 4


class Notes:
    """The notes of a document: their block tokens by label, and the numbers that their marks gave them, in the order of the text."""

    def __init__(self, text: str = "") -> None:
        self.tokens: dict[str, list[Token]] = {}
        marks = set(_marks(text))
        self.are_used = any((label, False) in marks for label, is_note in marks if is_note)
        self._numbers: dict[str, int] = {}
        self._order: list[str] = []

    def number(self, label: str) -> int:
        """Return the number of a note, which its first mark gives it."""
        if label not in self._numbers:
            self._order.append(label)
        return self._numbers.setdefault(label, len(self._order))

    def numbered(self) -> Iterator[tuple[int, Sequence[Token]]]:
        """Yield number and tokens of each note; those that only the notes written so far refer to follow."""
        yield from ((self._numbers[label], self.tokens[label]) for label in self._order)
        begun = len(self._order)
        for label in self.tokens:
            self.number(label)
        yield from ((self._numbers[label], self.tokens[label]) for label in islice(self._order, begun, None))


def _marks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the label of each mark that is not code, and whether it begins a line as that of a note."""
    fence = ""
    for line in text.split("\n"):
        begins = _BEGINS_LINE.match(line)
        start = begins.end() if begins else 0
        found = _FENCE.match(line, start)
        if fence and found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
        elif found or fence:
            fence = fence or (found[1] if found else "")
        else:
            yield from (
                (each[3].casefold(), each.start() == start and bool(each["is_note"])) for each in _in_line(line)
            )


def _in_line(line: str) -> Iterator[re.Match[str]]:
    """Yield the marks in a line that stand in no inline code and are not escaped."""
    runs = Counter(each[1] for each in _TOKEN.finditer(line) if each[1])
    code, escaped = "", -1
    for each in _TOKEN.finditer(line):
        if each[1]:
            runs[each[1]] -= 1
            if code:
                code = "" if code == each[1] else code
            elif each.start() != escaped and runs[each[1]] > 0:
                code = each[1]
        elif not code and each.start() != escaped:
            if each[2]:
                escaped = each.end()
            else:
                yield each


def add_footnotes(parser: MarkdownIt) -> None:
    """Add notes and their marks to the parser; a mark without a note is text, and so are notes where none has a mark."""
    parser.block.ruler.before("reference", "note", _note, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("link", NOTE_MARK, _mark)
    parser.inline.ruler.before("link", "inline_note", _inline_note)


def without_notes(tokens: Sequence[Token], environment: dict[str, Any]) -> list[Token]:
    """Return block tokens without those of the notes, which the environment keeps."""
    kept: list[Token] = []
    goals = [kept]
    for token in tokens:
        if token.type == "note_open":
            goals.append(environment["notes"].tokens[token.info])
        elif token.type == "note_close":
            goals.pop()
        else:
            goals[-1].append(token)
    return kept


def _note(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = state.bMarks[start] + state.tShift[start]
    found = None if state.is_code_block(start) else _MARK.match(state.src, first, state.eMarks[start])
    if found is None or not found["is_note"]:
        return False
    label = found[1].casefold()
    if "notes" not in state.env:
        state.env["notes"] = Notes(state.src)
    notes: Notes = state.env["notes"]
    if silent or not notes.are_used:
        return notes.are_used
    notes.tokens.setdefault(label, [])
    state.push("note_open", "", 1).info = label
    before = state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType
    text = state.src[found.end() : state.eMarks[start]]
    state.blkIndent += _INDENT
    state.bMarks[start], state.tShift[start] = found.end(), len(text) - len(text.lstrip())
    state.sCount[start], state.parentType = state.blkIndent, "note"
    state.md.block.tokenize(state, start, end)
    state.blkIndent -= _INDENT
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType = before
    state.push("note_close", "", -1)
    return True


def _mark(state: StateInline, silent: bool) -> bool:
    found = _MARK.match(state.src, state.pos, state.posMax)
    notes: Notes | None = state.env.get("notes")
    if found is None or notes is None or found[1].casefold() not in notes.tokens:
        return False
    if not silent:
        state.push(NOTE_MARK, "", 0).content = f"[{notes.number(found[1].casefold())}]"
    state.pos = found.end(1) + 1
    return True


def _inline_note(state: StateInline, silent: bool) -> bool:
    end = parseLinkLabel(state, state.pos + 1) if state.src.startswith("^[", state.pos) else -1
    words = state.src[state.pos + 2 : max(0, end)].strip()
    if sum(_WORD.match(each) is not None for each in words.split()) < _FEWEST_WORDS:
        return False
    if not silent:
        notes: Notes = state.env.setdefault("notes", Notes())
        label = f" {len(notes.tokens)}"  # no written one has a space
        notes.tokens[label] = [Token("inline", "", 0, content=words), Token("paragraph_close", "", -1)]
        state.push(NOTE_MARK, "", 0).content = f"[{notes.number(label)}]"
    state.pos = end + 1
    return True
