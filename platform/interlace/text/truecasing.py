"""Truecasing: which words a text normally writes in lower case, so that a capital says nothing about them (Lita et al. 2003, "tRuEcasIng").

Lower-case occurrences count outside options, paths and identifiers; capitalised ones only inside a sentence, because every word is
capitalised at its beginning. Singular and plural count together.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

_SMALL = re.compile(r"(?<![\w./@<$:`-])[a-z]{3,}(?![\w/@(=`-]|\.\w|:\w)")
_AMID = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?![\w-]|\.\w)")
_AMID_ANY = re.compile(r"(?<=[a-z,] )[A-Z]\w*[a-z]\w*(?![\w-]|\.\w)")
_TABLE = Path(__file__).with_name("case_counts.txt")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]{2,}\b")


def words_by_nature_small(text: str) -> frozenset[str]:
    """Return the stems of the words that a text writes in lower case more often than capitalised inside a sentence."""
    capital = Counter(map(_stem, _AMID.findall(text)))
    small = Counter(map(_stem, _SMALL.findall(text)))
    return frozenset(stem for stem, count in small.items() if count > capital[stem])


def count_cases(text: str) -> tuple[Counter[str], Counter[str]]:
    """Return how often a text has each stem in lower case, and with a capital inside a sentence, as in *GraphQL*."""
    return Counter(map(_stem, _SMALL.findall(text))), Counter(map(_stem, _AMID_ANY.findall(text)))


def typical_cases(word: str) -> tuple[int, int]:
    """Return how often technical prose has a word in lower case, and with a capital inside a sentence."""
    return _table().get(_stem(word), (0, 0))


@cache
def _table() -> dict[str, tuple[int, int]]:
    """Return the counts that ``ops/benchmarks/case_counts.py`` made from the documentation strings of Python packages."""
    lines = (line.split() for line in _TABLE.read_text(encoding="utf-8").splitlines())
    return {stem: (int(small), int(capital)) for stem, small, capital in lines}


def capitalised(text: str, small: frozenset[str]) -> tuple[str, ...]:
    """Return the capitalised words whose stems are normally lower case, sorted."""
    return tuple(sorted({word for word in _CAPITALISED.findall(text) if _stem(word) in small}))


def _stem(word: str) -> str:
    return word.lower().removesuffix("s")
