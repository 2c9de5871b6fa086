"""The dictionary of all known names, and the longest match of them in a text.

Kept in step with the registry by single additions and removals. What it finds depends on the set of names alone, never on the
order in which they came.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interlace.entities.names import Token, linkable, tokens


@dataclass(frozen=True, slots=True)
class Match:
    """A known name in a text: its key, its entities (sorted ids) and the characters it covers."""

    key: str
    entities: tuple[str, ...]
    start: int
    end: int


class NameDictionary:
    """Maps keys to entities and finds keys in text.

    A key is looked up from each token on, longest first, among the lengths that keys beginning with that token have: a text of n
    tokens costs n small look-ups, however many names are known. A key of one token matches capitalised words only.
    """

    def __init__(self) -> None:
        self._entities: dict[str, set[str]] = {}
        self._keys: dict[str, tuple[str, ...]] = {}
        self._lengths: dict[str, dict[int, int]] = {}

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
            parts = key.split(" ")
            lengths = self._lengths.setdefault(parts[0], {})
            lengths[len(parts)] = lengths.get(len(parts), 0) + 1
        holders.add(entity)

    def _remove(self, key: str, entity: str) -> None:
        holders = self._entities[key]
        holders.discard(entity)
        if holders:
            return
        del self._entities[key]
        parts = key.split(" ")
        lengths = self._lengths[parts[0]]
        lengths[len(parts)] -= 1
        if not lengths[len(parts)]:
            del lengths[len(parts)]
        if not lengths:
            del self._lengths[parts[0]]

    def find(self, text: str) -> list[Match]:
        """Return the longest known names in the text, left to right, not overlapping."""
        return list(self._scan(tokens(text)))

    def _scan(self, words: Sequence[Token]) -> Iterator[Match]:
        at = 0
        while at < len(words):
            length = self._longest_at(words, at)
            if length:
                key = " ".join(word.form for word in words[at : at + length])
                yield Match(key, self.entities_of(key), words[at].start, words[at + length - 1].end)
            at += length or 1

    def _longest_at(self, words: Sequence[Token], at: int) -> int:
        lengths = self._lengths.get(words[at].form)
        if not lengths:
            return 0
        for length in sorted(lengths, reverse=True):
            if at + length > len(words) or (length == 1 and not words[at].capital):
                continue
            if " ".join(word.form for word in words[at : at + length]) in self._entities:
                return length
        return 0
