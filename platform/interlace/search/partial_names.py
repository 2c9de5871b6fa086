"""Names that a question gives in part or a little misspelt: ``Halvorsen Museum`` for ``Halvorsen Museum of Art``.

The linker knows whole names only, because in chunks a part is too often another name. In a question it is worth a look: runs of
capitalised words that no known name covers are sought among all names, word by word.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from interlace.cypher_files import query
from interlace.domain.errors import UnavailableError
from interlace.entities.normalization import normalize_name
from interlace.ports.graph import GraphDatabase, Row
from interlace.search.seeds import SeedMatch, unknown_names
from interlace.text.lucene import fuzzy_terms
from interlace.text.similarity import allowed_edits

_log = logging.getLogger(__name__)
_PARTIAL = query("entities/partial_aliases")
_RUNS = 4
"""Runs of a question that are sought: each costs a search of the index."""
_CANDIDATES = 200
_ENTITIES = 3
"""Names that one run may mean."""
# In two fields (see ``fuzzy_terms``).
_MOST_FUZZY = 8
_EDITS = 2
"""Letters that the words of a run may be off together."""


@dataclass(frozen=True, slots=True)
class PartialName:
    """A run of the question, and a name that holds it.

    Args:
        match: the run as a match of that name.
        name: the name.
    """

    match: SeedMatch
    name: str


def find_partial(
    graph: GraphDatabase, tenant: str, question: str, matches: Sequence[SeedMatch], *, timeout: float
) -> list[PartialName]:
    """Return names that hold the runs of capitalised words which the linker does not know; nothing where it knows all.

    A name answers if it holds the words of the run side by side, each as it is or one or two letters off, and not more other words
    than that. Of those that answer to a run the nearest count: fewest letters off, then fewest other words.

    A search that fails or is late finds nothing and is logged.

    Args:
        graph: where the names are.
        tenant: whose.
        question: as asked.
        matches: what the linker found.
        timeout: seconds that the database may take.
    """
    runs = [(start, end, normalize_name(question[start:end])) for start, end in unknown_names(question, matches)]
    searches = {key: _search(tenant, key) for _, _, key in runs[:_RUNS] if key}
    if not searches:
        return []
    try:
        rows = graph.run(
            _PARTIAL, timeout=timeout, tenant=tenant, searches=sorted(searches.values()), limit=_CANDIDATES
        )
    except UnavailableError as error:  # whole names are enough for an answer; if the graph is gone, the next step tells
        _log.warning("Names that a question gives in part were not sought: %s", error.message)
        return []
    return [
        PartialName(
            SeedMatch(row["id"], start, end, row["degree"], title=row["titled"], sure=1 / (1 + edits)), row["name"]
        )
        for start, end, key in runs
        if key in searches
        for edits, row in _nearest(key, [row for row in rows if row["search"] == searches[key]])
    ]


def _nearest(key: str, rows: Sequence[Row]) -> list[tuple[int, Row]]:
    """Return the names that answer best to a run with the letters that it is off."""
    fits = [(fit, row) for row in rows if row["degree"] and (fit := _best_fit(key, row))]
    nearest = min((fit for fit, _ in fits), default=None)
    equals = sorted((row for fit, row in fits if fit == nearest), key=lambda row: (-row["degree"], row["id"]))
    return [(nearest[0], row) for row in equals[:_ENTITIES]] if nearest else []


def _best_fit(key: str, row: Row) -> tuple[int, int] | None:
    words = key.split()
    fits = [
        fit for each in {normalize_name(row["name"]), *(row["keys"] or ())} if (fit := fit_within(words, each.split()))
    ]
    return min(fits, default=None)


def fit_within(words: Sequence[str], name: Sequence[str]) -> tuple[int, int] | None:
    """Return how far words are from a stretch of a name: letters off and other words; None where they do not stand in it.

    Args:
        words: folded words of a run.
        name: folded words of a name.
    """
    others = len(name) - len(words)
    if not 0 <= others <= len(words):
        return None
    edits = []
    for at in range(others + 1):
        off = [OSA.distance(*pair) for pair in zip(words, name[at:], strict=False)]
        if all(each <= allowed_edits(word) for each, word in zip(off, words, strict=True)):
            edits.append(sum(off))
    least = min(edits, default=_EDITS + 1)
    return (least, others) if least <= _EDITS else None


def _search(tenant: str, key: str) -> str:
    words = list(dict.fromkeys(key.split()))
    wanted = " ".join(f"+{term}" for term in fuzzy_terms(words, _MOST_FUZZY))
    return f'+tenant:"{tenant}" +(name:({wanted}) aliases:({wanted}))'
