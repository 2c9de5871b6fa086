"""The length of a text: in words, which chunks are filled by, and in words and punctuation marks, to estimate a model's tokens."""

import re

LONG_WORD = 256
"""Characters without white space that count as one word; a longer run counts as several."""

IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A character of a script without spaces: Chinese, Japanese, and Korean too."""
_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")


def count_words(text: str) -> int:
    """Return the number of words: runs without white space, where very long runs and scripts without spaces count as several."""
    words = text.split()
    if len(text) > LONG_WORD and max(map(len, words), default=0) > LONG_WORD:
        return sum(word_weight(word) for word in words)
    if not text.isascii() and IDEOGRAPH.search(text):
        return sum(word_weight(word) for word in words)
    return len(words)


def word_weight(word: str) -> int:
    """Return how many words a run without white space counts as: one for each 256 characters, or for each two ideographs."""
    ideographs = 0 if word.isascii() else len(IDEOGRAPH.findall(word))
    return max(1, -(-len(word) // LONG_WORD), -(-ideographs // 2))


def count_tokens(text: str) -> int:
    """Return the number of words and punctuation marks."""
    return len(_WORD_OR_MARK.findall(text))
