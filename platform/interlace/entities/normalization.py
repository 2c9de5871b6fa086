"""Normalisation of names: what makes two spellings the same name.

A name's *key* is its word tokens, case-folded and joined by single spaces; text is cut into the same tokens, so that a name occurs
in a text exactly where its key occurs as a run of tokens.
"""

import re
import unicodedata
from functools import lru_cache

from interlace.text.stop_words import ENTITY_STOP_WORDS
from interlace.text.tokenizer import tokens

MAX_NAME_CHARACTERS = 256
MAX_KEY_TOKENS = 12

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_DISAMBIGUATOR = re.compile(r"\s*\([^()]*\)\s*\Z")
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"


def clean_name(name: str) -> str:
    """Return the name as people read it: NFKC, no control or bidirectional characters, single spaces, at most 256 characters."""
    text = _CONTROL.sub(" ", unicodedata.normalize("NFKC", name))
    return " ".join(text.split()).strip(_QUOTES + " ")[:MAX_NAME_CHARACTERS].strip()


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
    return len(key) > 1 and key not in ENTITY_STOP_WORDS and not key.isdigit()
