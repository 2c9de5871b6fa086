"""Similarity of words: common stems, the allowed edit distance of a misspelt word, and names that are spelled alike."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from rapidfuzz import fuzz

_PREFIX = 6
_ENDING = 2
_ONE_EDIT_FROM = 4
_TWO_EDITS_FROM = 8


def share_stem(one: str, other: str) -> bool:
    """Return whether two folded words are equal or differ only in a short ending (``director``, ``directed``).

    The common prefix must have six letters and cover all but two letters of the shorter word. Looser than a stemmer, which keeps
    ``director`` and ``directed`` apart.
    """
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter < _PREFIX:
        return False
    needed = max(_PREFIX, shorter - _ENDING)
    return one[:needed] == other[:needed]


def allowed_edits(word: str) -> int:
    """Return the edit distance allowed for a folded word: 0 for short words and numbers, 1, or 2 for long words.

    Lucene and Elasticsearch (``fuzziness: AUTO``) depend on the length in the same way.
    """
    if len(word) < _ONE_EDIT_FROM or word.isdigit():
        return 0
    return 2 if len(word) >= _TWO_EDITS_FROM else 1


def spelling_similarity(form: str, other: str) -> float:
    """Return how alike two normalised names are spelled, 0 to 1, whatever the order of the words: ``Lovelace, Ada`` is ``Ada Lovelace``."""
    return max(fuzz.ratio(form, other), fuzz.token_sort_ratio(form, other)) / 100


class StemOverlap:
    """Compares the words of a question with other words; caches which ones share a stem."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(dict.fromkeys(words))
        # Words that share a stem are equal or begin with the same letters, so that only a few need to be compared.
        self._beginnings: dict[str, list[str]] = {}
        for word in self._words:
            self._beginnings.setdefault(word[:_PREFIX], []).append(word)
        self._sharing: dict[str, frozenset[str]] = {}
        self._matching: set[str] = set()

    def recall(self, context: Iterable[str]) -> float:
        """Return the share (0 to 1) of the question's words that share a stem with a word of the context; 0 without words."""
        return len(self.shared(frozenset(context))) / len(self._words) if self._words else 0.0

    def sharing(self, word: str) -> frozenset[str]:
        """Return the question's words that share a stem with a word."""
        known = self._sharing.get(word)
        if known is None:
            near = self._beginnings.get(word[:_PREFIX], ())
            known = self._sharing[word] = frozenset(own for own in near if share_stem(own, word))
            self._matching.update([word] if known else ())
        return known

    def shared(self, words: AbstractSet[str]) -> frozenset[str]:
        """Return the question's words that share a stem with one of some words."""
        for word in frozenset(words).difference(self._sharing):
            self.sharing(word)
        # Few words of a text are like one of a question: the others are left out by one comparison of sets.
        return frozenset().union(*(self._sharing[word] for word in words & self._matching))
