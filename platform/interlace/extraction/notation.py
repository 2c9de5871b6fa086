"""Strings that a model takes for names and that are none: code, addresses, files, dates, numbers and exclamations."""

import re

from interlace.domain.extraction import DEGREES, HONORIFICS

_CODE = re.compile(
    r"[{}<>=\\_`|~^*]|\w#[a-z]|^[A-Z]{5,}\d{2,}$|::|->|\(\)|://|\d:\d\d:\d|www\.|\S@\S|\]\[|\b(?:Alt|Cmd|Ctrl)[-+](?:[A-Z\d]|F\d{1,2}|Enter|Tab|Esc|Del)\b|\bShift\+\w|^[A-Z]+\.in$"
)
_OPTION = re.compile(r"(?:^|\s)--?[A-Za-z]|^[$#@/.%]|[/(\[,;:-]$|[a-z]-\s")
_DOTTED = re.compile(r"^[a-z]\w*\.[\w.]*[A-Za-z]\w*|^[A-Z]\w+\.[a-z_]{5,}")
_PATH = re.compile(r"/\S*/|\w/\S*\.\w|^[a-z][\w.-]*/\S")
# Suffixes that always mark a file name; ``.js`` and ``.io`` also end product names.
_FILE = re.compile(
    r"\S\.(?:md|rst|txt|py|pyi|toml|json|jsonl|ya?ml|cfg|ini|conf|sh|html?|css|csv|tsv|xml|lock|log|pdf|docx?|pptx?|xlsx?|od[tps]|rtf|epub|zip|gz|whl|so|dll)$",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"[a-z]{2,}\d*(?:[A-Z]+[a-z0-9]+)+|(?:[A-Z][a-z]+)+(?:Error|Exception|Warning)")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+")
_TIME = re.compile(
    r"(?:(?:last|next)\s)?(?:(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?+|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)\.?+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|early|late|mid|of|the|to|and|[ap]\.?m\.?+|utc|gmt|[ivx]+ century|\d++(?:st|nd|rd|th|s)?|[\s,./:\u2013-])+",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[~≈<>≥≤±$€£+\u2212-]?\s?\d[\d.,:/\u2013-]*\s?(?:%|°\s?[CF]|[kKMGT]i?[bB]?|[a-zA-Zµ]{1,2}|Hz|GHz|MHz)?"
)
_SYMBOLS = """
% °C °F bar bps cm Da dB dL g GB GHz GW GWh h Hz K kB kDa kg kHz km kPa kV kW kWh L lb M mA mbar mg MHz min mL ml mm mM mol MPa mV MW mW MWh
ng nL nM nm oz Pa ppb ppm psi rpm TB V Wh µg µL µm µM µmol μg μL μm μM μmol
"""
_UNITS = frozenset(_SYMBOLS.split())
# The codes of ISO 4217 that are common; not those that are words or products in capitals, such as ALL, COP, PEN, PHP, RON, SAR, TOP and TRY.
_CODES = """
AED ARS AUD BGN BRL CAD CHF CLP CNY CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PKR PLN RSD SEK SGD THB
TWD UAH USD VND ZAR
"""
_CURRENCIES = frozenset(_CODES.split())
_CURRENCY = rf"(?:{'|'.join(sorted(_CURRENCIES))})"
_COUNT = r"\d[\d.,'\u2019]*(?: ?(?:k|m|M|bn|thousand|million|billion))?"
_SUM = re.compile(rf"{_CURRENCY} {_COUNT}|{_COUNT} {_CURRENCY}")
_NUMBERED = re.compile(
    r"(?:version|release|v|chapter|section|appendix|paragraph|figure|fig|table|page|step|line|example|item|question|option|day|week)"
    r"\.? v?\d[\w.:-]*|appendix [a-z]|HTTP \d{3}|[A-Z]{3,4}[+-][01]\d:?[0-5]0|[kKMGT]i?B|[kKMG](?:Hz|bps)|\d{4}-\d\d-\d\d.*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_HEXADECIMAL = re.compile(r"[0-9A-F]{4}(?: [0-9A-F]{4})+")
_ROMAN = re.compile(r"[IVX]+")
_EXCLAMATION = re.compile(
    r"(?:o+h*|a+[wh]+|h*m+|w+[oa]+w+|y+a+y+|u+[hm]+|a*h+a+(?:h+a+)*+h*|e+h+|y+u+m+|b+r+|p+h+e+w+|s+o{2,})",
    re.IGNORECASE,
)
# Words that open a dialogue turn and name nothing.
_SAID = """
absolutely agreed aha alright amen anyway awesome bravo btw bye cheers congrats congratulations cool damn dang dear definitely fyi
gimme god gonna goodbye gosh gotcha gotta great haha hello hey hi hooray howdy lemme lol nah nice nope oh ok okay omg oof oops ouch please
sorry sure thank thanks totally ttyl ugh wanna welcome well what whoa woah woo-hoo woohoo wow y'all ya yea yeah yep yes yikes yippee yo
yoohoo yup
"""
_EXCLAMATIONS = frozenset(_SAID.split())
_ABBREVIATIONS = frozenset(
    {"e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "n.b", "nb", "p.s", "ps", "fig", "no", "todo", "tbd", "n/a"}
)
_LITERALS = "True False None Null NULL TRUE FALSE NaN AND OR NOT DEBUG ERROR FATAL INFO WARN WARNING"  # of code, queries and logs
_CONSTANTS = frozenset(_LITERALS.split())


def is_notation(surface: str) -> bool:
    """Return whether a string is written like code, an address or a file, or like nothing that could be a name."""
    if _CODE.search(surface) or _OPTION.search(surface) or _DOTTED.match(surface) or _PATH.search(surface):
        return True
    return bool(_FILE.search(surface) or _CAMEL.fullmatch(surface.split(" ", maxsplit=1)[0])) or not _is_balanced(
        surface
    )


def is_value(surface: str) -> bool:
    """Return whether a string is a date, a time, a number with its unit or currency, a numbered part or version, an abbreviation or a title alone."""
    return (
        any(pattern.fullmatch(surface) for pattern in (_TIME, _NUMBER, _SUM, _NUMBERED, _HEXADECIMAL, _ROMAN))
        or surface in _CONSTANTS
        or surface.lower().rstrip(".") in _ABBREVIATIONS
        or _is_title(surface)
    )


def _is_title(surface: str) -> bool:
    """Return whether a string is titles of a person whose name is elsewhere: ``Prof. Dr.``; ``ING`` is a bank."""
    return not surface.isupper() and all(word in HONORIFICS | DEGREES for word in _WORD.findall(surface.lower()))


def is_unit(word: str, *, counted: bool = True) -> bool:
    """Return whether a word is a unit of measurement; ``counted`` says whether a number stands before it, without which ``M`` and ``Da`` may be names."""
    symbol = word.rstrip(".")
    return symbol in _UNITS and (counted or (len(symbol) > 1 and not symbol.istitle()))


def is_currency(word: str) -> bool:
    """Return whether a word is the code of a currency, such as ``EUR``; beside a number it is one, elsewhere it may be a name."""
    return word in _CURRENCIES


def is_exclamation(word: str) -> bool:
    """Return whether a word is an exclamation: ``Wow``, ``Hmm``, ``Thanks``."""
    return word.lower() in _EXCLAMATIONS or _EXCLAMATION.fullmatch(word) is not None


def humps(word: str) -> list[str]:
    """Return the words of a camel-case word: ``PoolManager`` has two."""
    return _HUMP.findall(word)


def _is_balanced(surface: str) -> bool:
    """Return whether brackets and double quotes are balanced; an unbalanced one marks a fragment of text."""
    pairs = (("(", ")"), ("[", "]"), ("\u201c", "\u201d"))
    return all(surface.count(left) == surface.count(right) for left, right in pairs) and surface.count('"') % 2 == 0
