"""The dictionary of all known names, and the longest match of them in a text.

Kept in step with the registry by single additions and removals. What it finds depends on the set of names alone, never on the
order in which they came.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interlace.entities.normalization import linkable
from interlace.text.tokenizer import Token, tokens

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Match:
    """A known name in a text: its key, its entities (sorted ids) and the characters it covers."""

    key: str
    entities: tuple[str, ...]
    start: int
    end: int


class Gazetteer:
    """Maps keys to entities and finds keys in text.

    From each token on, the longest key wins: of three tokens and more among the lengths that keys beginning with these two tokens have,
    then of two, then of one. A text of n tokens costs n small look-ups, however many names are known. A key of one token matches
    capitalised words only.
    """

    def __init__(self) -> None:
        self._entities: dict[str, set[str]] = {}
        self._keys: dict[str, tuple[str, ...]] = {}
        # By the first two tokens of keys that have more: their lengths, and how many have each.
        self._longer: dict[str, dict[int, int]] = {}

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._entities)

    def __contains__(self, key: str) -> bool:
        """Tell whether some entity answers to the key."""
        return key in self._entities

    def entities_of(self, key: str) -> tuple[str, ...]:
        """Return the sorted ids of the entities that answer to the key."""
        return tuple(sorted(self._entities.get(key, ())))

    def keys_of(self, entity: str) -> tuple[str, ...]:
        """Return the keys an entity answers to."""
        return self._keys.get(entity, ())

    def assign(self, entity: str, keys: Iterable[str]) -> None:
        """Let an entity answer to exactly these keys; none removes it."""
        for key in self._keys.pop(entity, ()):
            self._remove(key, entity)
        wanted = tuple(sorted({key for key in keys if linkable(key)}))
        if wanted:
            self._keys[entity] = wanted
        for key in wanted:
            self._add(key, entity)

    def _add(self, key: str, entity: str) -> None:
        holders = self._entities.setdefault(key, set())
        if not holders:
            beginning, length = _beginning(key)
            if length > _PAIR:
                lengths = self._longer.setdefault(beginning, {})
                lengths[length] = lengths.get(length, 0) + 1
        holders.add(entity)

    def _remove(self, key: str, entity: str) -> None:
        holders = self._entities[key]
        holders.discard(entity)
        if holders:
            return
        del self._entities[key]
        beginning, length = _beginning(key)
        if length <= _PAIR:
            return
        lengths = self._longer[beginning]
        lengths[length] -= 1
        if not lengths[length]:
            del lengths[length]
        if not lengths:
            del self._longer[beginning]

    def find(self, text: str) -> list[Match]:
        """Return the longest known names in the text, left to right, not overlapping."""
        return list(self._scan(tokens(text)))

    def _scan(self, words: Sequence[Token]) -> Iterator[Match]:
        end = 0
        for at, word in enumerate(words):
            if at >= end and (key := self._longest_at(words, at)):
                end = at + key.count(" ") + 1
                yield Match(key, self.entities_of(key), word.start, words[end - 1].end)

    def _longest_at(self, words: Sequence[Token], at: int) -> str:
        word = words[at]
        if at + 1 < len(words):
            pair = f"{word.form} {words[at + 1].form}"
            if longer := self._longer.get(pair):
                for length in sorted(longer, reverse=True):
                    key = " ".join([each.form for each in words[at : at + length]])
                    if at + length <= len(words) and key in self._entities:
                        return key
            if pair in self._entities:
                return pair
        return word.form if word.capital and word.form in self._entities else ""


def _beginning(key: str) -> tuple[str, int]:
    """Return the first two tokens of a key and how many it has."""
    parts = key.split(" ")
    return " ".join(parts[:_PAIR]), len(parts)
