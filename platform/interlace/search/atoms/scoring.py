r"""The score of an atom: Σ_t idf(t) · (5·exact + 3·tf(name) + 1.5·tf(description) + 1.25·tf(tags) + tf(content) + 2·bigram) · coverage^0.5.

Frequencies are damped, tf = 1 + ln(count), and idf is smoothed, idf = 1 + ln((1 + N) / (1 + n)), after Manning, Raghavan and
Schütze, "Introduction to Information Retrieval" (2008), section 6.4. ``exact`` is 1 for the terms of a span of the query that is one
of the atom's names in full; ``bigram`` is 1 for a term whose successor in the query also follows it in a name.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from more_itertools import windowed

from interlace.domain.atoms import TermScore
from interlace.queries.atoms import FindAtomsRow
from interlace.search.atoms.terms import FIELDS, AtomQuery, Phrase
from interlace.search.profile import AtomProfile


@dataclass(frozen=True, slots=True)
class AtomFields:
    """The stems of an atom's fields, with one list for each name (title or alias)."""

    names: tuple[tuple[str, ...], ...]
    counts: Mapping[str, Counter[str]]

    def holds(self, term: str) -> bool:
        """Return whether any field holds the term."""
        return any(term in self.counts[field] for field in FIELDS)


@dataclass(frozen=True, slots=True)
class AtomScore:
    """The score of an atom without the bonus for sub-queries, its coverage of the query's terms, and each term's part."""

    score: float
    coverage: float
    terms: tuple[TermScore, ...]


def fields_of(row: FindAtomsRow) -> AtomFields:
    """Return an atom's fields from the blank-separated stems that the graph holds."""
    names = tuple(tuple(line.split()) for line in row.name.split("\n"))
    return AtomFields(names, {field: Counter(getattr(row, field).split()) for field in FIELDS})


def score(query: AtomQuery, atom: AtomFields, idf: Mapping[str, float], profile: AtomProfile) -> AtomScore:
    """Score one atom; ``idf`` is each term's inverse document frequency."""
    found = tuple(_term_scores(query, atom, idf, profile))
    coverage = _coverage(query, atom)
    total = math.fsum(item.idf * math.fsum(item.fields.values()) for item in found)
    return AtomScore(total * coverage**profile.coverage_power if coverage else 0.0, coverage, found)


def _term_scores(
    query: AtomQuery, atom: AtomFields, idf: Mapping[str, float], profile: AtomProfile
) -> Iterator[TermScore]:
    phrases = (query.own, *query.aliases)
    exact = {term for phrase in phrases for term in _exact(phrase, atom)}
    following = {pair for name in atom.names for pair in pairwise(name)}
    bigrams = {first for phrase in phrases for first, second in pairwise(phrase.terms) if (first, second) in following}
    for term, discount in query.discounts.items():
        shares = {
            "exact": profile.exact * (term in exact),
            "bigram": profile.bigram * (term in bigrams),
            **{field: getattr(profile, field) * _damped(atom.counts[field][term]) for field in FIELDS},
        }
        given = {field: share * discount for field, share in shares.items() if share > 0}
        if given and discount > 0:
            yield TermScore(term, idf[term], given, discount)


def _exact(phrase: Phrase, atom: AtomFields) -> Iterator[str]:
    for name in atom.names:
        if name and name in windowed(phrase.terms, len(name)):
            yield from name


def _damped(count: int) -> float:
    return 1.0 + math.log(count) if count else 0.0


def _coverage(query: AtomQuery, atom: AtomFields) -> float:
    """Return the share of the query's terms that the atom holds; a term whose alias it holds in full counts at the alias's discount."""
    by_alias: dict[str, float] = {}
    for alias in query.aliases:
        if all(atom.holds(term) for term in alias.terms):
            for term in alias.stands_for:
                by_alias[term] = max(alias.discount, by_alias.get(term, 0.0))
    asked = query.asked
    covered = math.fsum(1.0 if atom.holds(term) else by_alias.get(term, 0.0) for term in asked)
    return covered / len(asked) if asked else 0.0
