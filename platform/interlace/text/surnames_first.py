"""Names of people as directories list them, with the surname first: ``Keller, Maria``."""

import re
from typing import Final

from interlace.domain.extraction import LEGAL_FORMS, PARTICLES

_WORD: Final = r"[^\W\d_a-z][\w'\u2019-]+"
_LISTED = re.compile(
    rf"(?:(?i:{'|'.join(sorted(PARTICLES))}) ){{0,2}}{_WORD}, {_WORD}(?: [^\W\d_a-z][\w'\u2019.-]*){{0,2}}"
)  # also of others: a company's (``Acme, Inc.``)
_CAPITALS = re.compile(r"[A-Z]{2,}")
_AFTER_NAMES = LEGAL_FORMS | {"bros", "brothers", "jr", "llp", "partner", "partners", "phd", "sons", "sr"}


def is_listed(name: str) -> bool:
    """Return whether a name is written like one with the surname first."""
    return _LISTED.fullmatch(name) is not None


def surname_last(name: str) -> str:
    """Return ``Maria Keller`` for ``Keller, Maria``; any other name, such as ``Acme, Inc.`` and ``Ada Byron, MD``, as it is."""
    if not is_listed(name):
        return name
    surname, first = name.split(", ")
    words = first.replace(".", "").split()
    if _CAPITALS.fullmatch(words[0]) and not surname.isupper():
        return name
    return name if _AFTER_NAMES.intersection(map(str.casefold, words)) else f"{first} {surname}"
