"""Marks in what people read: the entities of the question in a text, and the path of the graph on one line."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich.text import Text

from interlace.domain.hits import PathStep
from interlace.text.excerpts import one_line, shortened

_SNIPPET = 320
_SENTENCE = 160
_NAME = "bold yellow"


def snippet(text: str, names: Sequence[str], length: int = _SNIPPET) -> str:
    """Return the part of a chunk around the first entity of the question, on one line."""
    line = one_line(text)
    if len(line) <= length:
        return line
    found = _pattern(names).search(line) if names else None
    before = length // 4
    start = max(0, min((found.start() if found else 0) - before, len(line) - length))
    if not start:
        return shortened(line, length)
    start = line.find(" ", start, start + before) + 1 or start
    return f"… {shortened(line[start:], length)}"


def highlighted(text: str, names: Sequence[str]) -> Text:
    """Return the text with the entities of the question marked."""
    shown = Text(text)
    if names:
        for match in _pattern(names).finditer(text):
            shown.stylize(_NAME, match.start(), match.end())
    return shown


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def draw_path(path: Sequence[PathStep]) -> Text:
    """Return a path as ``Name ─(Document: "sentence")─ Name …``, ending at the chunk it leads to.

    Two steps of one entity lead from one of its chunks to another, which needs no words.
    """
    line = Text(path[0].entity_name, style="bold green") if path else Text()
    for before, step in pairwise(path):
        if step.entity_id != before.entity_id:
            sentence = f': "{shortened(step.sentence, _SENTENCE)}"' if step.sentence else ""
            line.append(f" ─({step.document_title}{sentence})─ ", style="dim not bold default")
            line.append(step.entity_name, style="bold green")
    return line.append(" ─▶ here", style="dim not bold default")


def degraded(legs: Iterable[str]) -> Text:
    """Return the line that names the legs or steps which failed, were late, or had to do without a server."""
    return Text(f"degraded: {', '.join(legs)} (failed, late or limited)", style="bold red")
