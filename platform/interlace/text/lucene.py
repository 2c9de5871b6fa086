"""Lucene's query language, as far as searches of the full-text indexes use it."""

from collections.abc import Sequence

from interlace.text.similarity import allowed_edits


def fuzzy_term(word: str) -> str:
    """Return the Lucene term that finds a folded word and, less sure, words as many edits away as it allows."""
    most = allowed_edits(word)
    return f"({word}^2 {word}~{most})" if most else word


def fuzzy_terms(words: Sequence[str], most: int) -> list[str]:
    """Return the Lucene terms of folded, unique words in their order, the ``most`` longest also as they are misspelt.

    A misspelt word becomes up to fifty words of the index in each field, and Lucene refuses searches of more than 1,024.
    """
    inexact = set(sorted(words, key=len, reverse=True)[:most])
    return [fuzzy_term(word) if word in inexact else word for word in words]
