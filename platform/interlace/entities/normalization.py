"""Normalisation of names: what makes two spellings the same name.

The *normalised form* of a name is its word tokens in the case-folded view, joined by single spaces; text is tokenized in the same way, so a
name occurs in a text exactly where its normalised form occurs as a run of tokens. The graph keeps normalised forms as ``key`` and ``keys``.
"""

import re
import unicodedata
from functools import lru_cache

from interlace.domain.hits import MAX_NAME_CHARACTERS
from interlace.text.stop_words import ARTICLES, ENTITY_STOP_WORDS
from interlace.text.tokenizer import tokens

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_DISAMBIGUATOR = re.compile(r"\s*\([^()]*\)\s*\Z")
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"


def clean_name(name: str) -> str:
    """Return the name for display: NFKC, no control or bidirectional characters, single spaces, at most 256 characters."""
    text = _CONTROL.sub(" ", unicodedata.normalize("NFKC", name))
    return " ".join(text.split()).strip(_QUOTES + " ")[:MAX_NAME_CHARACTERS].strip()


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Return the normalised form of a name: its case-folded tokens, without a leading article; empty if it has no word.

    All of them, because titles of minutes, judgments or papers may differ in their last words alone.
    """
    return normalize_text(clean_name(name))


@lru_cache(maxsize=1 << 12)
def normalize_text(text: str) -> str:
    """Return the case-folded tokens of a text of any length as the normalised form of a name has them."""
    forms = [token.form for token in tokens(text)]
    if len(forms) > 1 and forms[0] in ARTICLES:
        forms = forms[1:]
    return " ".join(forms)


def without_disambiguator(title: str) -> str:
    """Return the title without a parenthesis at its end that disambiguates it: ``Lilu (mythology)`` is ``Lilu``."""
    return _DISAMBIGUATOR.sub("", title) or title


def title_forms(title: str) -> tuple[str, ...]:
    """Return the normalised forms by which a text may name what a title names: the title, whole and without disambiguator."""
    forms = (normalize_name(title), normalize_name(without_disambiguator(title)))
    return tuple(dict.fromkeys(form for form in forms if form))


def may_match(form: str) -> bool:
    """Return whether a normalised form may be matched in text: a single token must be no function word, number or letter."""
    if " " in form:
        return True
    return len(form) > 1 and form not in ENTITY_STOP_WORDS and not form.isdigit()
