"""Invariants of graph and vector index: the name of each, what a violation means, and how it is checked and repaired."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

MEANINGS: Final[Mapping[str, str]] = {
    "stale outbox": "A point that should have been updated long ago has not been.",
    "chunks not linked": "Older chunks should have been linked long ago to names that were added or removed.",
    "chunk without document": "The graph has a chunk that no document has.",
    "fact without chunk": "The graph has a fact that no chunk asserts.",
    "extraction without chunk": "The graph has a language model's extraction of a text that no chunk has.",
    "evidence miscounted": "The evidence recorded on an entity does not match its mentions and documents.",
    "dangling mention": "A chunk mentions an entity by a name that the entity does not have.",
    "relation miscounted": "The counts of a relation between entities do not match its facts.",
    "chunks miscounted": "The number of chunks that ranking uses is wrong.",
    "point without chunk": "The vector index has a chunk that the graph does not hold.",
    "chunk without point": "A chunk is missing in the vector index.",
    "ready without projection": "A document counts as ready, but chunks of it are missing in the vector index.",
    "entity point without entity": "The vector index has an entity, or a sentence about one, that the graph does not hold.",
    "entity without point": "An entity is missing in the vector index.",
    "community without members": "A community has no members, or not as many as it records.",
    "community point without community": "The vector index has a community that the graph does not hold.",
    "community without point": "A community is missing in the vector index.",
}
"""Every invariant by name, in the order in which they are checked and repaired: what one repair leaves behind, a later check finds."""

Found = Iterator[tuple[str, Sequence[str]]]
"""Violations as they are found: an invariant and ids of the nodes that break it, a batch at a time."""


class InvariantCheck(Protocol):
    """One pass over a tenant's data, which finds violations of one or more invariants."""

    @property
    def scheduled(self) -> bool:
        """Whether workers may repair what it finds automatically: nothing can be lost that is not lost already."""
        ...

    def find(self, tenant: str) -> Found:
        """Yield violations in batches; holds no more than a page in memory."""
        ...

    def repair(self, tenant: str, invariant: str, ids: Sequence[str]) -> None:
        """Repair a batch of violations; reads again first, so that what a worker has repaired meanwhile is left alone."""
        ...


@dataclass(frozen=True, slots=True)
class SimpleCheck:
    """A check of one invariant: a search for violations, and a correction."""

    invariant: str
    search: Callable[[str], Iterator[Sequence[str]]]
    correct: Callable[[str, Sequence[str]], object]
    scheduled: bool = False

    def find(self, tenant: str) -> Found:
        """Yield violations in batches."""
        for ids in self.search(tenant):
            yield self.invariant, ids

    def repair(self, tenant: str, invariant: str, ids: Sequence[str]) -> None:
        """Repair a batch of violations."""
        del invariant
        self.correct(tenant, ids)
