"""Graph algorithms in memory: small graphs, plain loops; connected components in place of Leiden's search."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

from interlace.ports.analytics import Partition

_DAMPING = 0.85
_ROUNDS = 100
_DIGITS = 6


class MemoryAnalytics:
    """Implements ``GraphAnalytics``; ``put`` gives a tenant the groups of names that stand in one chunk."""

    def __init__(self) -> None:
        self._chunks: dict[str, list[list[str]]] = defaultdict(list)

    def put(self, tenant: str, *chunks: Sequence[str]) -> None:
        """Add chunks, each as the ids of its names."""
        self._chunks[tenant] += [list(chunk) for chunk in chunks]

    @contextmanager
    def project(
        self, tenant: str, names: Sequence[str], starts: Sequence[Sequence[int]]
    ) -> Iterator["MemoryProjection"]:
        """Project a tenant's names."""
        places = {name: place for place, name in enumerate(names)}
        weights: list[dict[int, float]] = [defaultdict(float) for _ in names]
        for chunk in self._chunks[tenant]:
            known = sorted(places[name] for name in set(chunk) if name in places)
            for one, other in combinations(known, 2):
                weights[one][other] += 1 / (len(known) - 1)
                weights[other][one] += 1 / (len(known) - 1)
        yield MemoryProjection(weights, starts)

    def close(self) -> None:
        """Nothing is open."""


class MemoryProjection:
    """A weighted undirected graph by adjacency."""

    def __init__(self, weights: Sequence[dict[int, float]], starts: Sequence[Sequence[int]]) -> None:
        self._weights, self._starts = weights, starts

    @property
    def relationships(self) -> int:
        """Number of relationships, each counted in both directions."""
        return sum(len(each) for each in self._weights)

    def ranks(self) -> list[float]:
        """Return weighted PageRank by power iteration."""
        ranks = [1.0] * len(self._weights)
        for _ in range(_ROUNDS):
            ranks = [
                1
                - _DAMPING
                + _DAMPING
                * sum(ranks[near] * weight / sum(self._weights[near].values()) for near, weight in ties.items())
                for ties in self._weights
            ]
        return [round(rank, _DIGITS) for rank in ranks]

    def leiden(self, *, gamma: float, max_levels: int, seed: int) -> Partition:
        """Return one level: the connected components."""
        del max_levels, seed
        labels = list(range(len(self._weights)))
        for place in range(len(labels)):
            waiting = [place]
            while waiting:
                for near in self._weights[waiting.pop()]:
                    if labels[near] > place:
                        labels[near] = labels[place]
                        waiting.append(near)
        return Partition((tuple(labels),), self._modularity(labels, gamma))

    def improve(self, level: int, *, gamma: float, seed: int) -> Partition:
        """Move each name once where modularity gains most."""
        del seed
        labels = list(self._starts[level])
        for place, ties in enumerate(self._weights):
            kept = self._modularity(labels, gamma)
            gains = {
                labels[near]: self._modularity([*labels[:place], labels[near], *labels[place + 1 :]], gamma)
                for near in ties
            }
            best = max(gains, key=lambda label: (gains[label], -label), default=labels[place])
            if gains.get(best, kept) > kept:
                labels[place] = best
        return Partition((tuple(labels),), self._modularity(labels, gamma))

    def _modularity(self, labels: Sequence[int], gamma: float) -> float:
        """Return modularity at a resolution (Reichardt and Bornholdt 2006)."""
        degrees = [sum(ties.values()) for ties in self._weights]
        total = sum(degrees)
        inside = sum(
            weight
            for place, ties in enumerate(self._weights)
            for near, weight in ties.items()
            if labels[place] == labels[near]
        )
        groups: dict[int, float] = defaultdict(float)
        for label, degree in zip(labels, degrees, strict=True):
            groups[label] += degree
        return inside / total - gamma * sum((degree / total) ** 2 for degree in groups.values()) if total else 0.0
