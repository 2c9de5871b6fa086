"""The sentence of a hit that matters: the one with most of the question's terms that its path does not cover yet, the rare ones above all."""

from collections import Counter
from functools import lru_cache

from interlace.domain.hits import Hit
from interlace.text.sentences import sentence_spans
from interlace.text.tokenizer import terms


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
    held = [wanted & found for _, found in sentences]
    among = Counter(term for found in held for term in found)
    worth = [sum(1 / among[term] for term in sorted(found)) for found in held]
    if any(worth):
        return sentences[worth.index(max(worth))][0]
    # No word of the question occurs: take the sentence where the path ends, or the first.
    arrived = hit.path[-1].sentence.rstrip("…") if hit.path else ""
    shown = (each for each, _ in sentences if arrived and " ".join(each.split()).startswith(arrived))
    return next(shown, sentences[0][0])


@lru_cache(maxsize=1024)  # many questions find the same chunks
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the sentences of a text, each with its terms."""
    found = (text[start:end] for start, end in sentence_spans(text))
    return tuple((sentence, frozenset(terms(sentence))) for sentence in found)
