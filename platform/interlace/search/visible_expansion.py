"""The expansion of the graph leg for a reader who is restricted to groups: what ``expansion/expand_entities`` reaches by visible mentions alone.

It runs in two steps with the choice of entities between them: the choice goes by degree, and degrees over visible mentions are counted
once for many questions (``entities.visible_cache``), whereas a node's own degree is stored.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interlace.entities.visible_cache import Mention, VisibleView
from interlace.queries.expansion import ReachVisibleRow, reach_visible
from interlace.search.legs.protocol import Scope
from interlace.search.profile import GraphProfile


@dataclass(frozen=True, slots=True)
class VisibleMentions:
    """Mentions of one entity that an expansion reached, and how many visible ones it has."""

    entity: str
    degree: int
    mentions: Sequence[Mention]


def expand_visible(
    visible: VisibleView, scope: Scope, seeds: Mapping[str, int], chunks: Sequence[str], bounds: GraphProfile
) -> list[VisibleMentions]:
    """Return what a bounded expansion from entities and chunks reaches; one mention may come twice.

    Args:
        visible: what the reader may know of entities.
        scope: tenant, filter and timeout.
        seeds: entity to the number of its visible mentions.
        chunks: ids.
        bounds: of the expansion.
    """
    reached = reach_visible(
        visible.graph,
        tenant=scope.tenant,
        seeds=[{"id": seed, "degree": degree} for seed, degree in sorted(seeds.items())],
        chunks=list(chunks),
        chunks_per_entity=bounds.chunks_per_entity,
        seed_cap=bounds.seed_cap,
        filter=scope.filter,
        timeout=scope.timeout,
    )
    counted = {**{row.entity: row.degree for row in reached if row.degree is not None}, **seeds}
    others = {row.entity for row in reached} - counted.keys()
    degrees = {**visible.degrees(others, bounds.hub_cap + 1, timeout=scope.timeout), **counted}
    near = _near(reached, degrees, seeds, bounds)
    bridges = _bridges(near, degrees, bounds)
    second = visible.mentions(bridges, bounds.chunks_per_entity, where=scope.filter, timeout=scope.timeout)
    found = [(entity, [mention for each in chunks.values() for mention in each]) for entity, chunks in near.items()]
    found += second.items()
    return [VisibleMentions(entity, degrees[entity], mentions) for entity, mentions in found]


def _near(
    reached: Sequence[ReachVisibleRow], degrees: Mapping[str, int], seeds: Mapping[str, int], bounds: GraphProfile
) -> dict[str, dict[str, list[Mention]]]:
    """Return entity to chunk to mentions, of each chunk those entities that are taken from it: the seeds, then the rarest."""
    by_chunk: dict[str, dict[str, list[Mention]]] = defaultdict(lambda: defaultdict(list))
    for row in reached:
        if row.entity in seeds or 0 < degrees[row.entity] <= bounds.hub_cap:
            for mention in row.mentions:
                by_chunk[mention[0]][row.entity].append(mention)
    near: dict[str, dict[str, list[Mention]]] = defaultdict(dict)
    for chunk, mentions in by_chunk.items():
        order = sorted(mentions, key=lambda entity: (entity not in seeds, degrees[entity], entity))
        for entity in order[: bounds.entities_per_chunk]:
            near[entity][chunk] = mentions[entity]
    return near


def _bridges(
    near: Mapping[str, Mapping[str, Sequence[Mention]]], degrees: Mapping[str, int], bounds: GraphProfile
) -> list[str]:
    """Return the entities that are expanded next: those mentioned most here and least elsewhere."""
    share: dict[str, float] = {}
    for entity, chunks in near.items():
        # A name whose mentions are all here leads nowhere else.
        if len(chunks) < degrees[entity] <= bounds.hub_cap:
            titled = sum(any(via == "title" for _, via, *_ in mentions) for mentions in chunks.values())
            share[entity] = (len(chunks) + titled * (bounds.title - 1)) / degrees[entity]
    return sorted(share, key=lambda entity: (-share[entity], entity))[: bounds.bridges]
