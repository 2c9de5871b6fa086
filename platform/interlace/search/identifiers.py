"""Identifiers in a question, such as ``maxAttempts``, ``idem_key``, ``40P01``, ``K-2024-11`` or ``KA 37-3``: chunks that hold them gain.

Who types an identifier wants the text that has it. BM25 knows that it is rare, but in a small corpus two ordinary words are worth as much, and an
embedding model hardly knows it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from interlace.ports.vectors import SparseVector
from interlace.text.bm25 import term_id
from interlace.text.tokenizer import terms

_PART = r"[\w.-]*"
_ORDINAL = r"\d+(?:st|nd|rd|th|s)\b"
_IDENTIFIER = re.compile(
    rf"(?<![\w.-])(?:[A-Z]{{2,5}} \d{_PART}|{_PART}[a-z][A-Z]{_PART}|{_PART}\w_\w{_PART}|(?!{_ORDINAL})(?={_PART}\d)(?={_PART}[^\W\d]){_PART})(?!\w)"
)


def identifiers(question: str, linked: Iterable[tuple[int, int]] = ()) -> list[frozenset[int]]:
    """Return the term ids of each identifier: a word with a capital or an underscore within, with letters and digits, but no ordinal or decade, or capitals and a number.

    ``linked`` is where the question names entities, as offsets. Of a name of three words and more (``FIFA U-20 Golden Shoe``) none is an
    identifier by itself.
    """
    names = [(start, end) for start, end in linked if question.count(" ", start, end) > 1]
    found = (
        frozenset(map(term_id, terms(each[0])))
        for each in _IDENTIFIER.finditer(question)
        if not any(start <= each.start() and each.end() <= end for start, end in names)
    )
    return [each for each in found if each]


def shares_held(names: Sequence[frozenset[int]], known: Mapping[str, SparseVector]) -> dict[str, float]:
    """Return candidate to the share of the identifiers, 0 to 1, whose BM25 terms it has all; those without any are missing."""
    if not names:
        return {}
    held = {each: sum(name.issubset(vector.indices) for name in names) / len(names) for each, vector in known.items()}
    return {each: share for each, share in held.items() if share}
