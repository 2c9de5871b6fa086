"""The tokenizer: the words of a text with their offsets, in a folded view for entity linking and a stemmed view for retrieval.

Both views read the same runs of letters and digits, and a letter with the signs of ``C++`` or ``C#``. They differ in what makes two words equal:
a normalised form keeps endings, because ``Lang`` and ``Langs`` are two names; a term loses them (Porter2, the English stemmer of Snowball:
https://snowballstem.org), because a search for ``directors`` should also find ``director``. Chinese and Japanese are written without spaces: a
normalised form has each of their characters as a word, so that a name is found within a longer run, and terms are bigrams of neighbours, as in
Lucene's ``CJKAnalyzer``; so are those of Korean, whose particles are attached to words
(https://lucene.apache.org/core/9_0_0/analysis/common/org/apache/lucene/analysis/cjk/CJKBigramFilter.html).
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from interlace.text.languages import STEMMERS, detect_language, function_words
from interlace.text.stop_words import QUESTION_STOP_WORDS, TERM_STOP_WORDS

_MAX_CHARACTERS = (
    64  # characters of a word that a term keeps: anything longer is a digest or a blob, distinguished by its beginning
)
_IDEOGRAPH = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"
# The signs, with all characters that compatibility normalisation turns into them.
_PLUS = "+\u207a\u208a\ufb29\ufe62\uff0b"
_SHARP = "#\ufe5f\uff03"


def _pattern(more: str = "") -> re.Pattern[str]:
    """Return the pattern of runs of letters, digits and ``more``, where a single letter has the signs that tell ``C++``, ``C#`` and ``C`` apart."""
    one, letter = rf"[^\W_]{more}", rf"[^\W\d_{_IDEOGRAPH}]{more}"
    # Not those of ``a+b``; a version may follow ``C++``.
    signs = rf"(?:[{_PLUS}]{{2}}(?![^\W\d_]{more}|[{_PLUS}{_SHARP}])|[{_PLUS}{_SHARP}](?!{one}|[{_PLUS}{_SHARP}]))"
    return re.compile(f"(?:{one})+(?:(?<=(?<!{one})(?:{letter})){signs})?")


_WORD = _pattern()
# Symbols that compatibility normalisation turns into letters (``™``, ``Ⓐ``, ``㎏``), and combining accents: next to a
# word they are part of it.
_SIGN = "\u0300-\u036f\u2100-\u214f\u2460-\u24ff\u3200-\u33ff"
_HAS_SIGN = re.compile(f"[{_SIGN}]")
_WORD_WITH_SIGNS = _pattern(f"|[{_SIGN}]")
_HAS_IDEOGRAPH = re.compile(f"[{_IDEOGRAPH}]")
_CHARACTER = re.compile(f"[{_IDEOGRAPH}]|[^{_IDEOGRAPH}]+")
_PAIRED = f"{_IDEOGRAPH}\uac00-\ud7a3"
_IS_PAIRED = re.compile(f"[{_PAIRED}]")
_SEGMENT = re.compile(rf"[{_PAIRED}]+|(?:(?![{_PAIRED}])[^\W_][\u0300-\u036f]*)+[{_PLUS}{_SHARP}]*")
_PAIR = 2
_ACCENT = re.compile("[\u0300-\u036f]+")
_POSSESSIVE = frozenset({"s", "S"})
_APOSTROPHES = frozenset("'\u2019\uff07")
_STEMMER_LOCK = threading.Lock()  # a stemmer keeps the current word as state


class Token(NamedTuple):
    """A word in the folded view: its form, whether it begins with a capital or a digit, and its offsets in the text."""

    form: str
    capital: bool
    start: int
    end: int


class Stem(NamedTuple):
    """A word in the stemmed view: its term, its offsets in the text, and whether it is a stop word."""

    term: str
    start: int
    end: int
    stop: bool


@lru_cache(maxsize=512)  # a chunk is tokenized several times in succession: to find entities, then the context of each
def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text in the folded view.

    Offsets count characters of ``text`` as given. Forms are those of the text in NFKC, as entities are stored: ``8½`` is one word
    with two forms, which share its offsets.
    """
    found: list[Token] = []
    for run in _runs(text):
        word = run[0]
        start, end = run.span()
        if word.isascii():
            found.append(Token(word.lower(), not word[0].islower(), start, end))
        elif _HAS_IDEOGRAPH.search(word):
            found += _characters(word, start)
        else:
            found += [Token(form, not word[0].islower(), start, end) for form in _forms(word)]
    return tuple(found)


def stems(text: str) -> Iterator[Stem]:
    """Yield the words of a text in the stemmed view, stop words included."""
    for run in _runs(text):
        for word, at in _words(run[0]):
            start = run.start() + at
            term, stop = _term(word)
            yield Stem(term, start, start + len(word), stop)


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, with repetitions and without stop words."""
    found = (_term(word) for run in _runs(text) for word, _ in _words(run[0]))
    return [term for term, stop in found if not stop]


def written_words(text: str) -> Iterator[str]:
    """Yield the words that terms are made of, as written in the text."""
    return (word for run in _runs(text) for word, _ in _words(run[0]))


def terms_in(text: str, language: str) -> list[str]:
    """Return the terms of a text in a language other than English, in order, with repetitions and without its function words.

    Each word gives two, its English term and ``language:stem``, or the first alone where the language (ISO 639-1) has no stemmer: the first
    matches names in a question in any language, the second matches inflected forms, and never a text in another language.
    """
    found: list[str] = []
    for word in written_words(text):
        term, stop = _term(word)
        stem = stem_in(word, language)
        found += [] if stop or stem is None else [term]
        found += [stem] if stem else []
    return found


def content_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text without stop words, each once, in order of first appearance."""
    left_out = QUESTION_STOP_WORDS | plain_function_words(detect_language(text))
    return tuple(dict.fromkeys(token.form for token in tokens(text) if token.form not in left_out))


@cache
def plain_function_words(language: str) -> frozenset[str]:
    """Return the function words of a language other than English, folded; empty if it has no list."""
    return frozenset(map(fold_case, function_words(language)))


def fold_case(text: str) -> str:
    """Return the text without case, compatibility forms and Latin accents (other scripts keep their marks)."""
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", plain.casefold())


def _runs(text: str) -> Iterator[re.Match[str]]:
    """Yield runs of letters and digits, except the ``s`` of a possessive."""
    pattern = _WORD_WITH_SIGNS if not text.isascii() and _HAS_SIGN.search(text) else _WORD
    last = -1
    for match in pattern.finditer(text):
        # Markup may close between a name and its apostrophe: ``_Hamlet_'s``.
        if match[0] in _POSSESSIVE and last >= 0 and text[last : match.start()].lstrip("_") in _APOSTROPHES:
            continue
        yield match
        last = match.end()


def _words(run: str) -> Sequence[tuple[str, int]]:
    """Return the words of a run with their offsets: in ASCII it is one word, elsewhere punctuation separates words, and neighbours form pairs."""
    if run.isascii():
        return ((run, 0),)
    found: list[tuple[str, int]] = []
    for match in _SEGMENT.finditer(run):
        word, start = match[0], match.start()
        if _IS_PAIRED.match(word):
            found += [(word[at : at + _PAIR], start + at) for at in range(max(1, len(word) - 1))]
        else:
            found.append((word, start))
    return found


def _characters(run: str, start: int) -> Iterator[Token]:
    """Yield each ideograph and kana of a run as a token, and the text between them as words."""
    for match in _CHARACTER.finditer(run):
        word = match[0]
        for form in _forms(word):
            yield Token(form, not word[0].islower(), start + match.start(), start + match.end())


def _forms(word: str) -> list[str]:
    # Twice: folding leaves letters in fancy type (U+1D400) as they are, and decomposing them brings capitals back.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    plain = "".join(character for character in decomposed if not unicodedata.combining(character))
    return [form for found in _WORD.findall(plain) for form in _CHARACTER.findall(found)]


@cache
def _stemmer(algorithm: str) -> Any:
    # Imported when first used: the package loads the stemmers of all languages, which would slow down every command.
    import snowballstemmer

    return snowballstemmer.stemmer(algorithm)


@lru_cache(maxsize=1 << 17)
def _term(surface: str) -> tuple[str, bool]:
    """Return the term of a word as written, and whether it is a stop word."""
    folded = fold_case(surface[:_MAX_CHARACTERS])
    if folded in TERM_STOP_WORDS:
        return folded, True
    with _STEMMER_LOCK:
        return str(_stemmer("english").stemWord(folded)), False


@lru_cache(maxsize=1 << 16)
def stem_in(surface: str, language: str) -> str | None:
    """Return ``language:stem`` of a word as written; empty if the language has no stemmer, None for its function words.

    The stemmer reads the word with its accents, which its rules need; the stem is folded, because accents are often left out.
    """
    word = unicodedata.normalize("NFC", surface[:_MAX_CHARACTERS].casefold())
    if word in function_words(language):
        return None
    if language not in STEMMERS:
        return ""
    with _STEMMER_LOCK:
        return f"{language}:{fold_case(_stemmer(STEMMERS[language]).stemWord(word))}"
