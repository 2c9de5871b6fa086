"""Stable ids of communities: kept from one refresh to the next while most members stay (Jaccard similarity)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from interlace.domain.ids import stable_id

MIN_JACCARD = 0.3
"""Overlap (Jaccard) from which a community counts as a continuation of an earlier one."""


def assign_ids(
    tenant: str, level: int, communities: Sequence[frozenset[str]], previous: Mapping[str, frozenset[str]]
) -> list[str]:
    """Return an id for each community: that of the earlier one it continues, or one made from its members.

    The pairs with the greatest overlap are matched first, so that the result does not depend on the order of the arguments. Without
    history, equal communities get equal ids.

    Args:
        tenant: the tenant.
        level: level of the communities and of the earlier ones.
        communities: their members; disjoint.
        previous: members of the earlier communities by id; disjoint.
    """
    kept = _matches(communities, previous)
    taken = set(kept.values())
    ids = []
    for index, members in enumerate(communities):
        community_id = kept.get(index) or _new_id(tenant, level, members, taken)
        taken.add(community_id)
        ids.append(community_id)
    return ids


def _matches(communities: Sequence[frozenset[str]], previous: Mapping[str, frozenset[str]]) -> dict[int, str]:
    """Return the index of each community that continues an earlier one, with the earlier one's id."""
    home = {member: earlier for earlier, members in previous.items() for member in members}
    pairs = sorted(
        (-overlap / len(members | previous[earlier]), -overlap, earlier, min(members), index)
        for index, members in enumerate(communities)
        for earlier, overlap in Counter(home[member] for member in members if member in home).items()
    )
    kept: dict[int, str] = {}
    used: set[str] = set()
    for jaccard, _overlap, earlier, _first, index in pairs:
        if -jaccard >= MIN_JACCARD and index not in kept and earlier not in used:
            kept[index] = earlier
            used.add(earlier)
    return kept


def _new_id(tenant: str, level: int, members: frozenset[str], taken: set[str]) -> str:
    """Return an id made from the members; an earlier community that began with exactly these and has changed may have it already."""
    generations = (stable_id("community", tenant, str(level), *sorted(members), str(n)) for n in count())
    return next(community_id for community_id in generations if community_id not in taken)
