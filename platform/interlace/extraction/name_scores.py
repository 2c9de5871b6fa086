"""How likely it is that what a recogniser or tagger takes for a name in a technical text names nothing.

A logistic regression over what is known of a mention: how technical prose writes its words, what the dictionary and the document say about
them, and what stands around it. ``ops/benchmarks/junk.py`` fits it to names that were read in context.
"""

import math
from dataclasses import dataclass

from interlace.extraction.candidate_spans import PROPER_NOUN
from interlace.extraction.entity_spans import EntitySpan
from interlace.extraction.notation import humps
from interlace.extraction.surroundings import Surroundings
from interlace.ports.syntax import SyntaxDoc
from interlace.text.class_endings import packages_with_ending
from interlace.text.truecasing import typical_cases

THRESHOLD = 0.45
"""A mention is dropped if its probability of not being a name is at least this."""
BIAS = -2.23
WEIGHTS = {
    "kind": 0.09, "small_alone": 0.56, "small_first": 0.35, "small_last": 0.26, "first_known": -0.66,
    "last_unknown": 1.78, "strangers": -2.58, "small_here": 0.75, "coded": 2.95, "class": 3.77, "short": -1.47,
    "tagged": 0.42, "after_preposition": -1.01, "owner": -3.73, "after_capital": 0.44,
}  # fmt: skip
"""Fitted on 2026-11-26 to 1,162 names of nine collections, 199 of them junk (decisions 146 and 148)."""
_ACRONYM = 3  # characters of a short name
_SMOOTHING = 0.5
_FEW = 3  # packages
_PAIR = 2


@dataclass(frozen=True, slots=True)
class NameScores:
    """Scores the entities of one technical chunk."""

    doc: SyntaxDoc
    at: Surroundings

    def is_unlikely(self, span: EntitySpan) -> bool:
        """Return whether a mention is probably no name; what the document's title or an acronym in brackets stands for is one."""
        titled = all(word.casefold() in self.at.titles for word in span.mention.surface.split())
        if titled or self.at.defines_acronym(span.mention.end):
            return False
        total = BIAS + sum(WEIGHTS[name] * value for name, value in self.features(span).items())
        return 1 / (1 + math.exp(-total)) >= THRESHOLD

    def features(self, span: EntitySpan) -> dict[str, float]:
        """Return the features of a mention.

        - ``kind``: how common its last word is in lower case, as the logarithm of its count; 0 for an acronym.
        - ``small_alone``, ``small_first``, ``small_last``: how much more often the only, first or last word is in lower case than capitalised.
        - ``first_known``, ``last_unknown``: of several words, whether the dictionary has the first, and has not the last.
        - ``strangers``: two capitalised words that the dictionary does not have, as in a person's name.
        - ``small_here``: the document normally writes one of the words in lower case.
        - ``coded``: a camel-case word that the document also writes as code, and that ends in a word of the dictionary.
        - ``class``: a camel-case word that ends as classes in public code do, as the logarithm of in how many packages they do.
        - ``short``: of up to three characters.
        - ``tagged``: found by the tagger alone.
        - ``after_preposition``, ``owner``, ``after_capital``: what stands before or after it.
        """
        words = span.mention.surface.split()
        one = len(words) == 1
        known = [self.at.is_known(word) for word in words]
        before = self.doc[span.first - 1] if span.first else None
        after = self.doc[span.last].text if span.last < len(self.doc) else ""
        found = {
            "kind": 0.0 if _is_acronym(words[-1]) else math.log1p(typical_cases(words[-1])[0]),
            "small_alone": one * _tendency(words[0]),
            "small_first": (not one) * _tendency(words[0]),
            "small_last": (not one) * _tendency(words[-1]),
            "first_known": not one and known[0],
            "last_unknown": not one and (not known[-1] or _is_acronym(words[-1])),
            "strangers": len(words) == _PAIR and not any(known) and all(map(str.istitle, words)),
            "small_here": any(map(self.at.is_written_small, words)),
            "coded": one and words[0] in self.at.code and self._is_compound(words[0]),
            "class": _class_likeness(words[0]) if one else 0.0,
            "short": len(span.mention.surface) <= _ACRONYM,
            "tagged": span.mention.confidence == PROPER_NOUN,
            "after_preposition": before is not None and before.pos_ == "ADP",
            "owner": after in {"'s", "\u2019s"},
            "after_capital": before is not None and before.whitespace_ == " " and before.text[:1].isupper(),
        }
        return {name: float(value) for name, value in found.items()}

    def _is_compound(self, word: str) -> bool:
        parts = humps(word)
        return len(parts) > 1 and len(parts[-1]) > _ACRONYM and not word.isupper() and self.at.is_known(parts[-1])


def _tendency(word: str) -> float:
    """Return the logarithm of how many times more often a word is in lower case than capitalised; 0 for an acronym or an unknown word."""
    small, capital = (0, 0) if _is_acronym(word) else typical_cases(word)
    return math.log((small + _SMOOTHING) / (capital + _SMOOTHING))


def _class_likeness(word: str) -> float:
    parts = humps(word)
    if len(parts) < _PAIR or not word.isalnum() or len(parts[0]) < _ACRONYM or not parts[-1].istitle():
        return 0.0
    endings = (parts[-1], parts[-1].removesuffix("s"), parts[-1].removesuffix("es"))
    return math.log(max(_FEW, *map(packages_with_ending, endings)) / _FEW)


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()
