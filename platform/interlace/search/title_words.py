"""Titles as separate evidence: how much of a question's words a title holds, the rare ones above all."""

import math
from collections.abc import Mapping

from interlace.text.compounds import distinct_terms
from interlace.text.tokenizer import terms


def title_shares(question: str, titles: Mapping[str, str]) -> dict[str, float]:
    """Return the weight of the question's words in each candidate's title, relative to the highest (above 0 to 1); nothing without any.

    A word weighs ln(1 + n / (1 + m)), where m of the n different titles among the candidates hold it: a word that distinguishes these
    titles counts, and not one that all have. ``titles`` has the title of each candidate's document.
    """
    asked = dict.fromkeys(terms(question))
    known = {title: asked.keys() & distinct_terms(title) for title in set(titles.values())}
    weight = {word: math.log1p(len(known) / (1 + sum(word in matched for matched in known.values()))) for word in asked}
    # In the order of the question, so that sums of floats are the same in every process.
    scores = {title: math.fsum(weight[word] for word in asked if word in matched) for title, matched in known.items()}
    highest = max(scores.values(), default=0.0)
    return {each: scores[title] / highest for each, title in titles.items() if scores[title]}
