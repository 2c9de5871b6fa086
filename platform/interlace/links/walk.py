"""Bounded walks over links: what lies how far from a document, by which way, and how near it is by personalised PageRank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interlace.ports.links import Direction, LinkedPair, LinkGraph
from interlace.search.pagerank import personalised_pagerank
from interlace.search.profile import PROFILE, GraphProfile
from interlace.settings import LinkSettings


@dataclass(frozen=True, slots=True)
class Reached:
    """A document that a walk reached.

    Args:
        document: its id.
        distance: links followed, from 1.
        path: ids from the start to this document: of the shortest ways the first by id.
        pairs: the links between it and the document before it on the path, by direction.
    """

    document: str
    distance: int
    path: tuple[str, ...]
    pairs: tuple[LinkedPair, ...]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What a walk found: documents by distance and id, every pair it saw among them, and whether a bound cut anything off."""

    start: str
    reached: tuple[Reached, ...]
    pairs: tuple[LinkedPair, ...]
    truncated: bool


def neighbourhood(
    links: LinkGraph,
    tenant: str,
    start: str,
    direction: Direction,
    distance: int,
    settings: LinkSettings,
    *,
    enough: int | None = None,
) -> Neighbourhood:
    """Walk from a document, level by level.

    Args:
        links: whose.
        tenant: whose.
        start: id of the document.
        direction: follow links as they point, against it, or both ways.
        distance: levels, at least 1.
        settings: how many documents a step takes and a walk may reach; once it has reached so many, no further step is taken.
        enough: levels end with the one that reaches so many documents; none for all levels.
    """
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    seen: dict[tuple[str, str], LinkedPair] = {}
    frontier, truncated = [start], False
    for _ in range(distance):
        # One more than wanted tells whether there are more.
        found = links.steps(tenant, frontier, direction, settings.fan_out + 1)
        kept, cut = _within(found, frontier, direction, settings.fan_out)
        seen |= {(pair.source, pair.target): pair for pair in kept}
        onward = _onward(kept, frontier, ways, direction)
        room = settings.documents + 1 - len(ways)
        truncated |= cut or len(onward) > room
        frontier = sorted(onward)[:room]
        ways |= {document: onward[document] for document in frontier}
        full = truncated and len(ways) > settings.documents
        if not frontier or full or (enough is not None and len(ways) > enough):
            break
    reached = [_reached(document, path, seen) for document, path in ways.items() if document != start]
    pairs = tuple(seen[ends] for ends in sorted(seen) if ends[0] in ways and ends[1] in ways)
    return Neighbourhood(
        start, tuple(sorted(reached, key=lambda each: (each.distance, each.document))), pairs, truncated
    )


def _within(
    pairs: Sequence[LinkedPair], frontier: Sequence[str], direction: Direction, fan_out: int
) -> tuple[list[LinkedPair], bool]:
    """Return the pairs of each document's first steps, by the other end's id, and whether there were more."""
    took: dict[tuple[str, bool], int] = {}
    kept: dict[tuple[str, str], LinkedPair] = {}
    asked, cut = set(frontier), False
    for pair in sorted(pairs, key=lambda each: (each.source, each.target)):
        for end, on in ((pair.source, True), (pair.target, False)):
            if end not in asked or direction == ("in" if on else "out"):
                continue
            took[end, on] = took.get((end, on), 0) + 1
            if took[end, on] > fan_out:
                cut = True
            else:
                kept[pair.source, pair.target] = pair
    return list(kept.values()), cut


def _onward(
    pairs: Sequence[LinkedPair], frontier: Sequence[str], ways: dict[str, tuple[str, ...]], direction: Direction
) -> dict[str, tuple[str, ...]]:
    """Return the documents that were not reached before, each with its first shortest way."""
    before, found = set(frontier), dict[str, tuple[str, ...]]()
    for pair in pairs:
        for here, there, on in ((pair.source, pair.target, True), (pair.target, pair.source, False)):
            if here in before and there not in ways and direction != ("in" if on else "out"):
                way = (*ways[here], there)
                found[there] = min(way, found.get(there, way))
    return found


def _reached(document: str, path: tuple[str, ...], seen: dict[tuple[str, str], LinkedPair]) -> Reached:
    before = path[-2]
    pairs = [seen[ends] for ends in ((before, document), (document, before)) if ends in seen]
    return Reached(document, len(path) - 1, path, tuple(pairs))


def nearness(found: Neighbourhood, profile: GraphProfile = PROFILE.graph) -> dict[str, float]:
    """Return document to probability (0 to 1) that a walk which starts at the start, and again and again, is there.

    Links are followed both ways, in proportion to 1 + ln(number of links between the two documents) (Haveliwala 2002; constants as in
    the walk over names). The start itself is left out; what a start cannot reach is not in the neighbourhood.
    """
    documents = sorted({found.start, *(each.document for each in found.reached)})
    at = {document: number for number, document in enumerate(documents)}
    counts: dict[tuple[int, int], int] = {}
    for pair in found.pairs:
        one, other = sorted((at[pair.source], at[pair.target]))
        counts[one, other] = counts.get((one, other), 0) + len(pair.links)
    ends = np.array(sorted(counts), dtype=np.intp).reshape(-1, 2)
    one_way = np.array([1 + np.log(counts[int(one), int(other)]) for one, other in ends])
    source, target = np.concatenate((ends[:, 0], ends[:, 1])), np.concatenate((ends[:, 1], ends[:, 0]))
    weight = np.concatenate((one_way, one_way))
    size = len(documents)
    total = np.bincount(source, weights=weight, minlength=size)
    share = weight / total[source]
    begin = np.zeros(size)
    begin[at[found.start]] = 1.0
    visited = personalised_pagerank(
        source, target, share, begin, damping=profile.damping, iterations=profile.iterations
    )
    return {document: float(visited[at[document]]) for document in documents if document != found.start}
