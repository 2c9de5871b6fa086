"""Bounded breadth-first search over links, and personalised PageRank (Haveliwala 2002) on what it reached."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from interlace.domain.relations import Direction
from interlace.ports.links import LinkedPair, LinkGraph
from interlace.search.pagerank import personalised_pagerank
from interlace.search.profile import PROFILE, GraphProfile, LinkProfile


@dataclass(frozen=True, slots=True)
class Reached:
    """A document that the search reached.

    Args:
        document: its id.
        distance: links followed, from 1.
        path: ids from the start to this document: the shortest path, of several the first by id.
        pairs: the links between it and the document before it on the path, by direction.
    """

    document: str
    distance: int
    path: tuple[str, ...]
    pairs: tuple[LinkedPair, ...]


@dataclass(frozen=True, slots=True)
class Neighborhood:
    """What the search found: documents by distance and id, every linked pair among them, and whether a bound cut anything off."""

    start: str
    reached: tuple[Reached, ...]
    pairs: tuple[LinkedPair, ...]
    truncated: bool


def neighborhood(
    links: LinkGraph,
    tenant: str,
    start: str,
    direction: Direction,
    distance: int,
    profile: LinkProfile,
    *,
    enough: int | None = None,
) -> Neighborhood:
    """Return the documents around one, found level by level.

    Args:
        links: the link graph.
        tenant: the tenant.
        start: id of the document.
        direction: follow links forwards, backwards or both ways.
        distance: levels, at least 1.
        profile: how many neighbours of a document are followed, and how many documents may be reached in all.
        enough: stop after the level that reaches this many documents; none for all levels.
    """
    paths: dict[str, tuple[str, ...]] = {start: (start,)}
    seen: dict[tuple[str, str], LinkedPair] = {}
    frontier, truncated = [start], False
    for _ in range(distance):
        # One more than wanted shows whether there are more.
        found = links.adjacent(tenant, frontier, direction, profile.fan_out + 1)
        kept, cut = _within(found, frontier, direction, profile.fan_out)
        seen |= {(pair.source, pair.target): pair for pair in kept}
        reached = _next_level(kept, frontier, paths, direction)
        free = profile.documents + 1 - len(paths)
        truncated |= cut or len(reached) > free
        frontier = sorted(reached)[:free]
        paths |= {document: reached[document] for document in frontier}
        full = truncated and len(paths) > profile.documents
        if not frontier or full or (enough is not None and len(paths) > enough):
            break
    documents = [_reached(document, path, seen) for document, path in paths.items() if document != start]
    documents.sort(key=lambda each: (each.distance, each.document))
    pairs = tuple(seen[ends] for ends in sorted(seen) if ends[0] in paths and ends[1] in paths)
    return Neighborhood(start, tuple(documents), pairs, truncated)


def _within(
    pairs: Sequence[LinkedPair], frontier: Sequence[str], direction: Direction, fan_out: int
) -> tuple[list[LinkedPair], bool]:
    """Return the first pairs of each document, by the id of the other end, and whether there were more."""
    counts: dict[tuple[str, bool], int] = {}
    kept: dict[tuple[str, str], LinkedPair] = {}
    asked, cut = set(frontier), False
    for pair in sorted(pairs, key=lambda each: (each.source, each.target)):
        for end, on in ((pair.source, True), (pair.target, False)):
            if end not in asked or direction == ("in" if on else "out"):
                continue
            counts[end, on] = counts.get((end, on), 0) + 1
            if counts[end, on] > fan_out:
                cut = True
            else:
                kept[pair.source, pair.target] = pair
    return list(kept.values()), cut


def _next_level(
    pairs: Sequence[LinkedPair], frontier: Sequence[str], paths: dict[str, tuple[str, ...]], direction: Direction
) -> dict[str, tuple[str, ...]]:
    """Return the documents that were not reached before, each with its first shortest path."""
    before, found = set(frontier), dict[str, tuple[str, ...]]()
    for pair in pairs:
        for here, there, on in ((pair.source, pair.target, True), (pair.target, pair.source, False)):
            if here in before and there not in paths and direction != ("in" if on else "out"):
                path = (*paths[here], there)
                found[there] = min(path, found.get(there, path))
    return found


def _reached(document_id: str, path: tuple[str, ...], seen: dict[tuple[str, str], LinkedPair]) -> Reached:
    before = path[-2]
    pairs = [seen[ends] for ends in ((before, document_id), (document_id, before)) if ends in seen]
    return Reached(document_id, len(path) - 1, path, tuple(pairs))


def nearness(found: Neighborhood, profile: GraphProfile = PROFILE.graph) -> dict[str, float]:
    """Return document to its probability (0 to 1) by personalised PageRank (Haveliwala 2002) that restarts at the start.

    Links are followed both ways, in proportion to 1 + ln(number of links between the two documents), with the damping factor of the graph
    leg. The start itself is left out.
    """
    documents = sorted({found.start, *(each.document for each in found.reached)})
    at = {document: number for number, document in enumerate(documents)}
    counts: Counter[tuple[int, int]] = Counter()
    for pair in found.pairs:
        one, other = sorted((at[pair.source], at[pair.target]))
        counts[one, other] += len(pair.links)
    ends = np.array(sorted(counts), dtype=np.intp).reshape(-1, 2)
    one_way = np.array([1 + np.log(counts[int(one), int(other)]) for one, other in ends])
    # Each pair is an edge in both directions: (2e,) arrays.
    source, target = np.concatenate((ends[:, 0], ends[:, 1])), np.concatenate((ends[:, 1], ends[:, 0]))
    weight = np.concatenate((one_way, one_way))
    probability = weight / np.bincount(source, weights=weight, minlength=len(documents))[source]
    restart = np.zeros(len(documents))
    restart[at[found.start]] = 1.0
    rank = personalised_pagerank(
        source, target, probability, restart, damping=profile.damping, iterations=profile.iterations
    )
    return {document: float(rank[at[document]]) for document in documents if document != found.start}
