"""With which words public code ends the names of its classes: *StreamHandler* is probably a class, *CodeTriage* is not."""

from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_suffix(".txt")


def packages_with_ending(word: str) -> int:
    """Return in how many of 23 packages a class of several words ends with a word; 0 if in fewer than four."""
    return _table().get(word.lower(), 0)


@cache
def _table() -> dict[str, int]:
    """Return the counts that ``ops/benchmarks/class_endings.py`` made."""
    lines = (line.split() for line in _TABLE.read_text(encoding="utf-8").splitlines())
    return {word: int(count) for word, count in lines}
