"""Footnotes of Markdown: ``[^1]`` in a text, and ``[^1]: words`` with further indented blocks elsewhere; or ``^[words]`` in the text (Pandoc)."""

import re
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkLabel
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

NOTE_MARK = "footnote_ref"
# Words of a note, and not the characters of a regular expression, as in ``^[a-z ]+``.
_WORD = re.compile(r"[^\w\s]*[^\W\d_]{2}")
_MIN_WORDS = 2


def add_footnotes(parser: MarkdownIt) -> None:
    """Add notes and their marks to the parser; a mark without a note is text."""
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.inline.ruler.before("link", "inline_note", _inline_note)


def without_notes(tokens: Sequence[Token], environment: dict[str, Any]) -> list[Token]:
    """Return block tokens without those of the notes, which the environment keeps by label."""
    environment["notes"] = notes = dict[str, list[Token]]()
    kept: list[Token] = []
    goals = [kept]
    for token in tokens:
        if token.type == "footnote_reference_open":
            goals.append(notes.setdefault(token.meta["label"], []))
        elif token.type == "footnote_reference_close":
            goals.pop()
        else:
            goals[-1].append(token)
    return kept


def remaining_notes(environment: dict[str, Any]) -> Iterator[tuple[str, Sequence[Token]]]:
    """Yield marker and block tokens of each note, in the order of the marks read so far; a note that no mark refers to keeps its label."""
    notes: dict[str, list[Token]] = environment["notes"]
    marked, number = _marked(environment), 0  # reading a note may add to both
    while notes or number < len(marked):
        if number < len(marked):
            note = marked[number]
            number += 1
            yield f"{number}.", note["tokens"] if "tokens" in note else notes.pop(note["label"], ())
        else:
            label = next(iter(notes))
            yield f"[^{label}]:", notes.pop(label)


def _marked(environment: MutableMapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the notes that marks refer to, by number from 0: ``tokens`` of one in the text, ``label`` of others."""
    found: dict[int, dict[str, Any]] = environment.setdefault("footnotes", {"refs": {}, "list": {}})["list"]
    return found


def _inline_note(state: StateInline, silent: bool) -> bool:
    end = parseLinkLabel(state, state.pos + 1) if state.src.startswith("^[", state.pos) else -1
    words = state.src[state.pos + 2 : max(0, end)].strip()
    if sum(_WORD.match(each) is not None for each in words.split()) < _MIN_WORDS:
        return False
    if not silent:
        marked = _marked(state.env)
        state.push(NOTE_MARK, "", 0).meta = {"id": len(marked)}
        marked[len(marked)] = {"tokens": [Token("inline", "", 0, content=words), Token("paragraph_close", "", -1)]}
    state.pos = end + 1
    return True
