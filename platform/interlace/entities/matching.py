"""How well a name answers to what was asked for: four signals, each 0 to 1, and the confidence that they add up to.

confidence = n + (1 - n) · 0.9 · Σ wₛ·s / Σ wₛ, where n is 1 for an entity's own name, 0.95 for an alias and 0 for anything else, and s runs
over fuzzy likeness, token overlap and, where embeddings take part, the vector. So what is merely alike stays below every alias, and an
alias below every name of one's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rapidfuzz import fuzz

SignalName: TypeAlias = Literal["name", "fuzzy", "tokens", "vector"]
Via: TypeAlias = Literal["exact", "alias", "words", "fuzzy"]

_EXACT = 1.0
_ALIAS = 0.95
_MOST_ALIKE = 0.9
_WEIGHTS: Mapping[SignalName, float] = {"fuzzy": 0.4, "tokens": 0.4, "vector": 0.2}
# Embedders of sentences give unrelated short names cosines of about a half; only what lies above says anything.
_UNRELATED = 0.5
# Recall counts so many times what precision does: who asks for a part of a name leaves the rest out on purpose.
_BETA = 2.0


@dataclass(frozen=True, slots=True)
class SignalPart:
    """What one signal says of a match.

    Args:
        value: 0 to 1; none where the signal did not look at this entity.
        weight: its share among the signals that take part; 1 for ``name``, which goes first.
        share: what it adds to the confidence; the shares of all signals sum up to it.
    """

    value: float | None
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a name answers: the confidence (0 to 1), the way, and every signal's part."""

    confidence: float
    via: Via
    signals: Mapping[SignalName, SignalPart]


def assess(key: str, own: str, keys: Sequence[str], *, cosine: float | None = None, vectors: bool = False) -> Likeness:
    """Return how well an entity answers to a name.

    Args:
        key: the key of the name that is asked for.
        own: the key of the entity's own name.
        keys: the keys of all its names.
        cosine: of the two names' embeddings; none if they were not compared.
        vectors: whether embeddings take part in this search; who was not compared then gets nothing for it.
    """
    known = [each for each in dict.fromkeys((own, *keys)) if each]
    name = _EXACT if key == own else _ALIAS if key in known else 0.0
    values: dict[SignalName, float | None] = {
        "fuzzy": max((_alike(key, each) for each in known), default=0.0),
        "tokens": max((overlap(key, each) for each in known), default=0.0),
        **({"vector": None if cosine is None else above_unrelated(cosine)} if vectors else {}),
    }
    total = sum(_WEIGHTS[signal] for signal in values)
    parts: dict[SignalName, SignalPart] = {"name": SignalPart(name, 1.0, name)}
    for signal, value in values.items():
        weight = _WEIGHTS[signal] / total
        parts[signal] = SignalPart(value, weight, (1 - name) * _MOST_ALIKE * weight * (value or 0.0))
    confidence = min(1.0, sum(part.share for part in parts.values()))
    return Likeness(confidence, _via(name, key, known), parts)


def overlap(key: str, other: str) -> float:
    """Return how much of the words of a key another holds, 0 to 1: the F-measure that counts recall twice."""
    wanted, held = set(key.split()), set(other.split())
    common = len(wanted & held)
    if not common:
        return 0.0
    recall, precision = common / len(wanted), common / len(held)
    return (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall)


def above_unrelated(cosine: float) -> float:
    """Return what a cosine says, 0 to 1: 0 up to that of unrelated names, 1 for the same direction."""
    return min(1.0, max(0.0, (cosine - _UNRELATED) / (1 - _UNRELATED)))


def _alike(key: str, other: str) -> float:
    """Return the likeness of spelling, whichever order the words are in: ``Lovelace, Ada`` is ``Ada Lovelace``."""
    return max(fuzz.ratio(key, other), fuzz.token_sort_ratio(key, other)) / 100


def _via(name: float, key: str, keys: Sequence[str]) -> Via:
    if name:
        return "exact" if name == _EXACT else "alias"
    wanted = set(key.split())
    return "words" if wanted and any(wanted <= set(each.split()) for each in keys) else "fuzzy"
