"""The context of a mention: the content words around it, which show what its chunk says about the entity."""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from interlace.text.stop_words import QUESTION_STOP_WORDS
from interlace.text.tokenizer import tokens

Key = TypeVar("Key", bound=Hashable)

_BEFORE = 8
_AFTER = 4


def context_words(text: str, spans: Mapping[Key, Sequence[tuple[int, int]]]) -> dict[Key, tuple[str, ...]]:
    """Return for each entity the content words among the eight words before and the four after its mentions; case-folded, sorted, unique.

    Spans are the start and end offsets of an entity's mentions in the text.
    """
    words = tokens(text)
    starts = [word.start for word in words]
    found: dict[Key, tuple[str, ...]] = {}
    for key, mentions in spans.items():
        context: set[str] = set()
        for start, end in mentions:
            first, last = bisect_left(starts, start), bisect_left(starts, end)
            context.update(word.form for word in words[max(0, first - _BEFORE) : first])
            context.update(word.form for word in words[last : last + _AFTER])
        found[key] = tuple(sorted(context - QUESTION_STOP_WORDS))
    return found
