"""Knowledge atoms: notes about one thing, known by the ``atlas_id`` of their metadata; their addresses; searches among them and their results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from interlace.domain.filters import Condition, Filter

AtlasStrategy = Literal["section", "atom"]
"""A chunk a section, each with the type of its heading; or the whole note as one section, its headings as lines of the text."""
ATLAS_STRATEGIES: Final[tuple[AtlasStrategy, ...]] = get_args(AtlasStrategy)
ATLAS_ID: Final = "atlas_id"
ATLAS_STRATEGY: Final = "atlas_strategy"
ATLAS_ADDRESS: Final = "atlas:"
"""What the address of an atom begins with, before its id."""
_MADE_BY: Final = " atlas:"
ONLY_ATOMS: Final = Filter(must=(Condition(f"metadata.{ATLAS_ID}", "prefix", ""),))


def is_atom(metadata: Mapping[str, Any]) -> bool:
    """Return whether a document with this metadata is an atom."""
    found = metadata.get(ATLAS_ID)
    return isinstance(found, str) and bool(found)


def fingerprint_with_strategy(fingerprint: str, metadata: Mapping[str, Any]) -> str:
    """Return the pipeline's fingerprint as stored with a document that was uploaded with this metadata.

    It includes the strategy that the caller chose: the same bytes under another strategy do not count as unchanged.
    """
    strategy = metadata.get(ATLAS_STRATEGY)
    return f"{fingerprint}{_MADE_BY}{strategy}" if strategy in ATLAS_STRATEGIES else fingerprint


def strategy_of(made: str) -> AtlasStrategy | None:
    """Return the strategy that is part of a document's fingerprint (``fingerprint_with_strategy``); None if its caller chose none."""
    return next((each for each in ATLAS_STRATEGIES if made.endswith(f"{_MADE_BY}{each}")), None)


def addressed_atom(address: str) -> str:
    """Return the id in the address of an atom (``atlas:leiden``); empty for any other address."""
    return address.removeprefix(ATLAS_ADDRESS) if address.startswith(ATLAS_ADDRESS) else ""


def with_addresses(condition: Condition) -> Condition | Filter:
    """Return a condition on sources in which an atom's address finds the atom, wherever it came from; any other condition is returned unchanged."""
    atoms = tuple(found for each in condition.choices if isinstance(each, str) and (found := addressed_atom(each)))
    if condition.field != "source" or not atoms:
        return condition
    own = Condition(f"metadata.{ATLAS_ID}", condition.operator, atoms if condition.operator == "in" else atoms[0])
    return Filter(should=(condition, own))


Combination = Literal["whole", "independent"]
"""How the sub-queries of a decomposed query count: only by the bonus on the whole query's score, or by the sum of their own scores."""
ATOM_WEIGHTS: Final = ("exact", "name", "description", "tags", "content", "bigram")
"""Weights that a caller may set: the six parts of a term's share."""


@dataclass(frozen=True, slots=True)
class AtomOptions:
    """How a search among atoms scores; None stands for the ranking profile's value.

    Args:
        decompose: whether a long query is decomposed.
        decompose_threshold: number of distinct terms from which it is.
        combine: how sub-queries count.
        intersection_bonus: what an atom that several sub-queries find gains, as a share of its score.
        rerank: whether cosines reorder the list by terms.
        rerank_alpha: share of the score by terms in that order, 0 to 1; the cosine has the rest.
        weights: part of a term's share (``ATOM_WEIGHTS``) to its weight; the others keep the profile's.
        min_score: least relevance of a hit, 0 to 1.
    """

    decompose: bool = True
    decompose_threshold: int | None = None
    combine: Combination = "whole"
    intersection_bonus: float | None = None
    rerank: bool = True
    rerank_alpha: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class AtomRequest:
    """A search among atoms.

    Args:
        text: the query, at most 2,000 characters.
        limit: maximum number of atoms.
        expand: whether aliases of the names in it count too, at a discount.
        model: the embedding model to compare by; none for the one that the tenant's questions use.
        options: how to score.
    """

    text: str
    limit: int = 10
    expand: bool = True
    model: str | None = None
    options: AtomOptions = field(default_factory=AtomOptions)


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one term of the query found in an atom.

    Args:
        term: the stem.
        idf: its inverse document frequency among the tenant's atoms.
        fields: field to the share that it added to the sum, including weight and discount but not idf; zeros are left out.
        discount: 1 for a term of the query, less for one that an alias brought.
    """

    term: str
    idf: float
    fields: Mapping[str, float]
    discount: float


@dataclass(frozen=True, slots=True)
class AtomSection:
    """A section of an atom: its headings joined by ``>``, empty for the body, and its type."""

    heading: str
    type: str


@dataclass(frozen=True, slots=True)
class AtomHit:
    """An atom that was found, and why.

    Args:
        rank: from 1.
        score: by reciprocal rank fusion of the lists ``terms`` and ``vector``.
        id: the document's id.
        atlas_id: what its author calls it.
        title: its name.
        source_uri: where it came from.
        tags: its tags.
        sections: in order.
        ranks: list to the atom's rank in it.
        domains: what fields it belongs to, by the ``domain`` or ``domains`` of its metadata.
        relevance: the figure that orders the list by terms, 0 to 1: ``normalised`` and ``cosine``, each by its share.
        tf_idf: the field-weighted sum times coverage and bonus; 0 for one that only the vector list found.
        normalised: ``tf_idf`` as a share of the best one's, 0 to 1.
        coverage: share of the query's terms that it holds, 0 to 1; a term found only through an alias counts at the discount.
        found_by: sub-queries that found it, if the query was decomposed.
        cosine: of its best chunk with the query; none without embeddings.
        terms: what each term found.
    """

    rank: int
    score: float
    id: str
    atlas_id: str
    title: str
    source_uri: str
    tags: tuple[str, ...]
    sections: tuple[AtomSection, ...]
    ranks: Mapping[str, int]
    domains: tuple[str, ...]
    relevance: float
    tf_idf: float
    normalised: float
    coverage: float
    found_by: tuple[str, ...]
    cosine: float | None
    terms: tuple[TermScore, ...]


@dataclass(frozen=True, slots=True)
class AtomDomain:
    """A domain that atoms of an answer belong to.

    Args:
        name: as its authors call it.
        atoms: how many hits belong to it.
        score: the sum of their scores.
    """

    name: str
    atoms: int
    score: float


@dataclass(frozen=True, slots=True)
class AtomResponse:
    """The atoms found.

    Args:
        query: the query.
        hits: best first.
        terms: stems of the query.
        expansion: stems that aliases added.
        sub_queries: the parts that the query was decomposed into; none for a short one.
        model: the embedding model that compared; none without embeddings.
        domains: those of the hits, the one with the highest sum of scores first.
        degraded: steps that failed: ``vector`` when embeddings or the vector index did not answer.
        effort: how much work the answer took: legs, hops, candidates and tokens, Λ under ``lambda``.
    """

    query: str
    hits: tuple[AtomHit, ...]
    terms: tuple[str, ...]
    expansion: tuple[str, ...]
    sub_queries: tuple[str, ...]
    model: str | None
    domains: tuple[AtomDomain, ...] = ()
    degraded: tuple[str, ...] = ()
    effort: Mapping[str, float] = field(default_factory=dict)
