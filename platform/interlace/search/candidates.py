"""What the stages of a search pass on: candidates of a leg, fused candidates, ranked candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})
# Those made by the hundred for each question are named tuples, which are made in a third of the time of frozen data classes.


class Step(NamedTuple):
    """A node on a path through the graph: an entity with its name, or a chunk."""

    kind: Literal["entity", "chunk"]
    id: str
    name: str = ""


def is_direct(path: Sequence[Step]) -> bool:
    """Return whether a path is one step, from an entity to a chunk."""
    return [step.kind for step in path] == ["entity", "chunk"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a leg found.

    Args:
        id: a chunk, or what else the search returns (a document, an atom).
        score: the leg's own score; higher is better, scales differ between legs.
        path: how the graph reached it from a seed entity, entities and chunks alternating; empty in other legs.
        subjects: the entities that the chunk's document is about, where the path is direct.
        mentions: the entities that the chunk mentions, as far as the graph leg read them, where the path is direct.
    """

    id: str
    score: float
    path: tuple[Step, ...] = ()
    subjects: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()


class Contribution(NamedTuple):
    """What one leg adds to the fused score of a candidate.

    Args:
        rank: from 1.
        score: the leg's own score.
        weight: weight of the leg for this query.
        share: ``weight / (k + rank)``.
    """

    rank: int
    score: float
    weight: float
    share: float


class FusedCandidate(NamedTuple):
    """A candidate after reciprocal rank fusion: the sum of the legs' contributions, and each of them by leg."""

    id: str
    score: float
    legs: Mapping[str, Contribution]


@dataclass(frozen=True, slots=True)
class LinkedCandidate:
    """The best candidate whose document is linked with this one's, and the nearness: 1 / its rank before the boost."""

    id: str
    nearness: float


class Features(NamedTuple):
    """The terms of a rerank score, already scaled by the query's weights; ``boosts`` are the optional ones that count (``search.boosts``)."""

    graph: float
    similarity: float
    proximity: float = 0.0
    keyword: float = 0.0
    document: float = 0.0
    boosts: Mapping[str, float] = _NOTHING

    @property
    def score(self) -> float:
        """The sum that orders candidates."""
        boosts = sum(self.boosts.values())
        return self.graph + self.similarity + self.keyword + self.document + self.proximity + boosts

    def boosted(self, name: str, value: float) -> "Features":
        """Return the same terms with one boost more."""
        return self._replace(boosts={**self.boosts, name: value})


class RankedCandidate(NamedTuple):
    """A candidate after the rerank.

    Args:
        id: the chunk.
        score: its probability by softmax over the query's candidates; all sum to 1.
        legs: leg to contribution.
        features: the terms that decided its rank.
        figures: the values behind the terms (``Hit.figures``).
        linked: the candidate that it is linked with; none where no link counts.
    """

    id: str
    score: float
    legs: Mapping[str, Contribution]
    features: Features
    figures: Mapping[str, float] = _NOTHING
    linked: LinkedCandidate | None = None
