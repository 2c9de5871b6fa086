"""Normalisation of names: what makes two spellings the same name.

A name's *key* is its word tokens, case-folded and joined by single spaces; text is cut into the same tokens, so that a name occurs
in a text exactly where its key occurs as a run of tokens.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MAX_NAME_CHARACTERS = 256
MAX_KEY_TOKENS = 12

_WORD = re.compile(r"[^\W_]+")
# Signs that compatibility normalisation turns into letters (``™``, ``Ⓐ``, ``㎏``), and accents without a letter of their own: beside a
# word they are part of it.
_SIGN = "\u0300-\u036f\u2100-\u214f\u2460-\u24ff\u3200-\u33ff"
_HAS_SIGN = re.compile(f"[{_SIGN}]")
_WORD_WITH_SIGNS = re.compile(rf"(?:[^\W_]|[{_SIGN}])+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_DISAMBIGUATOR = re.compile(r"\s*\([^()]*\)\s*\Z")
_APOSTROPHES = "'\u2019\uff07"
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
# Single words that are capitalised in running text far more often for their place in the sentence than as a name.
_FUNCTION_WORDS = """
a an the this that these those he she it they we i you his her its their our my your him them us me who whom whose
which what where when why how there here is are was were be been being am do does did has have had will would can
could may might shall should must not no nor and or but if then else than as at by for from in into of off on onto
out over to up with about after before between during under again further once both each few more most other some
such only own same so too very just also however although though while since until because despite unlike like
following according born one two three four five six seven eight nine ten first second third new old many all any
every another several
"""
_NEVER_ALONE = frozenset(_FUNCTION_WORDS.split())


class Token(NamedTuple):
    """A word of a text: its folded form, whether it begins with a capital or digit, and its characters' offsets."""

    form: str
    capital: bool
    start: int
    end: int


def clean_name(name: str) -> str:
    """Return the name as people read it: NFKC, no control or bidirectional characters, single spaces, at most 256 characters."""
    text = _CONTROL.sub(" ", unicodedata.normalize("NFKC", name))
    return " ".join(text.split()).strip(_QUOTES + " ")[:MAX_NAME_CHARACTERS].strip()


@lru_cache(maxsize=512)  # a chunk is cut several times in a row: its names are sought, then the words around each
def tokens(text: str) -> tuple[Token, ...]:
    """Cut a text into word tokens; the ``s`` of a possessive is none.

    Offsets count characters of ``text`` as given. Forms are those of the text in NFKC, in which names are kept: ``8½`` is one word
    with two forms, which share its offsets.
    """
    pattern = _WORD_WITH_SIGNS if not text.isascii() and _HAS_SIGN.search(text) else _WORD
    found: list[Token] = []
    for match in pattern.finditer(text):
        word = match[0]
        start, end = match.span()
        if word in {"s", "S"} and start and text[start - 1] in _APOSTROPHES and found and found[-1].end == start - 1:
            continue
        if word.isascii():
            found.append(Token(word.lower(), not word[0].islower(), start, end))
        else:
            found += [Token(form, not word[0].islower(), start, end) for form in _forms(word)]
    return tuple(found)


def _forms(word: str) -> list[str]:
    # Twice: folding leaves letters in fancy type (U+1D400) as they are, and decomposing them brings capitals back.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    return _WORD.findall("".join(character for character in decomposed if not unicodedata.combining(character)))


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Return the name's key: its folded tokens, without a leading article; empty if it has no word."""
    forms = [token.form for token in tokens(clean_name(name))]
    if len(forms) > 1 and forms[0] in {"the", "a", "an"}:
        forms = forms[1:]
    return " ".join(forms[:MAX_KEY_TOKENS])


def without_disambiguator(title: str) -> str:
    """Return the title without a closing parenthesis that tells it from its namesakes: ``Lilu (mythology)`` is ``Lilu``."""
    return _DISAMBIGUATOR.sub("", title) or title


def title_keys(title: str) -> tuple[str, ...]:
    """Return the keys by which a text may call what a title names: the whole title, and the title without disambiguator."""
    keys = (normalize_name(title), normalize_name(without_disambiguator(title)))
    return tuple(dict.fromkeys(key for key in keys if key))


def linkable(key: str) -> bool:
    """Tell whether a key may be matched in text: single tokens must be neither function words, nor numbers, nor one character."""
    if " " in key:
        return True
    return len(key) > 1 and key not in _NEVER_ALONE and not key.isdigit()
