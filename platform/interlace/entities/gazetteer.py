"""The gazetteer: a dictionary of the normalised forms of all entities, and leftmost-longest matching of them in a text.

It is updated by single additions and removals. What it finds depends only on the set of forms, never on the order in which they were added.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from interlace.entities.normalization import may_match
from interlace.text.tokenizer import Token, tokens

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Match:
    """A known alias in a text: its normalised form (``key``), its entities (sorted ids) and its offsets."""

    key: str
    entities: tuple[str, ...]
    start: int
    end: int


class Gazetteer:
    """Maps normalised forms to entities and finds them in text.

    At each token the longest form wins: first three tokens or more, in the lengths of the forms that begin with the same two tokens,
    then two, then one. A text of n tokens costs n small look-ups, however many forms are known. A form of one token matches
    capitalised words only.
    """

    def __init__(self) -> None:
        self._entities: dict[str, set[str]] = {}
        self._forms: dict[str, tuple[str, ...]] = {}
        # First two tokens of longer forms to the lengths of these forms, and how many forms have each length.
        self._longer: dict[str, dict[int, int]] = {}

    def __len__(self) -> int:
        """Return the number of normalised forms."""
        return len(self._entities)

    def __contains__(self, form: str) -> bool:
        """Return whether some entity has the normalised form."""
        return form in self._entities

    def entities_of(self, form: str) -> tuple[str, ...]:
        """Return the sorted ids of the entities with a normalised form."""
        return tuple(sorted(self._entities.get(form, ())))

    def forms_of(self, entity_id: str) -> tuple[str, ...]:
        """Return the normalised forms of an entity."""
        return self._forms.get(entity_id, ())

    def assign(self, entity_id: str, forms: Iterable[str]) -> None:
        """Give an entity exactly these normalised forms; none removes it."""
        for form in self._forms.pop(entity_id, ()):
            self._remove(form, entity_id)
        wanted = tuple(sorted({form for form in forms if may_match(form)}))
        if wanted:
            self._forms[entity_id] = wanted
        for form in wanted:
            self._add(form, entity_id)

    def _add(self, form: str, entity_id: str) -> None:
        holders = self._entities.setdefault(form, set())
        if not holders:
            beginning, length = _beginning(form)
            if length > _PAIR:
                lengths = self._longer.setdefault(beginning, {})
                lengths[length] = lengths.get(length, 0) + 1
        holders.add(entity_id)

    def _remove(self, form: str, entity_id: str) -> None:
        holders = self._entities[form]
        holders.discard(entity_id)
        if holders:
            return
        del self._entities[form]
        beginning, length = _beginning(form)
        if length <= _PAIR:
            return
        lengths = self._longer[beginning]
        lengths[length] -= 1
        if not lengths[length]:
            del lengths[length]
        if not lengths:
            del self._longer[beginning]

    def find(self, text: str, without: AbstractSet[str] = frozenset()) -> list[Match]:
        """Return the longest known aliases in the text, left to right, not overlapping; those of some entities (ids) may be left out."""
        return list(self._scan(tokens(text), without))

    def _scan(self, words: Sequence[Token], without: AbstractSet[str]) -> Iterator[Match]:
        end = 0
        for at, word in enumerate(words):
            if at < end:
                continue
            if form := next((form for form in self._at(words, at) if not self._entities[form] <= without), ""):
                end = at + form.count(" ") + 1
                entities = tuple(each for each in self.entities_of(form) if each not in without)
                yield Match(form, entities, word.start, words[end - 1].end)

    def forms_in(self, text: str) -> set[str]:
        """Return all known aliases in the text, whether or not they overlap."""
        words = tokens(text)
        return {form for at in range(len(words)) for form in self._at(words, at)}

    def _at(self, words: Sequence[Token], at: int) -> Iterator[str]:
        """Yield the forms that begin at a token, longest first."""
        word = words[at]
        if at + 1 < len(words):
            pair = f"{word.form} {words[at + 1].form}"
            if longer := self._longer.get(pair):
                for length in sorted(longer, reverse=True):
                    form = " ".join([each.form for each in words[at : at + length]])
                    if at + length <= len(words) and form in self._entities:
                        yield form
            if pair in self._entities:
                yield pair
        if word.capital and word.form in self._entities:
            yield word.form


def _beginning(form: str) -> tuple[str, int]:
    """Return the first two tokens of a form and how many it has."""
    parts = form.split(" ")
    return " ".join(parts[:_PAIR]), len(parts)
