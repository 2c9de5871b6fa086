"""How far the embedding model knows the language that a question is asked in.

A model that was made for English knows other languages by the words that they share with it, and those of other scripts hardly at all: its
nearest neighbour is right for six Russian questions where it is right for ten French ones (docs/adr/0134). Such vectors then count only
``RerankProfile.foreign`` of their usual weight, in the fusion and in the rerank.
"""

import math
import re
from collections.abc import Sequence
from typing import Final

from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import locate_chunks
from interlace.search.candidates import Candidate
from interlace.text.languages import ENGLISH, language_by_script, question_languages

_ENGLISH_ALONE: Final = re.compile(r"(?:^|[-_.])en(?:[-_.]|$)")
"""In the names of embedding models: ``bge-small-en-v1.5``, ``gte-base-en``. Models with other names are assumed to know every language."""
_READ: Final = 10
"""First hits of the keyword leg whose languages are read."""


def is_made_for_english(model: str) -> bool:
    """Return whether the name of an embedding model says that it was made for English alone."""
    return _ENGLISH_ALONE.search(model) is not None


def may_be_foreign(model: str, text: str) -> bool:
    """Return whether a question may be in a language that the embedding model was not made for."""
    return is_made_for_english(model) and bool(language_by_script(text) or question_languages(text))


def language_known(
    graph: GraphDatabase, tenant: str, text: str, hits: Sequence[Candidate], *, foreign: float, timeout: float
) -> float:
    """Return how far a model made for English knows the language of a question that may be in another.

    The script of the question decides; in Latin letters the documents that hold its words do, because a question is too short to be sure.

    Args:
        graph: the graph.
        tenant: whose documents.
        text: the question.
        hits: of the keyword leg, best first.
        foreign: what it returns where none of the documents is in English.
        timeout: seconds.

    Returns:
        ``foreign`` to 1, by the share of the BM25 scores that belongs to hits in English or in no clear language.
    """
    if language_by_script(text):
        return foreign
    scores = {each.id: each.score for each in hits[:_READ]}
    rows = locate_chunks(graph, tenant=tenant, ids=list(scores), timeout=timeout)
    total = math.fsum(scores[row.id] for row in rows)
    known = math.fsum(scores[row.id] for row in rows if row.language in {"", ENGLISH})
    return foreign + (1 - foreign) * known / total if total else 1.0
