"""Greetings: the words with which letters and mails begin, and the lines that are nothing else."""

import re
from typing import Final

GREETINGS: Final = frozenset({"dear", "hello", "hey", "hi"})
"""English words before the name of whoever is greeted."""
_BEFORE_A_NAME = "|".join(sorted(GREETINGS)) + (
    "|good (?:morning|afternoon|evening)|sehr geehrte[rs]?|geehrte[rs]?|liebe[rs]?|hallo|moin|guten (?:morgen|tag|abend)"
    "|chère?s?|bonjour|bonsoir|mesdames|messieurs|madame|monsieur"
)
_GREETED = r"(?!World\b)[^\W\d_a-z][\w.'\u2019-]*|all|everyone|everybody|both|colleagues|friends|team|there|and|alle|zusammen|und|tous|toutes|et"
_GREETING = re.compile(rf"(?i:{_BEFORE_A_NAME})(?:,? (?:{_GREETED}|(?i:{_BEFORE_A_NAME})\b)){{0,8}} ?[,!:.]")


def is_greeting(line: str) -> bool:
    """Return whether a line greets someone and says nothing else: ``Dear all,``, not ``Hello, World!`` of a program."""
    return _GREETING.fullmatch(line) is not None
