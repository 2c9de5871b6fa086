"""Query analysis of a search among atoms: terms, expansion by aliases, and decomposition of long queries."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interlace.search.profile import AtomProfile
from interlace.text.lucene import all_of, any_of, boosted, in_field, in_tenant, phrase
from interlace.text.tokenizer import Stem, stems, terms

FIELDS = ("name", "description", "tags", "content")
# Lucene refuses a search of more than 1024 clauses; each term needs one per field.
MAX_TERMS = 48
_MAX_PARTS = 16
_MAX_ALIAS_WORDS = 8
# A longer part is too specific for several atoms to match; it is halved until it fits.
_MAX_PART_WORDS = 3
_BREAK = re.compile(r"[^\w\s'\u2019-]|\n")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Adjacent terms of the query, or of an alias of a name in it.

    Args:
        terms: in order, with repetitions.
        discount: their weight: 1 for the query's own.
        stands_for: for an alias, the query's terms that it replaces.
    """

    terms: tuple[str, ...]
    discount: float = 1.0
    stands_for: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AtomQuery:
    """An analysed query.

    Args:
        own: the query's own terms, in order, with repetitions.
        aliases: the phrases that expand it.
        parts: sub-queries, each of several terms; none for a short query.
    """

    own: Phrase
    aliases: tuple[Phrase, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    discounts: Mapping[str, float] = field(init=False)

    def __post_init__(self) -> None:
        found: dict[str, float] = {}
        for part in (self.own, *self.aliases):
            for term in part.terms:
                found[term] = max(part.discount, found.get(term, 0.0))
        object.__setattr__(self, "discounts", found)

    @property
    def asked(self) -> tuple[str, ...]:
        """The query's own terms, each once."""
        return tuple(dict.fromkeys(self.own.terms))

    @property
    def queries(self) -> "tuple[AtomQuery, ...]":
        """Each part as a query of its own, with the aliases that replace only terms of that part."""
        return tuple(
            AtomQuery(Phrase(part), tuple(alias for alias in self.aliases if alias.stands_for <= set(part)))
            for part in self.parts
        )

    @property
    def expansion(self) -> tuple[str, ...]:
        """Terms that only aliases added."""
        return tuple(term for term in self.discounts if term not in self.own.terms)


def analyse_atom_query(text: str, named: Sequence[tuple[int, int, Sequence[str]]], profile: AtomProfile) -> AtomQuery:
    """Return a query's terms, its aliases and its parts.

    Args:
        text: the query; its first 48 terms count.
        named: linked entities: start, end, and their aliases.
        profile: the discount, and the number of terms from which a query is decomposed.
    """
    found = [word for word in stems(text) if not word.stop][:MAX_TERMS]
    own = Phrase(tuple(word.term for word in found))
    parts = _parts(text, profile.decompose_from) if len(set(own.terms)) >= profile.decompose_from else ()
    return AtomQuery(own, tuple(_aliases(own, found, named, profile)), tuple(parts))


def _aliases(
    own: Phrase, found: Sequence[Stem], named: Iterable[tuple[int, int, Sequence[str]]], profile: AtomProfile
) -> Iterator[Phrase]:
    taken = {own.terms}
    for start, end, names in named:
        replaced = frozenset(word.term for word in found if start <= word.start and word.end <= end)
        for name in sorted(names):
            alias = tuple(terms(name))
            # An alias without a new term, such as a plural, expands nothing.
            if not 0 < len(alias) <= _MAX_ALIAS_WORDS or alias in taken or set(alias) <= set(own.terms) or not replaced:
                continue
            if len(taken) > profile.expansions:
                return
            taken.add(alias)
            yield Phrase(alias, profile.expansion_discount, replaced)


def _parts(text: str, min_terms: int) -> Iterator[tuple[str, ...]]:
    """Yield the runs of terms between stop words and punctuation, long ones cut evenly, without duplicates and at most sixteen."""
    seen: dict[tuple[str, ...], None] = {}
    for run in _runs(text):
        for part in _cut(run, min(_MAX_PART_WORDS, min_terms - 1)):
            seen[part] = None
    yield from list(seen)[:_MAX_PARTS]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    run: list[str] = []
    end = 0
    for word in stems(text):
        if run and (word.stop or _BREAK.search(text, end, word.start)):
            yield tuple(run)
            run = []
        if not word.stop:
            run.append(word.term)
        end = word.end
    if run:
        yield tuple(run)


def _cut(run: tuple[str, ...], max_words: int) -> Iterator[tuple[str, ...]]:
    if len(run) <= max_words:
        yield run
        return
    middle = (len(run) + 1) // 2
    yield from _cut(run[:middle], max_words)
    yield from _cut(run[middle:], max_words)


def searches(tenant: str, query: AtomQuery, profile: AtomProfile) -> list[str]:
    """Return full-text searches: one for any of the terms, then one for each part that requires all of its terms."""
    anything = any_of(_clause(term, profile, share) for term, share in query.discounts.items())
    parts = [all_of(_clause(term, profile) for term in dict.fromkeys(part)) for part in query.parts]
    return [in_tenant(tenant, search) for search in (anything, *parts)]


def counting(tenant: str, term: str) -> str:
    """Return the full-text search for the atoms that hold a term."""
    return in_tenant(tenant, any_of(_in_atom_field(field, term) for field in FIELDS))


def _clause(term: str, profile: AtomProfile, share: float = 1.0) -> str:
    weights = {field: getattr(profile, field) * share for field in FIELDS}
    return any_of(boosted(_in_atom_field(field, term), f"{max(weight, 0.01):.4f}") for field, weight in weights.items())


def _in_atom_field(field: str, term: str) -> str:
    return in_field(f"atom{field.capitalize()}", phrase(term))
