"""Entity linking of a query: the gazetteer's matches and partial aliases, weighed as seed entities.

For a reader who is restricted to groups, names, degrees and the number of chunks are those of the documents that it may see.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from interlace.domain.reader import reader_groups
from interlace.entities.gazetteer import Match
from interlace.entities.linker import EntityLinker
from interlace.entities.visible import visible_links
from interlace.entities.visible_cache import VisibleView
from interlace.queries.entities import DescribeEntitiesRow, describe_entities
from interlace.search.partial_aliases import find_partial
from interlace.search.seeds import SeedMatch, Seeds, find_seeds


@dataclass(frozen=True, slots=True)
class LinkedEntities:
    """The entities in a query.

    Args:
        seeds: their weights, and the residual query.
        names: entity id to name.
        visible: what a reader who is restricted to groups may know of entities.
    """

    seeds: Seeds
    names: Mapping[str, str]
    visible: VisibleView


def unlinked(text: str, visible: VisibleView) -> LinkedEntities:
    """Return the result for a query in which nothing was looked up."""
    return LinkedEntities(find_seeds(text, (), total_chunks=1), {}, visible)


def link_entities(
    visible: VisibleView, linker: EntityLinker, text: str, *, max_seeds: int, timeout: float, partial: bool
) -> LinkedEntities:
    """Link the entities in a query and weigh them.

    Args:
        visible: what a reader who is restricted to groups may know of entities.
        linker: the tenant's gazetteer.
        text: the query.
        max_seeds: seed entities that are kept, the highest weights first.
        timeout: seconds that the look-up of partial aliases may take.
        partial: whether entities that the query names in part, or misspells, count too.
    """
    matches, rows = _named(visible, linker, text)
    found = [
        SeedMatch(entity, match.start, match.end, rows[entity].degree, title=rows[entity].titled)
        for match in matches
        for entity in match.entities
        if entity in rows
    ]
    parts = find_partial(visible, text, found, timeout=timeout) if partial else []
    spans = {(part.match.start, part.match.end) for part in parts}
    # A partial alias spans more words than the matches inside it.
    whole = [match for match in found if not any(start <= match.start and match.end <= end for start, end in spans)]
    hidden = 0 if reader_groups() is None else visible.hidden_chunks()
    total = max(linker.chunks - hidden, 1)
    seeds = find_seeds(text, [*whole, *(part.match for part in parts)], total_chunks=total)
    kept = sorted(seeds.weights, key=lambda entity: (-seeds.weights[entity], entity))[:max_seeds]
    weighed = replace(seeds, weights={entity: seeds.weights[entity] for entity in kept})
    names = {entity: row.name for entity, row in rows.items()} | {part.match.entity: part.name for part in parts}
    return LinkedEntities(weighed, names, visible)


def _named(
    visible: VisibleView, linker: EntityLinker, text: str
) -> tuple[Sequence[Match], Mapping[str, DescribeEntitiesRow]]:
    """Return the matches of whole aliases in a query, and the entities that they name, by id."""
    if reader_groups() is not None:
        known = visible.entities(linker.mentionable(text))
        rows = {
            entity_id: DescribeEntitiesRow(entity_id, each.state.name, each.degree, each.titled, each.state.guessed)
            for entity_id, each in known.items()
        }
        matches = visible_links(text, known)
        rest = {entity_id: known[entity_id] for entity_id, row in rows.items() if not row.guessed}
        return _unshadowed(matches, lambda: visible_links(text, rest), rows), rows
    matches = linker.find(text)
    rows = _described(visible, linker.tenant, {entity for match in matches for entity in match.entities})
    if any(row.guessed for row in rows.values()):
        rows = _described(visible, linker.tenant, linker.mentionable(text))
    guesses = {entity_id for entity_id, row in rows.items() if row.guessed}
    return _unshadowed(matches, lambda: linker.find(text, without=guesses), rows), rows


def _described(visible: VisibleView, tenant: str, ids: AbstractSet[str]) -> dict[str, DescribeEntitiesRow]:
    found = describe_entities(visible.graph, tenant=tenant, ids=sorted(ids)) if ids else []
    return {row.id: row for row in found}


def _unshadowed(
    matches: Sequence[Match], find_known: Callable[[], Sequence[Match]], rows: Mapping[str, DescribeEntitiesRow]
) -> Sequence[Match]:
    """Return the matches without those that only a model names and that overlap another name: ``Hong Kong duo`` and ``Hong Kong``."""
    guessed = [match for match in matches if all(each in rows and rows[each].guessed for each in match.entities)]
    if not guessed:
        return matches
    known = find_known()
    apart = [
        match for match in guessed if not any(other.start < match.end and match.start < other.end for other in known)
    ]
    return sorted([*known, *apart], key=lambda match: match.start)
