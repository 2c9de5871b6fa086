"""Entity matching: the score of a name against an entity, from four signals, each 0 to 1.

confidence = n + (1 - n) · 0.9 · Σ wₛ·s / Σ wₛ, where n is 1 for an entity's own name, 0.95 for an alias and 0 for anything else, and s runs
over the similarity of spelling, the token overlap and, where embeddings take part, the vector. So what is merely similar stays below
every alias, and an alias below the entity's own name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from interlace.text.similarity import spelling_similarity

SignalName: TypeAlias = Literal["name", "fuzzy", "tokens", "vector"]
Via: TypeAlias = Literal["exact", "alias", "words", "fuzzy", "meaning"]

_EXACT = 1.0
_ALIAS = 0.95
_MAX_SIMILAR = 0.9
_WEIGHTS: Mapping[SignalName, float] = {"fuzzy": 0.4, "tokens": 0.4, "vector": 0.2}
# Sentence embedders give unrelated short names cosines of about a half; only what lies above is evidence.
_UNRELATED = 0.5
# Recall counts twice as much as precision: a caller who asks for part of a name leaves the rest out on purpose.
_BETA = 2.0


@dataclass(frozen=True, slots=True)
class SignalPart:
    """The contribution of one signal to a match.

    Args:
        value: 0 to 1; none where the signal did not compare this entity.
        weight: its weight among the signals that take part; 1 for ``name``, which takes precedence.
        share: what it adds to the confidence; the shares of all signals add up to it.
    """

    value: float | None
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a name against an entity: the confidence (0 to 1), how they match, and each signal's part."""

    confidence: float
    via: Via
    signals: Mapping[SignalName, SignalPart]


def score_match(
    form: str, own: str, forms: Sequence[str], *, cosine: float | None = None, vectors: bool = False
) -> MatchScore:
    """Return how well a name matches an entity.

    Args:
        form: normalised form of the name that is asked for.
        own: normalised form of the entity's own name.
        forms: the normalised forms of its name and aliases.
        cosine: of the two names' embeddings; none if they were not compared.
        vectors: whether embeddings take part in this search; an entity that was not compared then gets nothing for them.
    """
    known = [each for each in dict.fromkeys((own, *forms)) if each]
    name = _EXACT if form == own else _ALIAS if form in known else 0.0
    values: dict[SignalName, float | None] = {
        "fuzzy": max((spelling_similarity(form, each) for each in known), default=0.0),
        "tokens": max((overlap(form, each) for each in known), default=0.0),
        **({"vector": None if cosine is None else above_unrelated(cosine)} if vectors else {}),
    }
    total = sum(_WEIGHTS[signal] for signal in values)
    parts: dict[SignalName, SignalPart] = {"name": SignalPart(name, 1.0, name)}
    for signal, value in values.items():
        weight = _WEIGHTS[signal] / total
        parts[signal] = SignalPart(value, weight, (1 - name) * _MAX_SIMILAR * weight * (value or 0.0))
    confidence = min(1.0, sum(part.share for part in parts.values()))
    return MatchScore(confidence, _via(name, form, known), parts)


def overlap(form: str, other: str) -> float:
    """Return the overlap of the words of two normalised forms, 0 to 1: F₂, the F-measure that weighs recall twice (van Rijsbergen 1979)."""
    wanted, found = set(form.split()), set(other.split())
    common = len(wanted & found)
    if not common:
        return 0.0
    recall, precision = common / len(wanted), common / len(found)
    return (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall)


def above_unrelated(cosine: float) -> float:
    """Rescale a cosine to 0 to 1: 0 up to that of unrelated names, 1 for the same direction."""
    return min(1.0, max(0.0, (cosine - _UNRELATED) / (1 - _UNRELATED)))


def _via(name: float, form: str, forms: Sequence[str]) -> Via:
    if name:
        return "exact" if name == _EXACT else "alias"
    wanted = set(form.split())
    return "words" if wanted and any(wanted <= set(each.split()) for each in forms) else "fuzzy"
