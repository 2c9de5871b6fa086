"""Expected answer types: what kind of thing a question asks for, by its question words, and whether a sentence names one.

The coarse classes of Li and Roth, "Learning Question Classifiers" (2002), as far as the surface of a text shows them: a time, a number, a
name. Questions with ``why`` or ``what`` give no such cue.
"""

import re
from collections.abc import Set as AbstractSet
from typing import Literal

from interlace.text.tokenizer import tokens

AnswerType = Literal["time", "number", "name", "any"]

_TIME = re.compile(
    r"\b(?:when|(?:what|which|in what|in which)\s+(?:\w+\s+)?(?:year|date|day|month|century|decade)|how long ago)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow\s+(?:many|much|old|long|far|tall|high|large|big|deep|often)\b|\bwhat\s+(?:\w+\s+){0,3}(?:number|population|percentage|percent|"
    r"age|height|length|size|rate|price|cost|amount)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:who|whom|whose|where)\b|\b(?:what|which)\s+(?:\w+\s+){0,3}(?:name|person|people|city|town|village|country|county|state|"
    r"province|region|place|river|lake|island|continent|company|organi[sz]ation|university|school|team|band|film|movie|book|song|album|"
    r"actor|actress|singer|director|author|writer|artist|president|king|queen|nationality|language|party)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:1[0-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|"
    r"Wednesday|Thursday|Friday|Saturday|Sunday|yesterday|today|tomorrow|tonight)\b|\b(?:last|next|this)\s+(?:week|weekend|month|year|"
    r"night|summer|winter|spring|autumn|fall)\b|\bago\b"
)
_COUNTED = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|"
    r"once|twice|half|dozen)\b",
    re.IGNORECASE,
)


def expected_type(question: str) -> AnswerType:
    """Return the type that a question asks for; ``any`` where its words do not say."""
    if _TIME.search(question):
        return "time"
    if _NUMBER.search(question):
        return "number"
    return "name" if _NAME.search(question) else "any"


def names_type(kind: AnswerType, sentence: str, asked: AbstractSet[str]) -> bool:
    """Return whether a sentence names something of a type that is not among the case-folded words of the question (``asked``)."""
    if kind == "time":
        return any(match[0].lower() not in asked for match in _DATED.finditer(sentence))
    if kind == "number":
        return any(match[0].lower() not in asked for match in _COUNTED.finditer(sentence))
    return bool(new_names(sentence, asked))


def new_names(sentence: str, asked: AbstractSet[str]) -> frozenset[str]:
    """Return the case-folded words with a capital or a digit, but the first one, that the question does not hold."""
    return frozenset(word.form for word in tokens(sentence)[1:] if word.capital and word.form not in asked)
