"""The sentence of a hit that matters: the one with most of the question's terms that its path does not cover yet, the rare ones above all."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from interlace.domain.hits import Hit
from interlace.text.compounds import distinct_terms
from interlace.text.excerpts import one_line
from interlace.text.sentences import quotable_spans
from interlace.text.tokenizer import terms

_LIST_NUMBER = re.compile(r"\(?(?:\d{1,3}|[A-Za-z])[.)]")


def sentence_that_matters(question: str, hit: Hit) -> str:
    """Return a sentence of the hit's text, verbatim; empty only if the text is.

    A sentence scores, for each of the question's terms in it, 1 / the number of the hit's sentences that hold the term. Terms
    that the path's sentences in other chunks hold do not count: *the designer of the Plover* was found on the way, *born* was not.
    """
    sentences = _sentences(hit.text)
    if not sentences:
        return ""
    asked, said = set(terms(question)), set[str]()
    for step in hit.path:
        if step.chunk_id != hit.chunk_id:
            said.update(terms(step.sentence))
    wanted = asked - said or asked
    matched = [wanted & found for _, found in sentences]
    among = Counter(term for found in matched for term in found)
    worth = [sum(1 / among[term] for term in sorted(found)) for found in matched]
    if any(worth):
        return sentences[worth.index(max(worth))][0]
    # No word of the question occurs: take the sentence where the path ends, or the first.
    arrived = hit.path[-1].sentence.rstrip(" …") if hit.path else ""
    shown = (each for each, _ in sentences if arrived and one_line(each).startswith(arrived))
    return next(shown, sentences[0][0])


@lru_cache(maxsize=1024)  # many questions find the same chunks
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the sentences of a text, each with its terms."""
    return tuple((sentence, distinct_terms(sentence)) for sentence in _items(text))


def _items(text: str) -> Iterator[str]:
    """Yield the sentences of a text; the number of a list's item belongs to what follows it on the line."""
    begun: int | None = None
    for start, end in quotable_spans(text):
        first = start if begun is None else begun
        if _LIST_NUMBER.fullmatch(text, start, end) and text[end : end + 1] == " ":
            begun = first
            continue
        begun = None
        yield text[first:end]
    if begun is not None:
        yield text[begun:].rstrip()
