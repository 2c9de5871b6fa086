"""Community detection by Leiden (Traag, Waltman and van Eck 2019, "From Louvain to Leiden"), seeded from the last partition.

An unchanged graph keeps its partition; for a changed one it is improved, unless a partition from scratch has a clearly higher modularity.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from interlace.domain.ids import checksum
from interlace.ports.analytics import GraphAnalytics, Partition, Projection
from interlace.settings import CommunitySettings

MAX_LEVELS = 4
"""Levels of the hierarchy."""

MIN_MEMBERS = 3
"""Fewest members of a community: two related entities are only a relation."""

SEED = 19
"""Leiden visits nodes in random order; with a fixed seed the same graph gives the same communities."""

TOLERANCE = 0.01
"""Modularity that keeping the last partition may cost before a new one replaces it."""

Level = Mapping[str, frozenset[str]]
"""Members of the communities of one level, by id."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Communities of every level.

    Args:
        levels: members of each community, finest level first; each community lies within one of the next level.
        ranks: weighted PageRank of each entity.
        modularity: of the coarsest level as Leiden found it; None if the last partition was kept.
        signature: of the graph and the settings; equal signatures need no new partition.
    """

    levels: tuple[tuple[frozenset[str], ...], ...]
    ranks: Mapping[str, float]
    modularity: float | None
    signature: str


def detect(
    analytics: GraphAnalytics,
    tenant: str,
    entities: Sequence[str],
    *,
    history: Sequence[Level],
    signature: str | None,
    settings: CommunitySettings,
) -> Detection:
    """Return the communities of a tenant's entities.

    Args:
        analytics: the graph algorithms.
        tenant: the tenant.
        entities: ids of all its entities, ascending.
        history: levels of the last partition, finest first; none to start from scratch.
        signature: of the last partition.
        settings: resolution and minimum size.

    Raises:
        UnavailableError: the database does not answer.
    """
    levels = list(history[:MAX_LEVELS])
    with analytics.project(tenant, entities, [_labels(entities, level) for level in levels]) as projection:
        if not projection.relationships:
            return Detection((), {}, 0.0, _signature(entities, [], settings))
        ranks = projection.ranks()
        found = _signature(entities, ranks, settings)
        if levels and found == signature:
            groups = [list(level.values()) for level in levels]
            return _detection(groups, entities, ranks, None, found)
        partition = _partition(projection, len(levels), settings)
    groups = [_groups(entities, labels) for labels in nested(partition.levels)]
    return _detection(groups, entities, ranks, partition.modularity, found)


def _partition(projection: Projection, depth: int, settings: CommunitySettings) -> Partition:
    """Return the improved last partition, unless one from scratch is better by more than the tolerance."""
    new = projection.leiden(gamma=settings.gamma, max_levels=MAX_LEVELS, seed=SEED)
    improved = [projection.improve(level, gamma=settings.gamma, seed=SEED) for level in range(depth)]
    if improved and improved[-1].modularity >= new.modularity - TOLERANCE:
        return Partition(tuple(one.levels[0] for one in improved), improved[-1].modularity)
    return new


def nested(levels: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the levels as a hierarchy: each community moves as a whole to where most of its members go; repeated levels are left out.

    Levels have one label per entity, the finest level comes first. Leiden's own are not a strict hierarchy: a later round may move parts of a
    refined community apart.
    """
    kept = [list(levels[0])]
    for coarse in levels[1:]:
        first = {label: place for place, label in reversed(list(enumerate(coarse)))}
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        for fine, label in zip(kept[-1], coarse, strict=True):
            votes[fine][label] += 1
        # The first entity breaks ties, because equal partitions may have different labels.
        chosen = {fine: min(cast, key=lambda label: (-cast[label], first[label])) for fine, cast in votes.items()}
        if len(set(chosen.values())) < len(chosen):
            kept.append([chosen[fine] for fine in kept[-1]])
    return kept


def _detection(
    groups: list[list[frozenset[str]]],
    entities: Sequence[str],
    ranks: Sequence[float],
    modularity: float | None,
    signature: str,
) -> Detection:
    sized = ([group for group in level if len(group) >= MIN_MEMBERS] for level in groups)
    levels = tuple(tuple(sorted(level, key=min)) for level in sized if level)
    return Detection(levels, dict(zip(entities, ranks, strict=True)), modularity, signature)


def _groups(entities: Sequence[str], labels: Sequence[int]) -> list[frozenset[str]]:
    members: dict[int, set[str]] = defaultdict(set)
    for entity, label in zip(entities, labels, strict=True):
        members[label].add(entity)
    return [frozenset(group) for group in members.values()]


def _labels(entities: Sequence[str], level: Level) -> list[int]:
    """Return labels from 0 without gaps; an entity without a community begins in one of its own."""
    home = {member: community_id for community_id in sorted(level) for member in level[community_id]}
    numbers: dict[str, int] = {}
    return [numbers.setdefault(home.get(entity, entity), len(numbers)) for entity in entities]


def _signature(entities: Sequence[str], ranks: Sequence[float], settings: CommunitySettings) -> str:
    """Return a digest of the graph and the settings: PageRank changes with every edge and weight."""
    return checksum(orjson.dumps([entities, ranks, settings.model_dump(), MIN_MEMBERS], option=orjson.OPT_SORT_KEYS))
