"""Expected answer types: what kind of thing a question asks for, by its question words, and whether a sentence names one.

The coarse classes of Li and Roth, "Learning Question Classifiers" (2002), as far as the surface of a text shows them: a time, an amount of
money, a number, a name. Questions with ``why`` or ``what`` give no such cue. English, and the commonest words of German, French and Spanish.
"""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Literal

from interlace.text.chats import speakers
from interlace.text.line_marks import without_marks
from interlace.text.tokenizer import tokens

AnswerType = Literal["time", "money", "number", "name", "any"]

# A group is a word that says nothing else.
_CUES: Mapping[AnswerType, re.Pattern[str]] = {
    "time": re.compile(
        r"\b(?:when|wann|quand|cuándo|um wie\s?viel (?P<cue_de>uhr)|(?:à|a) quelle (?P<cue_fr>heure)|qué (?P<cue_es>hora)|(?:what|which)\s+(?:\w+\s+)?(?P<cue>(?<=what\s)time|year|date|day|month|century|decade)|how long ago)\b",
        re.IGNORECASE,
    ),
    "money": re.compile(
        r"\bhow\s+(?P<cue_en>expensive)\b|\bwie\s+(?P<cue_de>teuer)\b|\b(?:was|wie\s?viel)\s+(?P<cue_costs>kostet|kosten)\b|"
        r"\b(?:combien|cuánto)\s+(?P<cue_fr>coûte(?:nt)?|cuestan?|vale)\b|"
        # Neither ``how much does the cost centre …`` nor ``what is the cost function …`` asks for an amount.
        r"\bhow\s+much\s+(?:money\b|(?:\w+\W+){1,8}?(?<!\bthe\s)(?P<cue>cost)\b)|(?:\bwhat(?:['\u2019]s|\s+(?:is|are|was|were))\s+(?:\w+\s+){0,2}"
        r"(?:price|cost|rent|fee|salary)|\bwhat\s+(?:do|does|did|will|would)\s+(?:\w+\W+){1,8}?(?<!\bthe\s)cost)"
        r"(?=\s+(?:of|for|to|in|per|at|on|from)\b|\s*[^\w\s]|\s*$)",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\bhow\s+(?P<cue>many|much|old|long|far|tall|high|large|big|deep|often)\b|\bwie\s+(?:viele?|alt|lange?|weit|hoch|groß|oft)\b|"
        r"\bcombien\b|\bcuánt[oa]s?\b|\bwhat\s+(?:\w+\s+){0,3}(?:number|population|percentage|percent|age|height|length|size|rate|amount)\b",
        re.IGNORECASE,
    ),
    "name": re.compile(
        r"\b(?:who|whom|whose|where|wer|wem|wen|wo|quién(?:es)?|dónde)\b|^(?:qui|où)\b|\b(?:what|which)\s+(?:\w+\s+){0,3}(?:name|person|people|city|town|"
        r"village|country|county|state|province|region|place|river|lake|island|continent|company|organi[sz]ation|university|school|team|"
        r"band|film|movie|book|song|album|actor|actress|singer|director|author|writer|artist|president|king|queen|nationality|language|"
        r"party)\b",
        re.IGNORECASE,
    ),
}
_SEVERAL = re.compile(
    r"\b(?:which|what)\s+(?!(?:is|was|does|has|this|us|its|his|always|species|series|news)\b)\w+[^s\W]s\b|\bwho are\b|"
    r"\bwhat (?:\w+ )?(?:happen\w*|changed?)\b|\bwelche\s+\w+en\b|\bwer sind\b|\bwas\b.*\bpassiert\b|\bquel(?:le)?s\b|"
    r"\b(?:cuáles|quiénes|qué\s+\w+s)\b",
    re.IGNORECASE,
)
_SIGNS: Mapping[AnswerType, re.Pattern[str]] = {
    "time": re.compile(
        r"\b(?:1[0-9]|20)\d\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|"
        r"Wednesday|Thursday|Friday|Saturday|Sunday|yesterday|today|tomorrow|tonight|noon|midnight)\b|\b(?:last|next|this)\s+(?:week|"
        r"weekend|month|year|night|summer|winter|spring|autumn|fall)\b|\bago\b|\b\d{1,2}:\d\d\b|"
        r"\b\d{1,2}(?:\.\d\d)?\s?(?:(?i:[ap]\.?m)|Uhr|heures)\b|\b(?:Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Montag|Dienstag|"
        r"Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|"
        r"décembre|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
        r"septiembre|octubre|noviembre|diciembre|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b"
    ),
    "money": re.compile(
        r"[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|JPY|euros?|pounds?|pence|dollars?|cents?|francs?|kroner|kronor|yen|rupees?|free)\b|"
        r"\d\s?(?-i:[Kk]r|Kč|zł|Ft|Fr|Rs|INR|CAD|AUD|RUB|TRY)\b|\b(?-i:[Kk]r|Fr|Rs|INR|CAD|AUD|RUB|TRY)\.?\s?\d|"
        # ``Price: 31.50``, or a column of that name with numbers in the row below.
        r"\b(?:price|cost|fee|rent|salary)s?(?:\W+(?:\w+\W+){0,2}|[^\n|]*\|[^\n]*\n[^\n]*\|\s?)\d",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|"
        r"billion|once|twice|half|dozen|an?\s+(?:second|minute|hour|day|week|month|year))\b|"
        r"\bein(?:e[nmrs]?)?\s+(?:Sekunde|Minute|Stunde|Tage?s?|Woche|Monate?s?|Jahre?s?)\b",
        re.IGNORECASE,
    ),
}


def expected_type(question: str) -> AnswerType:
    """Return the type that the first question word asks for; ``any`` where the words do not say."""
    found = [(match.start(), kind) for kind, pattern in _CUES.items() if (match := pattern.search(question))]
    return min(found, key=itemgetter(0))[1] if found else "any"


def asks_for_several(question: str) -> bool:
    """Return whether the answer may be in several places: which *recommendations* …, *what happened* to …."""
    return bool(_SEVERAL.search(question))


def type_cue(question: str) -> str:
    """Return the word of a question that only says which type it asks for: how *high*, what *time*; empty without one."""
    pattern = _CUES.get(expected_type(question))
    match = pattern.search(question) if pattern else None
    return match[match.lastgroup] if match and match.lastgroup else ""


def names_type(kind: AnswerType, sentence: str, words: AbstractSet[str]) -> bool:
    """Return whether a sentence names something of a type that is not among the case-folded words of the question (``words``)."""
    if kind == "name":
        said_by = (sentence[start:end] for start, end in speakers(sentence))
        return bool(new_names(sentence, words)) or any(_is_new(name, words) for name in said_by)
    pattern = _SIGNS.get(kind)
    found = pattern.finditer(without_marks(sentence)) if pattern else ()
    return any(_is_new(match[0], words) for match in found)


def new_names(sentence: str, words: AbstractSet[str]) -> frozenset[str]:
    """Return the case-folded words with a capital or a digit, but the first one, that the question does not hold."""
    return frozenset(
        word.form for word in tokens(without_marks(sentence))[1:] if word.capital and word.form not in words
    )


def _is_new(sign: str, words: AbstractSet[str]) -> bool:
    forms = {word.form for word in tokens(sign)}
    return not forms or not forms <= words
