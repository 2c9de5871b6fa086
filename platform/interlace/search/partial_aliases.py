"""Entities that a question names in part or misspells: ``Halvorsen Museum`` for ``Halvorsen Museum of Art``, ``Ada`` for ``Ada Byron``.

The linker matches whole aliases only, because in chunks a part is too often another entity's alias. In a question it is worth a search:
runs of capitalised words that no match covers are looked up in the full-text index of aliases, word by word. A single word is looked up only where
the question names nothing else, and only as somebody's first name or surname: most words are parts of some name.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from interlace.domain.errors import QueryRefusedError, UnavailableError
from interlace.domain.reader import reader_groups
from interlace.entities.normalization import normalize_name
from interlace.entities.visible import MAX_SEARCHED
from interlace.entities.visible_cache import VisibleView
from interlace.queries.gazetteer import PartialAliasesRow, partial_aliases
from interlace.search.seeds import SeedMatch, lone_names, unlinked_spans
from interlace.text.lucene import all_of, fuzzy_terms, in_fields, in_tenant
from interlace.text.similarity import allowed_edits

_logger = logging.getLogger(__name__)
_RUNS = 4
"""Runs of a question that are looked up: each costs a search of the index."""
_CANDIDATES = 200
_ENTITIES = 3
"""Entities that one run may mean."""
# In two fields (see ``fuzzy_terms``).
_MAX_FUZZY = 8
_PERSON = "Person"
_MAX_NAMES = 4
_EDITS = 2
"""Edits that the words of a run may need in total."""


@dataclass(frozen=True, slots=True)
class PartialMatch:
    """A run of the question, and the entity whose alias holds it.

    Args:
        match: the run as a match of that entity.
        name: the entity's name.
    """

    match: SeedMatch
    name: str


def find_partial(
    visible: VisibleView, question: str, matches: Sequence[SeedMatch], *, timeout: float
) -> list[PartialMatch]:
    """Return the entities whose aliases hold the runs of capitalised words that the linker did not match.

    An alias matches if it holds the words of the run side by side, each exactly or with one or two edits, and at most as many other
    words. Of those only the closest are returned: fewest edits, then fewest other words. Where nothing was linked, people whose first name or
    surname is in the question count too.

    A search that fails or is late returns nothing and is logged.

    Args:
        visible: whose entities, and what a reader who is restricted to groups may know of them.
        question: as asked.
        matches: what the linker found.
        timeout: seconds that a query may take.
    """
    runs = [(start, end, normalize_name(question[start:end])) for start, end in unlinked_spans(question, matches)]
    searches = {key: _search(visible.tenant, key, fuzzy=True) for _, _, key in runs[:_RUNS] if key}
    lone = not matches and not searches
    if lone:
        runs = [(start, end, normalize_name(question[start:end])) for start, end in lone_names(question)]
        searches = {key: _search(visible.tenant, key, fuzzy=False) for _, _, key in runs[:_RUNS] if key}
    if not searches:
        return []
    try:
        rows = partial_aliases(
            visible.graph,
            tenant=visible.tenant,
            searches=sorted(searches.values()),
            limit=_CANDIDATES if reader_groups() is None else MAX_SEARCHED,
            timeout=timeout,
        )
        rows = rows if reader_groups() is None else _visible(visible, rows, timeout)
    # Whole aliases are enough for an answer; if the graph is gone, the next step says so. A search that is late is refused.
    except (QueryRefusedError, UnavailableError) as error:
        _logger.warning("Partial aliases were not looked up: %s", error.message)
        return []
    return [
        PartialMatch(SeedMatch(row.id, start, end, row.degree, title=row.titled, confidence=1 / (1 + edits)), row.name)
        for start, end, key in runs
        if key in searches
        for edits, row in (_people if lone else _nearest)(key, [row for row in rows if row.search == searches[key]])
    ]


def _visible(visible: VisibleView, rows: Sequence[PartialAliasesRow], timeout: float) -> list[PartialAliasesRow]:
    """Return the rows with what visible documents say of their entities."""
    known = visible.entities({row.id for row in rows}, timeout=timeout)
    return [
        PartialAliasesRow(
            row.search, row.id, each.state.name, each.state.type, list(each.state.keys), each.degree, each.titled
        )
        for row in rows
        if (each := known.get(row.id)) is not None
    ]


def _nearest(key: str, rows: Sequence[PartialAliasesRow]) -> list[tuple[int, PartialAliasesRow]]:
    """Return the rows that match a run best, each with its number of edits."""
    fits = [(fit, row) for row in rows if row.degree and (fit := _best_fit(key, row))]
    nearest = min((fit for fit, _ in fits), default=None)
    equals = sorted((row for fit, row in fits if fit == nearest), key=lambda row: (-row.degree, row.id))
    return [(nearest[0], row) for row in equals[:_ENTITIES]] if nearest else []


def _best_fit(key: str, row: PartialAliasesRow) -> tuple[int, int] | None:
    words = key.split()
    fits = [fit for each in {normalize_name(row.name), *(row.keys or ())} if (fit := fit_within(words, each.split()))]
    return min(fits, default=None)


def _people(word: str, rows: Sequence[PartialAliasesRow]) -> list[tuple[int, PartialAliasesRow]]:
    """Return the people whose first name or surname a word is, without edits; none if it is a common name."""
    called = [row for row in rows if row.degree and row.type == _PERSON and _is_called(normalize_name(row.name), word)]
    return [(0, row) for row in called] if len(called) <= _ENTITIES else []


def _is_called(name: str, word: str) -> bool:
    words = name.split()
    return 1 < len(words) <= _MAX_NAMES and word in {words[0], words[-1]}


def fit_within(words: Sequence[str], name: Sequence[str]) -> tuple[int, int] | None:
    """Return how far case-folded words are from a span of an alias: edits and other words; None where the alias does not hold them."""
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


def _search(tenant: str, key: str, *, fuzzy: bool) -> str:
    words = list(dict.fromkeys(key.split()))
    terms = fuzzy_terms(words, _MAX_FUZZY) if fuzzy else words
    return in_tenant(tenant, in_fields(("name", "aliases"), all_of(terms)))
