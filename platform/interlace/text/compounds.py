"""What several words or digit groups are written together as: the words of ``maxRetryCount``, the number of ``10,000``.

The tokenizer reads the first as one word and the second as two. Who asks for the *max retry count*, or for *10000*, would find neither by its words.
"""

import re
from collections.abc import Callable

from interlace.text.tokenizer import terms, written_words

_HUMP = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]{3}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD = re.compile(r"(?<![^\W_])[A-Za-z][A-Za-z\d]+(?![^\W_])")
_SURNAME_PREFIXES = frozenset({"Mac", "Fitz"})
_WORDS_OF_A_NAME = 2
_LETTERS = 3  # at least, of a part: `iPhone`, `LaTeX` and `McDonald` have shorter ones
# Digits in groups of three, with one kind of separator: comma, full stop, apostrophe, or a space that does not break.
_GROUPED = re.compile("(?<![\\w.,])\\d{1,3}(?:([,.'\u2019\u00a0\u202f])\\d{3})(?:\\1\\d{3})*(?![\\w]|[.,]\\d)")


def words_within(text: str) -> list[str]:
    """Return the terms of the words that identifiers are made of, ``max``, ``retri`` and ``count`` for ``maxRetryCount``, in order and with repetitions.

    A word that begins with a capital may be a name. It counts only if it is of longer parts alone: ``ThreadPool``, but not ``McDonald`` or ``MacArthur``.
    """
    return terms(" ".join(part for word in written_words(text) for part in _parts(word) if len(part) >= _LETTERS))


def distinct_terms(text: str) -> frozenset[str]:
    """Return the terms of a text, among them those of the words that its identifiers are made of."""
    return frozenset((*terms(text), *words_within(text)))


def joined_numbers(text: str) -> list[str]:
    """Return the numbers that are written in groups of three digits, ``10000`` for ``10,000``, in order and with repetitions."""
    return [re.sub(r"\D", "", match[0]) for match in _GROUPED.finditer(text)]


def set_apart(text: str, is_known: Callable[[str], bool]) -> str:
    """Return the text with identifiers as their words, ``max Retry Count`` for ``maxRetryCount``.

    What is known as one word stays, and two words that begin with capitals: who asks for *github* means the name, written in lower case.
    """
    if not _HUMP.search(text):
        return text
    return _WORD.sub(lambda match: _apart(match[0], is_known), text)


def _apart(word: str, is_known: Callable[[str], bool]) -> str:
    parts = _parts(word)
    named = word[0].isupper() and len(parts) <= _WORDS_OF_A_NAME
    return word if not parts or named or is_known(word) else " ".join(parts)


def _parts(word: str) -> list[str]:
    """Return the parts of an identifier as they are written; none of a unit (``kWh``), of a surname or of another word."""
    parts = _PART.findall(word) if word.isascii() and _HUMP.search(word) else []
    if not parts or len(parts[0]) == 1:
        return []
    short = min(len(part) for part in parts if part.isalpha()) < _LETTERS
    is_name = word[0].isupper() and (len(parts) == 1 or short or parts[0] in _SURNAME_PREFIXES)
    return [] if is_name else parts
