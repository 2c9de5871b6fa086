"""BM25 as sparse vectors: the terms of a chunk with their weights, and those of a question.

The index multiplies by inverse document frequency (Qdrant's IDF modifier), so a vector depends only on its own text,
and the same text gives the same vector in every process.
"""

import hashlib
from collections import Counter
from functools import lru_cache
from itertools import chain

from interlace.text.compounds import joined_numbers, words_within
from interlace.text.languages import ENGLISH, STEMMERS, detect_language, question_languages
from interlace.text.stop_words import MODAL_VERBS
from interlace.text.tokenizer import stem_in, terms, terms_in, tokens, written_words

K1 = 0.9
B = 0.4
AVERAGE_TERMS = 60.0
"""Terms in a chunk of 100 words, of which four in ten are stop words; a constant, see ``chunk_terms``."""

SparseTerms = tuple[tuple[int, ...], tuple[float, ...]]


@lru_cache(maxsize=1 << 17)
def term_id(term: str) -> int:
    """Return the number of a term in sparse vectors: 32 bits of its BLAKE2b hash, the same in every process."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")


def chunk_terms(text: str, language: str = "") -> SparseTerms:
    """Return ascending term ids and BM25 weights of a chunk, to be indexed under the IDF modifier.

    The weight is tf·(k1+1) / (tf + k1·(1-b+b·length/average)) after Robertson and Zaragoza, "The Probabilistic Relevance
    Framework" (2009), section 3.4. The average length is a constant instead of the corpus's, so that a chunk's vector
    never has to change because another chunk was added or removed.

    Args:
        text: title and headings, then the chunk.
        language: of its document; empty if unclear.
    """
    counts = Counter(terms(text) if language in {"", ENGLISH} else terms_in(text, language))
    forms = 2 if language in STEMMERS else 1  # in other languages a word has a term and a stem, which share its weight
    norm = K1 * (1 - B + B * counts.total() / forms / AVERAGE_TERMS)
    counts.update(chain(words_within(text), joined_numbers(text)))  # after the length, to which they add no word
    return _sparse({term: count * (K1 + 1) / (count + norm) / forms for term, count in counts.items()})


def query_terms(text: str) -> SparseTerms:
    """Return ascending term ids of a question, each distinct term with weight 1; empty if it has only stop words.

    Modal verbs are left out unless they are written as a name or nothing else is asked: in a small corpus they are rare, and so would weigh much.
    Stems of languages other than English are added for those that the question may be in. No English text contains them, so they
    change nothing among English texts.
    """
    language, numbers = detect_language(text), dict.fromkeys(joined_numbers(text), 1.0)
    if language not in {"", ENGLISH}:
        return _sparse(dict.fromkeys(terms_in(text, language), 1.0) | numbers)
    if terms(asked := _without_modals(text)):
        text = asked
    found = dict.fromkeys(terms(text), 1.0) | numbers
    for possible in question_languages(text):
        found |= {stem: 1.0 for word in written_words(text) if (stem := stem_in(word, possible))}
    return _sparse(found)


def _without_modals(text: str) -> str:
    parts, start = list[str](), 0
    words = tokens(text)
    for place, word in enumerate(words):
        # "May 2024" is a month at the beginning, too.
        dated = place + 1 < len(words) and words[place + 1].form[0].isdigit()
        if word.form in MODAL_VERBS and not (word.capital and (place or dated)):
            parts.append(text[start : word.start])
            start = word.end
    return "".join((*parts, text[start:]))


def _sparse(weights: dict[str, float]) -> SparseTerms:
    """Number the terms; two that share a number (about once in four billion pairs) add their weights."""
    numbered: dict[int, float] = {}
    for term in sorted(weights):
        number = term_id(term)
        numbered[number] = numbered.get(number, 0.0) + weights[term]
    return tuple(sorted(numbered)), tuple(numbered[number] for number in sorted(numbered))
