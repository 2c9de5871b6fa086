"""Evidence: the multiset of reasons why an entity exists, and what follows from it.

An entity's name and type are functions of its evidence alone, its aliases and normalised forms of that and of the names that decisions
give it. Evidence is added with a text and subtracted with it, so that after a deletion an entity is what it would be if the text had never been ingested.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from interlace.entities.normalization import clean_name, normalize_name, title_forms

STRICT: Final = "strict"
"""Source of what a language model says under a strict schema: its types replace those that others recognised."""
AGREED: Final = "agreed"
"""Source of an entity that a language model names in a chunk that already names it: one more mention, but no further chunk."""
_MODEL = frozenset({"llm", STRICT, AGREED})
_RECOGNISED = frozenset({"ner", "short", "acronym", "llm"})
"""Sources that guess; an author's title, alias, link or declaration is not a guess."""
_SEPARATOR = "\t"


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """One piece of evidence.

    Args:
        source: ``ner``, ``title``, ``alias``, ``link``, ``declared``, ``short``, ``acronym``, ``llm``, ``strict`` for a language
            model under a strict schema, or ``agreed``, which accompanies one of these.
        type: type of the entity, according to the source.
        surface: the surface form.
        origin: id of the entity that it would be evidence for if a decision did not say otherwise; empty where none does.
    """

    source: str
    type: str
    surface: str
    origin: str = ""

    def encode(self) -> str:
        """Return the evidence as one line of text."""
        parts = (self.source, self.type, self.surface, self.origin)
        return _SEPARATOR.join(parts if self.origin else parts[:-1])

    @property
    def keys(self) -> tuple[str, ...]:
        """The normalised forms by which a text may name the entity, according to the source; empty where the name has no word."""
        return title_forms(self.surface) if self.source == "title" else (normalize_name(self.surface),)

    @staticmethod
    def decode(line: str) -> "Evidence":
        """Decode a line."""
        source, kind, surface, *origin = line.split(_SEPARATOR)
        return Evidence(source, kind, surface, *origin)


@dataclass(frozen=True, slots=True)
class EntityState:
    """What follows from an entity's evidence.

    Args:
        name: the most frequent spelling; titles outweigh spellings found in text.
        type: the most frequent type of the ontology; ``Other`` if none is known. Where a language model read under a strict schema,
            what recognisers guessed does not count.
        aliases: the other spellings, sorted.
        keys: the normalised forms that link to it, sorted.
        confidence: share of the evidence that agrees with the type, 0 to 1.
        agreed: mentions by a language model in chunks that name the entity without it.
        guessed: whether only a language model names it.
    """

    name: str
    type: str
    aliases: tuple[str, ...]
    keys: tuple[str, ...]
    confidence: float
    agreed: int = 0
    guessed: bool = False


def encode(evidence: Mapping[Evidence, int]) -> list[str]:
    """Return the multiset as sorted lines ``source, type, surface, [origin,] count``: the form kept on the node."""
    return [f"{item.encode()}{_SEPARATOR}{count}" for item, count in sorted(evidence.items()) if count > 0]


def decode(lines: Iterable[str]) -> Counter[Evidence]:
    """Decode a multiset from its lines."""
    found: Counter[Evidence] = Counter()
    for line in lines:
        reason, count = line.rsplit(_SEPARATOR, 1)
        found[Evidence.decode(reason)] += int(count)
    return found


def decided(evidence: Mapping[Evidence, int], origin: str, entity_id: str) -> Counter[Evidence]:
    """Return an origin's evidence as counted by the entity that decisions map it to: with the origin, unless the two are the same."""
    if origin == entity_id:
        return Counter(evidence)
    return Counter({replace(item, origin=origin): count for item, count in evidence.items()})


def describe(evidence: Mapping[Evidence, int], decided: Iterable[str] = ()) -> EntityState:
    """Derive name, type, aliases and normalised forms.

    Args:
        evidence: the evidence, which must not be empty.
        decided: normalised forms that decisions give the entity; those that no text has are aliases as they are.
    """
    spellings = _spellings(evidence)
    name = _most(spellings)
    kinds = _kinds(evidence)
    kind = _most(kinds) if kinds else "Other"
    known = sum(kinds.values())
    keys = {key for item in evidence for key in item.keys}
    further = set(decided) - keys
    return EntityState(
        name=name,
        type=kind,
        aliases=tuple(sorted({*spellings, *further} - {name})),
        keys=tuple(sorted(key for key in keys | further if key)),
        confidence=round(kinds[kind] / known, 4) if known else 0.5,
        agreed=sum(count for item, count in evidence.items() if item.source == AGREED),
        guessed=all(item.source in _MODEL for item in evidence),
    )


def _kinds(evidence: Mapping[Evidence, int]) -> Counter[str]:
    """Count the types that decide. Under a strict schema ``Other`` is an answer as well: none of the schema's types."""
    passed_over = _RECOGNISED if any(item.source == STRICT for item in evidence) else frozenset()
    kinds: Counter[str] = Counter()
    for item, count in evidence.items():
        if item.type and item.type != "Other" and item.source not in passed_over:
            kinds[item.type] += count
    return kinds


def _spellings(evidence: Mapping[Evidence, int]) -> Counter[str]:
    # A title is how the author of a whole document spells the name, a declaration how its file does; no alias and no short form becomes the
    # name. What agrees is counted by its other source.
    weights = {"title": 1000, "declared": 1000, "alias": 0, "acronym": 0, "short": 0, AGREED: 0}
    counted: Counter[str] = Counter()
    for item, count in evidence.items():
        counted[clean_name(item.surface)] += count * weights.get(item.source, 1)
    return counted


def _most(counted: Counter[str]) -> str:
    return min(counted, key=lambda value: (-counted[value], value))
