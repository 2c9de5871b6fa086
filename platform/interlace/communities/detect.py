"""Decides the partition: the last one while the graph is the same, that one improved while it is good, else a new one."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from interlace.domain.ids import checksum
from interlace.ports.analytics import GraphAnalytics, Partition, Projection
from interlace.settings import CommunitySettings

MAX_LEVELS = 4
"""Levels of the hierarchy."""

SEED = 19
"""Leiden visits nodes in random order; with one seed the same graph gives the same communities."""

TOLERANCE = 0.01
"""Modularity that keeping the last partition may cost before a new one takes its place."""

Level = Mapping[str, frozenset[str]]
"""Members of the communities of one level, by id."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Communities of every level.

    Args:
        levels: members of each community, finest level first; each community lies within one of the next level.
        ranks: weighted PageRank of each name.
        modularity: of the coarsest level as Leiden found it; None where the last partition was kept as it was.
        signature: of the graph and the settings; equal signatures need no new partition.
    """

    levels: tuple[tuple[frozenset[str], ...], ...]
    ranks: Mapping[str, float]
    modularity: float | None
    signature: str


def detect(
    analytics: GraphAnalytics,
    tenant: str,
    names: Sequence[str],
    *,
    history: Sequence[Level],
    signature: str | None,
    settings: CommunitySettings,
) -> Detection:
    """Return the communities of a tenant's names.

    Args:
        analytics: where the graph is projected.
        tenant: whose.
        names: ids of all its names, ascending.
        history: levels of the last partition, finest first; none to start from nothing.
        signature: of what the last partition was made of.
        settings: resolution and least size.

    Raises:
        UnavailableError: the database does not answer.
    """
    held = list(history[:MAX_LEVELS])
    with analytics.project(tenant, names, [_labels(names, level) for level in held]) as projection:
        if not projection.relationships:
            return Detection((), {}, 0.0, _signature(names, [], settings))
        ranks = projection.ranks()
        found = _signature(names, ranks, settings)
        if held and found == signature:
            groups = [list(level.values()) for level in held]
            return _detection(groups, names, ranks, None, found, settings)
        partition = _partition(projection, len(held), settings)
    groups = [_groups(names, labels) for labels in nested(partition.levels)]
    return _detection(groups, names, ranks, partition.modularity, found, settings)


def _partition(projection: Projection, held: int, settings: CommunitySettings) -> Partition:
    """Return the last partition improved, unless one from nothing is better by more than the tolerance."""
    new = projection.leiden(gamma=settings.gamma, max_levels=MAX_LEVELS, seed=SEED)
    improved = [projection.improve(level, gamma=settings.gamma, seed=SEED) for level in range(held)]
    if improved and improved[-1].modularity >= new.modularity - TOLERANCE:
        return Partition(tuple(one.levels[0] for one in improved), improved[-1].modularity)
    return new


def nested(levels: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the levels as a hierarchy: each community goes whole where most of its members go; levels that repeat are left out.

    Leiden's own levels are not quite one: it passes on a refined partition, of which a later round may move parts apart.

    Args:
        levels: one label a name, finest level first.
    """
    kept = [list(levels[0])]
    for coarse in levels[1:]:
        first = {label: place for place, label in reversed(list(enumerate(coarse)))}
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        for fine, label in zip(kept[-1], coarse, strict=True):
            votes[fine][label] += 1
        # The first name breaks ties: labels themselves may differ where partitions do not.
        chosen = {fine: min(cast, key=lambda label: (-cast[label], first[label])) for fine, cast in votes.items()}
        if len(set(chosen.values())) < len(chosen):
            kept.append([chosen[fine] for fine in kept[-1]])
    return kept


def _detection(
    groups: list[list[frozenset[str]]],
    names: Sequence[str],
    ranks: Sequence[float],
    modularity: float | None,
    signature: str,
    settings: CommunitySettings,
) -> Detection:
    sized = ([group for group in level if len(group) >= settings.min_size] for level in groups)
    levels = tuple(tuple(sorted(level, key=min)) for level in sized if level)
    return Detection(levels, dict(zip(names, ranks, strict=True)), modularity, signature)


def _groups(names: Sequence[str], labels: Sequence[int]) -> list[frozenset[str]]:
    members: dict[int, set[str]] = defaultdict(set)
    for name, label in zip(names, labels, strict=True):
        members[label].add(name)
    return [frozenset(group) for group in members.values()]


def _labels(names: Sequence[str], level: Level) -> list[int]:
    """Return labels from 0 without gaps; a name that was in no community begins in one of its own."""
    home = {member: identity for identity in sorted(level) for member in level[identity]}
    numbers: dict[str, int] = {}
    return [numbers.setdefault(home.get(name, name), len(numbers)) for name in names]


def _signature(names: Sequence[str], ranks: Sequence[float], settings: CommunitySettings) -> str:
    """Return a digest of the graph and the settings: PageRank moves with every edge and weight."""
    return checksum(orjson.dumps([names, ranks, settings.model_dump()], option=orjson.OPT_SORT_KEYS))
