"""Collocations: adjacent capitalised words that are not one name, by how often a text has each of them without the other.

Phrases are found where words occur together more often than alone (Mikolov et al. 2013, "Distributed Representations of Words and Phrases");
here the same counts show where there is no phrase: a text with *Fastify* and *HTTP2* in many places names both in *Fastify HTTP2*.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_WORD = re.compile(r"(?<![\w@/.-])[^\W\d_][\w+#-]*(?:[./][\w+#-]+)*")


class LoosePair(NamedTuple):
    """Two adjacent capitalised words, the second of which occurs alone at least as often as after the first."""

    first: str
    second: str
    both: bool  # whether the first also occurs alone at least as often


class Collocations:
    """Counts of the capitalised words in one text, and of adjacent pairs."""

    def __init__(self, text: str) -> None:
        self._words = Counter(_capitalised(text))
        self._pairs = Counter(_pairs(text))

    def loose(self, text: str) -> tuple[LoosePair, ...]:
        """Return the loose pairs of a part of the text, sorted."""
        found = (self._assess(*pair) for pair in set(_pairs(text)))
        return tuple(sorted(pair for pair in found if pair is not None))

    def _assess(self, first: str, second: str) -> LoosePair | None:
        together = self._pairs[first, second]
        if not 0 < together <= self._words[second] - together:
            return None
        return LoosePair(first, second, together <= self._words[first] - together)


def _matches(text: str) -> Iterable[re.Match[str]]:
    return (found for found in _WORD.finditer(text) if not found[0].islower())


def _capitalised(text: str) -> Iterator[str]:
    return (found[0] for found in _matches(text))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    before: re.Match[str] | None = None
    for found in _matches(text):
        if before is not None and text[before.end() : found.start()] == " ":
            yield before[0], found[0]
        before = found
