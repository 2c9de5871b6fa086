"""The graph leg: names of the question, a bounded expansion in Cypher, personalised PageRank on what came back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from interlace.cypher_files import query
from interlace.entities.linker import EntityLinker
from interlace.ports.graph import GraphDatabase, Row
from interlace.search.fusion import LegHit
from interlace.search.legs.vectors import Scope
from interlace.search.pagerank import DEFAULT, Edge, RankedChunk, Walk, rank_chunks
from interlace.search.partial_names import find_partial
from interlace.search.seeds import SeedMatch, Seeds, find_seeds
from interlace.search.weights import FusionWeights
from interlace.settings import QuerySettings

_DESCRIBE = query("entities/describe_entities")
_EXPAND = query("entities/expand_entities")
STEPS = 3
"""Steps of the expansion: from names to restart_chunks, on to their names, and to restart_chunks again."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The question's names as the graph knows them: seeds, and entity id to name."""

    seeds: Seeds
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Walked:
    """What the walk found.

    Args:
        hits: restart_chunks, best first; scores are probabilities.
        ranked: the same with their paths, by chunk id.
        names: entity id to name, for every name on the way.
        edges: mentions that the expansion brought.
    """

    hits: list[LegHit]
    ranked: Mapping[str, RankedChunk]
    names: Mapping[str, str]
    edges: int


NOWHERE = Walked([], {}, {}, 0)


def known_names(
    graph: GraphDatabase, registry: EntityLinker, text: str, settings: QuerySettings, *, in_part: bool = True
) -> KnownNames:
    """Link the question and weigh its names; ``in_part``: also those that it gives in part or misspelt."""
    matches = registry.find(text)
    ids = sorted({entity for match in matches for entity in match.entities})
    rows = {row["id"]: row for row in graph.run(_DESCRIBE, tenant=registry.tenant, ids=ids)} if ids else {}
    found = [
        SeedMatch(entity, match.start, match.end, rows[entity]["degree"], title=rows[entity]["titled"])
        for match in matches
        for entity in match.entities
        if entity in rows
    ]
    partial = find_partial(graph, registry.tenant, text, found, timeout=settings.leg_timeout) if in_part else []
    runs = {(each.match.start, each.match.end) for each in partial}
    whole = [match for match in found if not any(start <= match.start and match.end <= end for start, end in runs)]
    found = [*whole, *(each.match for each in partial)]
    seeds = find_seeds(text, found, total_chunks=max(registry.chunks, 1))
    strongest = sorted(seeds.weights, key=lambda entity: (-seeds.weights[entity], entity))[: settings.seeds]
    kept = Seeds({entity: seeds.weights[entity] for entity in strongest}, seeds.matches, seeds.remainder, seeds.asked)
    names = {entity: row["name"] for entity, row in rows.items()}
    return KnownNames(kept, names | {each.match.entity: each.name for each in partial})


def walk(
    graph: GraphDatabase,
    registry: EntityLinker,
    scope: Scope,
    known: KnownNames,
    restart_chunks: Mapping[str, float],
    settings: QuerySettings,
    weights: FusionWeights,
) -> Walked:
    """Expand from the names and the first-stage restart_chunks and rank what is reached.

    Args:
        graph: the graph.
        registry: the tenant's names; tells how many restart_chunks there are.
        scope: the query.
        known: the question's names.
        restart_chunks: first-stage restart_chunks to their weight.
        settings: bounds of the expansion.
        weights: tell which boosts of the walk are left out.
    """
    if not known.seeds.weights and not restart_chunks:
        return NOWHERE
    rows = graph.run(
        _EXPAND,
        timeout=scope.timeout,
        tenant=scope.tenant,
        seeds=sorted(known.seeds.weights),
        chunks=sorted(restart_chunks),
        chunksPerEntity=settings.chunks_per_entity,
        entitiesPerChunk=settings.entities_per_chunk,
        hubCap=settings.hub_cap,
        seedCap=settings.seed_cap,
        names=settings.names_expanded,
        title=DEFAULT.title,
        allowed=scope.allowed,
    )
    edges = _edges(rows)
    ranked = rank_chunks(
        edges,
        known.seeds.weights,
        restart_chunks,
        total_chunks=max(registry.chunks, 1),
        asked=known.seeds.asked,
        walk=constants(weights),
        limit=scope.limit,
    )
    return Walked(
        hits=[LegHit(chunk.chunk, chunk.score) for chunk in ranked],
        ranked={chunk.chunk: chunk for chunk in ranked},
        names={**{row["entity"]: row["name"] for row in rows}, **known.names},
        edges=len(edges),
    )


def constants(weights: FusionWeights) -> Walk:
    """Return the constants of the walk for a query, less the boosts that it leaves out."""
    return replace(
        DEFAULT,
        title=DEFAULT.title if weights.uses("titles") else 1.0,
        focus=DEFAULT.focus if weights.uses("near_words") else 0.0,
    )


def _edges(rows: Iterable[Row]) -> list[Edge]:
    """Return each mention once; the one that brings the words around it wins."""
    found: dict[tuple[str, str, str, str], Edge] = {}
    for row in rows:
        entity, degree = row["entity"], row["degree"]
        for chunk, via, key, count, near in row["mentions"]:
            mention = (chunk, entity, via, key or "")
            if near or mention not in found:
                around = tuple(near.split()) if near else ()
                found[mention] = Edge(chunk, entity, via, count, degree, around, key or "")
    return list(found.values())
