"""The language of a text: by its script, and among languages in Latin letters by their function words.

Function words identify a language well from about twenty words on and cost one pass over a sample (Grefenstette, "Comparing two language
identification schemes", 1995). No model is loaded, and the same text has the same language in every process. English is never ruled out on a guess:
another language is returned only if its function words clearly outnumber the English ones.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from interlace.text.function_words import FUNCTION_WORDS
from interlace.text.stop_words import QUESTION_STOP_WORDS

ENGLISH: Final = "en"
STEMMERS: Mapping[str, str] = MappingProxyType(
    {
        "ar": "arabic", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "es": "spanish", "fi": "finnish", "fr": "french",
        "hi": "hindi", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
        "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
    }
)  # fmt: skip
"""ISO 639-1 code to the Snowball stemmer of each language other than English."""

IN_LATIN_LETTERS: Final = tuple(language for language in STEMMERS if language not in {"ar", "el", "hi", "ru"})
_SAMPLE = 2_000
_SAMPLES = 3
_MIN_FUNCTION_WORDS = 3  # different function words: one or two may be part of a name (``El Camino de Santiago``)
_SHARE = 0.1  # of the words: function words make up a third to a half of running text
_LONGER_SHARE = 0.2  # of the function words, those of several letters: code and tables are full of single ones
_LEAD = 1.5  # over the English ones, which include ``in``, ``was`` and ``die``
_LETTERS = re.compile(r"[^\W\d_]+")
# Words of running text, not parts of paths, addresses, names and numbers (``/usr/share/man``, ``c.s.gateway``, ``U.S.``). A single letter stands alone or
# has an apostrophe (``l'eau``).
_WORDS = re.compile(
    r"(?<![\w/.@=\\#&%+~])[^\W\d_]{2,}(?![\w/@=\\%+~]|[.:][\w/])"
    r"|(?<![^\s'\u2019(\xab\u201e\u201c\"])[^\W\d_](?![^\s'\u2019),;:!?\xbb\u201c\u201d\"])"
)
_KANA = re.compile("[\u3041-\u30ff]")
_SCRIPTS = (
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3041-\u30ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
# Letters that one language has and the most common one of the script does not.
_OTHERS = {
    "ru": (("uk", re.compile("[іїєґ]")), ("sr", re.compile("[ђјљњћџ]"))),
    "ar": (("fa", re.compile("[\u067e\u0686\u06af]")),),
}
_JAPANESE_KANA = 0.05  # of the characters: Chinese text has kana only in names
_HALF = 0.5


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language; empty if unclear, as in lists of names, numbers and code."""
    sample = _sampled(text)
    if script := language_by_script(sample):
        return script
    words = _words(sample)
    hits = _hits(words)
    most = max(hits.values(), default=0)
    leading = [language for language in hits if hits[language] == most]
    if len(leading) != 1 or most < _SHARE * sum(words.values()):
        return ""
    (best,) = leading
    if best != ENGLISH and hits[best] <= _LEAD * hits[ENGLISH]:
        return ""
    found = [word for word in words if best in _LANGUAGES_OF.get(word, ())]
    longer = sum(words[word] for word in found if len(word) > 1)
    return best if len(found) >= _MIN_FUNCTION_WORDS and longer >= _LONGER_SHARE * most else ""


def question_languages(text: str) -> tuple[str, ...]:
    """Return the languages other than English that a question may be in: those with the most function words in it; without any, all in Latin letters.

    A question is too short to be sure of one. Empty if English has the most.
    """
    if script := language_by_script(text):
        return (script,) if script in STEMMERS else ()
    hits = _hits(_words(text))
    if not hits:
        return IN_LATIN_LETTERS
    most = max(hits.values())
    if hits[ENGLISH] == most and not any(hits[language] == most for language in STEMMERS):
        return ()
    return tuple(language for language in STEMMERS if hits[language] == most)


def function_words(language: str) -> frozenset[str]:
    """Return the function words of a language other than English; empty if it has no list."""
    return FUNCTION_WORDS.get(language, frozenset())


def language_by_script(text: str) -> str:
    """Return the language given by the script of most letters; empty if most are Latin."""
    if text.isascii():
        return ""
    letters = sum(map(len, _LETTERS.findall(text)))
    for language, script in _SCRIPTS:
        own = len(script.findall(text))
        if not own or own < letters * _HALF:
            continue
        if language == "zh":
            return "ja" if len(_KANA.findall(text)) > own * _JAPANESE_KANA else "zh"
        return next((other for other, pattern in _OTHERS.get(language, ()) if pattern.search(text.lower())), language)
    return ""


def declared_language(value: object) -> str:
    """Return the code of a declared language (``de``, ``de-AT``, ``de_DE``); empty if it is not one."""
    code = value.strip().lower().replace("_", "-").partition("-")[0] if isinstance(value, str) else ""
    return code if len(code) == len(ENGLISH) and code.isascii() and code.isalpha() else ""


def _sampled(text: str) -> str:
    """Return a long text's beginning, middle and end."""
    if len(text) <= _SAMPLE * _SAMPLES:
        return text
    starts = [place * (len(text) - _SAMPLE) // (_SAMPLES - 1) for place in range(_SAMPLES)]
    return "\n".join(text[start : start + _SAMPLE] for start in starts)


def _words(text: str) -> Counter[str]:
    return Counter(unicodedata.normalize("NFC", word.casefold()) for word in _WORDS.findall(text))


def _hits(words: Counter[str]) -> Counter[str]:
    """Return how many words of a text are function words of each language; languages without any are missing."""
    found: Counter[str] = Counter()
    for word in words:
        for language in _LANGUAGES_OF.get(word, ()):
            found[language] += words[word]
    return found


def _languages_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language, words in (*FUNCTION_WORDS.items(), (ENGLISH, QUESTION_STOP_WORDS)):
        for word in words:
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


_LANGUAGES_OF: Final = _languages_of()
