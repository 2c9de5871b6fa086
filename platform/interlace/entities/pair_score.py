"""How likely two entities are the same: explained signals, each 0 to 1, and a score made of them.

score = name · type · (1 - ½ · together · (1 - spelling)) + 0.1 · (1 - name) · neighbours, where name is the strongest of what their spellings say. People have
no acronyms, and one of two letters says less than longer ones. The weights are chosen by hand;
``docs/decisions-about-entities.md`` has the precision by band of score that a labelled set shows.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from interlace.domain.extraction import HONORIFICS, LEGAL_FORMS, PARTICLES
from interlace.text.similarity import spelling_similarity

PairSignal: TypeAlias = Literal[
    "shortened", "acronym", "initials", "words", "spelling", "type", "neighbours", "together"
]
# Shorter lists than these hold while texts are read, where *kg* is a unit.
_SUFFIXES: Final = LEGAL_FORMS | {"jr", "kg", "sr", "ug"}
_REGISTERED: Final = " e v"
"""*e. V.*, the suffix of an association."""
_TITLES: Final = HONORIFICS | {"frau", "herr", "sir", "st"}
_ONE_MEANING: Final = {
    "corporation": "corp", "frau": "mrs", "herr": "mr", "incorporated": "inc", "limited": "ltd", "ms": "mrs", "sir": "mr",
}  # fmt: skip
"""Other words for suffixes and titles that tell two names apart."""
_TELLING: Final = _SUFFIXES - {"co", "company"} | {"frau", "herr", "mr", "mrs", "ms", "sir"}
_ROMAN: Final = {
    "x" * tens + ones: str(10 * tens + value)
    for tens in range(3)
    for value, ones in enumerate(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
}
# Not in *Michael*, *Manuela*, *Joe*, *Rodriguez* and *Boeing*: *Michal*, *Jo* and *Boing* are other names. Umlauts stand before *u* (*Häusler*).
_UMLAUT: Final = re.compile(r"([aou])e(?!(l[as]?)?\b|z\b|[aeioy])")
SMALL_WORDS: Final = PARTICLES | {"and", "for", "in", "of", "the"}
"""Words of a name that give no letter to its acronym."""
_STRENGTH: Final[Mapping[str, float]] = {
    "shortened": 0.95, "acronym": 0.8, "initials": 0.85, "words": 0.6, "spelling": 0.9,
}  # fmt: skip
# Spellings less similar than this are no more alike than those of any two names.
_ALIKE = 0.75
_OTHER_TYPE = 0.6
_UNKNOWN_TYPE = 0.95
_TWO_LETTERS = 0.65


@dataclass(frozen=True, slots=True)
class PairScore:
    """A score, 0 to 1, and the signals that it is made of."""

    score: float
    signals: Mapping[PairSignal, float]


def without_affixes(form: str) -> str:
    """Return a normalised form without titles, particles and legal suffixes; the form itself if nothing else is in it."""
    words = form.removesuffix(_REGISTERED).split()
    kept = [word for word in words if word not in PARTICLES | _SUFFIXES | _TITLES]
    return " ".join(kept) or form


def acronym_of(form: str) -> str:
    """Return the first letters of a form of two words and more, without particles; empty for one word."""
    words = [word for word in form.split() if word not in SMALL_WORDS]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def score_pair(
    one: Iterable[str],
    other: Iterable[str],
    *,
    types: tuple[str, str] = ("Other", "Other"),
    neighbours: float = 0.0,
    together: float = 0.0,
) -> PairScore:
    """Compare two entities.

    Args:
        one: normalised forms of the first.
        other: normalised forms of the second.
        types: of both; ``Other`` where none is known.
        neighbours: share of the neighbours of the smaller one that both have.
        together: share of the first one's chunks that name both: names that appear together mostly mean two things.
    """
    signals: dict[PairSignal, float] = {}
    sides = (tuple(one), tuple(other))
    for form in sides[0]:
        for each in sides[1]:
            for name, value in _compare(form, each).items():
                signals[name] = max(value, signals.get(name, 0.0))
    if any(kind == "Person" and any(" " in form for form in forms) for kind, forms in zip(types, sides, strict=True)):
        signals["acronym"] = 0.0
    strongest = max((_STRENGTH[name] * value for name, value in signals.items()), default=0.0)
    unknown = "Other" in types
    signals["type"] = 1.0 if types[0] == types[1] and not unknown else _UNKNOWN_TYPE if unknown else _OTHER_TYPE
    signals |= {"neighbours": neighbours, "together": together}
    # Spelling decides; names that appear together count against a match unless they are spelled alike, as a title and its mention are.
    # Common neighbours make up for a little of what the spelling leaves open.
    against = together * (1 - signals.get("spelling", 0.0))
    score = strongest * signals["type"] * (1 - against / 2) + 0.1 * (1 - strongest) * neighbours
    return PairScore(round(score, 4), {name: round(value, 4) for name, value in signals.items()})


def _compare(form: str, other: str) -> dict[PairSignal, float]:
    short, others = _without_umlauts(without_affixes(form)), _without_umlauts(without_affixes(other))
    alike = max(spelling_similarity(form, other), spelling_similarity(_without_umlauts(form), _without_umlauts(other)))
    # A number tells members of a series apart, however alike the rest is.
    numbers = _numbers(short, others) != _numbers(others, short)
    # Words count only where one form holds all of the other's: *Lang* in *Fritz Lang*, but not *Fritz Lang* and *Helen Lang*.
    words, rest = set(short.split()), set(others.split())
    contained = len(words & rest) / max(len(words | rest), 1) if words <= rest or rest <= words else 0.0
    return {
        "shortened": float(short == others and not _contradict(form, other)),
        "acronym": _acronym(form, other),
        "initials": float(_initials_agree(short, others)),
        "words": 0.0 if numbers else contained,
        "spelling": 0.0 if numbers else max(0.0, (alike - _ALIKE) / (1 - _ALIKE)),
    }


def _without_umlauts(form: str) -> str:
    """Return a form with *ae*, *oe* and *ue* as the letters that *ä*, *ö* and *ü* have become: ``krueger`` is ``kruger``."""
    return _UMLAUT.sub(r"\1", form)


def _acronym(form: str, other: str) -> float:
    letters = {acronym_of(other)} & {form} | {acronym_of(form)} & {other}
    return max((1.0 if len(each) > 2 else _TWO_LETTERS for each in letters), default=0.0)  # noqa: PLR2004


def _contradict(form: str, other: str) -> bool:
    """Return whether both have a suffix or a title and they contradict each other: *GmbH* and *AG*, *Jr* and *Sr*, *Mr* and *Mrs*."""
    one, two = ({_ONE_MEANING.get(word, word) for word in each.split() if word in _TELLING} for each in (form, other))
    return bool(one) and bool(two) and one.isdisjoint(two)


def _numbers(form: str, other: str) -> list[str]:
    """Return the numbers in a form that the other one does not spell alike, sorted.

    Roman ones count up to 29, not as first word (*Xi Jinping*), and of one letter only beside another number (*Malcolm X*, *Malcolm*).
    """
    shared, numbered = set(other.split()), any(map(str.isdigit, "".join(_in_digits(other))))
    words = zip(form.split(), _in_digits(form), strict=True)
    counted = (number for word, number in words if word not in shared and (numbered or len(word) > 1 or word == number))
    return sorted(number for number in counted if any(map(str.isdigit, number)))


def _in_digits(form: str) -> list[str]:
    return [_ROMAN.get(word, word) if at else word for at, word in enumerate(form.split())]


def _initials_agree(form: str, other: str) -> bool:
    """Return whether both end in one word, and the words before it agree in order, an initial at least among them: ``j smith``, ``john smith``.

    Words after the first may be missing on one side: ``j r r tolkien``, ``john tolkien``.
    """
    *first, last = form.split()
    *second, name = other.split()
    few, many = sorted((first, second), key=len)
    if last != name or not few or first == second or all(len(word) > 1 for word in (*first, *second)):
        return False
    rest = iter(many[1:])
    return _agree(few[0], many[0]) and all(any(_agree(word, each) for each in rest) for word in few[1:])


def _agree(one: str, other: str) -> bool:
    return one == other or (1 in (len(one), len(other)) and one[0] == other[0])
