"""The term leg of a search among atoms: candidates of the full-text index, scored by their fields."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interlace.ports.graph import GraphDatabase
from interlace.queries.atoms import FindAtomsRow, count_terms, find_atoms
from interlace.search.atoms.scoring import AtomScore, fields_of, score
from interlace.search.atoms.terms import AtomQuery, counting, searches
from interlace.search.profile import AtomProfile
from interlace.text.rarity import smoothed_inverse_frequency


@dataclass(frozen=True, slots=True)
class ScoredAtom:
    """An atom that terms found: its score with the bonus, and the sub-queries that found it."""

    terms: AtomScore
    total: float
    found_by: tuple[str, ...]


def score_atoms(graph: GraphDatabase, tenant: str, query: AtomQuery, profile: AtomProfile) -> dict[str, ScoredAtom]:
    """Return atom to its score.

    Raises:
        UnavailableError: the graph does not answer.
    """
    if not query.own.terms:
        return {}
    rows = find_atoms(graph, tenant=tenant, searches=searches(tenant, query, profile), limit=profile.candidates)
    if not rows:
        return {}
    idf = _document_frequencies(graph, tenant, query, profile)
    found_by: dict[str, list[str]] = {}
    for row in rows:
        parts = found_by.setdefault(row.id, [])
        # The first search is for all terms, the others are for the sub-queries.
        if row.search:
            parts.append(" ".join(query.parts[row.search - 1]))
    return {
        row.id: _scored(query, row, idf, found_by[row.id], profile) for row in {row.id: row for row in rows}.values()
    }


def _scored(
    query: AtomQuery, row: FindAtomsRow, idf: Mapping[str, float], found_by: Sequence[str], profile: AtomProfile
) -> ScoredAtom:
    atom = fields_of(row)
    scored = score(query, atom, idf, profile)
    sum_of_parts = profile.independent and query.parts
    own = math.fsum(score(part, atom, idf, profile).score for part in query.queries) if sum_of_parts else scored.score
    bonus = profile.decomposition_bonus if len(found_by) > 1 else 0.0
    return ScoredAtom(scored, own * (1 + bonus), tuple(found_by))


def _document_frequencies(
    graph: GraphDatabase, tenant: str, query: AtomQuery, profile: AtomProfile
) -> dict[str, float]:
    terms = list(query.discounts)
    row = count_terms(
        graph, tenant=tenant, searches=[counting(tenant, term) for term in terms], cap=profile.frequency_cap
    )
    return {term: smoothed_inverse_frequency(count, row.atoms) for term, count in zip(terms, row.counts, strict=True)}
