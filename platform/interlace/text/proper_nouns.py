"""Words that WordNet knows as a name, alone or beside other senses: *Hull*, *Rotterdam*, *Wren*; not *freezer*.

The table is derived from WordNet 3.0, Copyright 2006 by Princeton University, whose licence stands beside it (``proper_nouns.license``).
"""

from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_suffix(".txt")


def is_proper_noun(word: str) -> bool:
    """Return whether a noun of WordNet is the word with a capital."""
    return word.lower() in _table()


@cache
def _table() -> frozenset[str]:
    """Return the words that ``ops/benchmarks/proper_nouns.py`` found."""
    return frozenset(_TABLE.read_text(encoding="utf-8").split())
