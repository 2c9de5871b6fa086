"""Graph algorithms as services see them: a tenant's names, projected for the length of one task."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Partition:
    """What a clustering found.

    Args:
        levels: one label per name and level, finest level first; labels mean nothing beyond being equal or not.
        modularity: of the coarsest level, at the resolution that was asked for.
    """

    levels: tuple[tuple[int, ...], ...]
    modularity: float


class Projection(Protocol):
    """A weighted undirected graph of names; results stand in the order in which the names were given.

    Every result is a function of the names' order, the weights and the arguments. Methods raise ``UnavailableError`` when the server
    does not answer, and ``QueryRefusedError`` when it refuses.
    """

    @property
    def relationships(self) -> int:
        """Number of relationships; with none there is nothing to cluster."""
        ...

    def ranks(self) -> list[float]:
        """Return each name's weighted PageRank, rounded so that the order of summation makes no difference."""
        ...

    def leiden(self, *, gamma: float, max_levels: int, seed: int) -> Partition:
        """Return the hierarchy that Leiden finds from scratch (Traag, Waltman and van Eck 2019); once per projection."""
        ...

    def improve(self, level: int, *, gamma: float, seed: int) -> Partition:
        """Return one level: the ``level``-th start, with names moved where modularity gains by it."""
        ...


class GraphAnalytics(Protocol):
    """Projects names for graph algorithms."""

    def project(
        self, tenant: str, names: Sequence[str], starts: Sequence[Sequence[int]]
    ) -> AbstractContextManager[Projection]:
        """Project a tenant's names for as long as the context is open; what dead runs of the same tenant left behind is dropped.

        Args:
            tenant: the tenant.
            names: ids of entities, ascending; others are left out.
            starts: partitions to improve, each with one label per name, from 0 without gaps.

        Raises:
            UnavailableError: the server does not answer.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
