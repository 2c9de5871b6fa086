"""Words and their BM25 weights: the sparse vectors of the keyword leg, and the terms that questions and names are compared by.

The index multiplies by inverse document frequency (Qdrant's IDF modifier), so a vector holds only what its own text says:
nothing about other texts, and the same text gives the same vector in every process.
"""

import hashlib
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

K1 = 0.9
B = 0.4
AVERAGE_TERMS = (
    60.0  # terms in a chunk of 100 words, of which four in ten are stop words; a constant, see ``chunk_terms``
)

_LONGEST = 64  # characters of a word that count: beyond that it is a digest or a blob, and its beginning tells it apart

SparseTerms = tuple[tuple[int, ...], tuple[float, ...]]

_COMMON = """
a an and are as at be but by did do does for from had has have he her his how i if in into is it its no not of on or she such that
the their then there these they this to was were what when where which who whom whose why will with
"""
_STOP_WORDS = frozenset(_COMMON.split())
# A possessive ending is no word of its own. Ideographs and kana are written without spaces: each is a word.
_WORD = re.compile(
    r"(?<=\w)['\u2019]s\b"
    r"|(?P<word>[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_][\u0300-\u036f]*)+)",
    re.IGNORECASE,
)
_ACCENT = re.compile("[\u0300-\u036f]+")
_STEMMER = snowballstemmer.stemmer("english")
_STEMMER_LOCK = threading.Lock()  # a stemmer keeps the word it works on in itself


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Args:
        term: what it is compared by: case, accents and English endings removed.
        start: offset of its first character.
        end: offset after the last character.
        stop: whether it is too common to tell texts apart.
    """

    term: str
    start: int
    end: int
    stop: bool


def fold(text: str) -> str:
    """Return the text without case, compatibility forms and Latin accents (other scripts keep their marks)."""
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare.casefold())


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text in order, stop words included; punctuation and possessive endings are passed over."""
    for match in _WORD.finditer(text):
        surface = match["word"]
        if surface:
            term, stop = _term(surface)
            yield Word(term, match.start(), match.end(), stop)


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, with repetitions and without stop words."""
    found = (_term(surface) for match in _WORD.finditer(text) if (surface := match["word"]))
    return [term for term, stop in found if not stop]


@lru_cache(maxsize=1 << 17)
def term_id(term: str) -> int:
    """Return the number of a term in sparse vectors: 32 bits of its BLAKE2b, the same in every process."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")


def chunk_terms(text: str) -> SparseTerms:
    """Return ascending term ids and BM25 weights of a chunk, to be indexed under the IDF modifier.

    The weight is tf·(k1+1) / (tf + k1·(1-b+b·length/average)) after Robertson and Zaragoza, "The Probabilistic Relevance
    Framework" (2009), section 3.4. The average length is a constant instead of the corpus's, so that a chunk's vector
    never has to change because another chunk came or went.

    Args:
        text: title and headings, then the chunk.
    """
    counts = Counter(terms(text))
    norm = K1 * (1 - B + B * counts.total() / AVERAGE_TERMS)
    return _sparse({term: count * (K1 + 1) / (count + norm) for term, count in counts.items()})


def query_terms(text: str) -> SparseTerms:
    """Return ascending term ids of a question, each distinct term with weight 1; empty where it holds only stop words."""
    return _sparse(dict.fromkeys(terms(text), 1.0))


def _sparse(weights: dict[str, float]) -> SparseTerms:
    """Number the terms; two that share a number (about once in four billion pairs) add their weights."""
    numbered: dict[int, float] = {}
    for term in sorted(weights):
        number = term_id(term)
        numbered[number] = numbered.get(number, 0.0) + weights[term]
    return tuple(sorted(numbered)), tuple(numbered[number] for number in sorted(numbered))


@lru_cache(maxsize=1 << 17)
def _term(surface: str) -> tuple[str, bool]:
    """Return the term of a word as written, and whether it is a stop word."""
    folded = fold(surface[:_LONGEST])
    if folded in _STOP_WORDS:
        return folded, True
    with _STEMMER_LOCK:
        return str(_STEMMER.stemWord(folded)), False
