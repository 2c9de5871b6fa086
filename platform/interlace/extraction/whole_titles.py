"""Titles that occur whole in a text: in quotes, or as the title of the document. A recogniser often takes part of one for a name."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from interlace.domain.extraction import PARTICLES
from interlace.entities.normalization import without_disambiguator
from interlace.extraction.notation import is_exclamation
from interlace.ports.syntax import SyntaxDoc
from interlace.text.stop_words import ENTITY_STOP_WORDS

_QUOTED = re.compile(
    r"[\"\u201c]([^\"\u201c\u201d\n()\[\]]{3,80})[\"\u201d]|(?<!\w)['\u2018]([^'\u2018\u2019\n()\[\]]{3,80})['\u2019](?!\w)"
)
_FOREIGN_WORDS = 6
_SMALL = ENTITY_STOP_WORDS | PARTICLES | {"n", "vs", "de", "y", "et", "und"}


def title_ranges(doc: SyntaxDoc, title: str, *, dialogue: bool) -> list[tuple[int, int]]:
    """Return the token ranges of whole titles, in order: quoted titles of several words, and every occurrence of the document's title.

    Args:
        doc: the parse.
        title: of the document; empty if it has none.
        dialogue: whether the text is dialogue, where an unknown word in quotes is misspelled rather than foreign.
    """
    stretches = [*_quoted(doc, dialogue=dialogue), *_own(doc.text, title)]
    places = [doc[index].idx for index in range(len(doc))] if stretches else []
    found = {_tokens(doc, places, start, end) for start, end in stretches}
    return sorted(each for each in found if each[0] < each[1])


def _quoted(doc: SyntaxDoc, *, dialogue: bool) -> Iterator[tuple[int, int]]:
    for quote in _QUOTED.finditer(doc.text):
        group = 1 if quote[1] else 2
        inner = quote[group].rstrip(" ,.")
        if is_titled(inner.split()) or (not dialogue and _is_foreign(doc, inner.split())):
            yield quote.start(group), quote.start(group) + len(inner)


def _is_foreign(doc: SyntaxDoc, words: list[str]) -> bool:
    """Return whether words in quotes are a title in another language, of which English has no word in lower case: "Po kl\u0119sce"."""
    if len(words) < 2 or not words[0][:1].isupper() or len(words) > _FOREIGN_WORDS:  # noqa: PLR2004 - a name alone is whole
        return False
    small = [word for word in words if not word[:1].isupper()]
    return bool(small) and not is_exclamation(words[0]) and all(is_foreign(doc, word) for word in small)


def is_foreign(doc: SyntaxDoc, word: str) -> bool:
    """Return whether a word has only letters and is neither in the dictionary nor a function word."""
    return word.isalpha() and word.lower() not in _SMALL and not doc.word_classes(word)


def is_titled(words: list[str], min_capitalized: int = 2) -> bool:
    """Return whether words are in title case: at least so many capitalised, also the first and the last, and only function words small."""
    large = [word for word in words if not word.islower()]
    if len(large) < min_capitalized or words[0].islower() or words[-1].islower():
        return False
    return all(word.lower() in _SMALL for word in words if word.islower())


def _own(text: str, title: str) -> Iterator[tuple[int, int]]:
    plain = without_disambiguator(title)
    if is_titled(plain.split()):
        for place in re.finditer(rf"(?<!\w){re.escape(plain)}(?!\w)", text):
            yield place.span()


def _tokens(doc: SyntaxDoc, places: list[int], start: int, end: int) -> tuple[int, int]:
    """Return the token range of a span of text; an empty one if a token crosses its boundaries."""
    first, last = bisect_left(places, start), bisect_left(places, end)
    if first == last or places[first] != start or doc[last - 1].idx + len(doc[last - 1]) > end:
        return first, first
    return first, last
