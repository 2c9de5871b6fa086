"""Words that carry meaning: of a question, and around the mentions of a name; and when two words are akin."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from interlace.entities.normalization import tokens

Name = TypeVar("Name", bound=Hashable)

_STOP = frozenset(
    "a about after all also am an and any are as at be because been before being between both but by can could did do does doing "  # noqa: SIM905 - the words, not their quotes
    "done each either else ever every few for from further get give given had has have having he her here hers him his how i if in "
    "into is it its itself just let like many may me might mine more most much must my neither no nor not now of off on once one only "
    "or other our ours out over own per please same shall she should show since so some such tell than that the their theirs them "
    "then there these they this those through to too under until up upon us very was we were what whatever when where whether which "
    "while who whoever whom whose why will with within without would yes yet you your yours".split()
)
_AKIN_PREFIX = 6
_AKIN_ENDING = 2
_ONE_OFF_FROM = 4
_TWO_OFF_FROM = 8
_BEFORE = 8
_AFTER = 4


def content_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text less stop words, unique, in order of first appearance."""
    return tuple(dict.fromkeys(token.form for token in tokens(text) if token.form not in _STOP))


def akin(one: str, other: str) -> bool:
    """Tell whether two folded words share their stem: equal, or alike but for a short ending (``director``, ``directed``).

    The common beginning must have six letters and reach all but two letters of the shorter word.
    """
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter < _AKIN_PREFIX:
        return False
    needed = max(_AKIN_PREFIX, shorter - _AKIN_ENDING)
    return one[:needed] == other[:needed]


def letters_off(word: str) -> int:
    """Return how many letters a folded word may be off and still be meant: none for short words and numbers, two for long words."""
    if len(word) < _ONE_OFF_FROM or word.isdigit():
        return 0
    return 2 if len(word) >= _TWO_OFF_FROM else 1


def fuzzy_term(word: str) -> str:
    """Return the Lucene term that finds a folded word and, less sure, words as many letters off as it allows."""
    most = letters_off(word)
    return f"({word}^2 {word}~{most})" if most else word


def fuzzy_terms(words: Sequence[str], most: int) -> list[str]:
    """Return the Lucene terms of folded, unique words in their order, the ``most`` longest also as they are misspelt.

    A misspelt word becomes up to fifty words of the index in each field, and Lucene refuses searches of more than 1,024.
    """
    inexact = set(sorted(words, key=len, reverse=True)[:most])
    return [fuzzy_term(word) if word in inexact else word for word in words]


def words_near(text: str, spans: Mapping[Name, Sequence[tuple[int, int]]]) -> dict[Name, tuple[str, ...]]:
    """Return for each name the content words around its mentions: eight words before and four after; folded, sorted, unique.

    Args:
        text: the chunk's text.
        spans: name (any key) to start and end offsets of its mentions in the text.
    """
    words = tokens(text)
    starts = [word.start for word in words]
    found: dict[Name, tuple[str, ...]] = {}
    for name, mentions in spans.items():
        near: set[str] = set()
        for start, end in mentions:
            first, last = bisect_left(starts, start), bisect_left(starts, end)
            near.update(word.form for word in words[max(0, first - _BEFORE) : first])
            near.update(word.form for word in words[last : last + _AFTER])
        found[name] = tuple(sorted(near - _STOP))
    return found


class Asked:
    """The words of a question that are not names; remembers which words are akin to them."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(dict.fromkeys(words))
        self._akin: dict[str, frozenset[str]] = {}

    def share_near(self, near: Iterable[str]) -> float:
        """Return the share (0 to 1) of the asked words that have an akin word among ``near``; 0 if nothing is asked."""
        if not self._words:
            return 0.0
        found: set[str] = set()
        for word in near:
            found |= self._akin_to(word)
        return len(found) / len(self._words)

    def _akin_to(self, word: str) -> frozenset[str]:
        known = self._akin.get(word)
        if known is None:
            known = self._akin[word] = frozenset(asked for asked in self._words if akin(asked, word))
        return known
