"""Truecasing: which words a text normally writes in lower case, so that a capital says nothing about them (Lita et al. 2003, "tRuEcasIng").

Lower-case occurrences count outside options, paths and identifiers; capitalised ones only inside a sentence, because every word is
capitalised at its beginning. Singular and plural count together.
"""

import re
from collections import Counter

_SMALL = re.compile(r"(?<![\w./@<$:`-])[a-z]{3,}(?![\w/@(=`-]|\.\w|:\w)")
_AMID = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?![\w-]|\.\w)")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]{2,}\b")


def words_by_nature_small(text: str) -> frozenset[str]:
    """Return the stems of the words that a text writes in lower case more often than capitalised inside a sentence."""
    capital = Counter(map(_stem, _AMID.findall(text)))
    small = Counter(map(_stem, _SMALL.findall(text)))
    return frozenset(stem for stem, count in small.items() if count > capital[stem])


def capitalised(text: str, small: frozenset[str]) -> tuple[str, ...]:
    """Return the capitalised words whose stems are normally lower case, sorted."""
    return tuple(sorted({word for word in _CAPITALISED.findall(text) if _stem(word) in small}))


def _stem(word: str) -> str:
    return word.lower().removesuffix("s")
