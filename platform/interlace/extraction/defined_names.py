"""Names with their acronym in parentheses, whole: the initials say where such a name begins (Schwartz and Hearst 2003).

A recogniser may take only the end of one (*Hadron Collider* of "Large Hadron Collider (LHC)"), or what stands before it, too ("Project ID and Access
Control List (ACL)").
"""

import re
from dataclasses import replace

from interlace.domain.extraction import PARTICLES
from interlace.extraction.entity_spans import EntitySpan
from interlace.ports.syntax import SyntaxDoc
from interlace.text.stop_words import ENTITY_STOP_WORDS

_ACRONYM = re.compile(r" \(([A-Z]{3,8})s?\)")
_LAST_WORD = re.compile(r"([^\W_]+)[ -]?\Z")
_LOOK_BACK = 120  # characters
_SMALL = ENTITY_STOP_WORDS | PARTICLES


def as_defined(doc: SyntaxDoc, span: EntitySpan) -> EntitySpan:
    """Return an entity with the words whose initials are the acronym that follows it; unchanged if none follows or they differ."""
    acronym = _ACRONYM.match(doc.text, span.mention.end)
    start = _start(doc.text[: span.mention.end], acronym[1]) if acronym else None
    if start is None or start == span.mention.start:
        return span
    first = span.first
    while first > 0 and doc[first].idx > start:
        first -= 1
    while first + 1 < span.last and doc[first].idx < start:
        first += 1
    if doc[first].idx != start:
        return span
    mention = replace(span.mention, surface=doc.text[start : span.mention.end], start=start)
    return replace(span, mention=mention, first=first)


def _start(text: str, acronym: str) -> int | None:
    """Return where the words at the end of a text begin whose initials are an acronym; words without an initial are function words."""
    end, left = len(text), acronym.lower()
    while left:
        found = _LAST_WORD.search(text, max(0, end - _LOOK_BACK), end)
        if found is None:
            return None
        word, end = found[1], found.start()
        if word[0].lower() == left[-1]:
            left = left[:-1]
        elif word not in _SMALL or left == acronym.lower():
            return None
    return end if text[end].isupper() and " " in text[end:] else None
