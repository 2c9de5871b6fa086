"""The graph leg: a bounded expansion from the seed entities in Cypher, then personalised PageRank on what came back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from interlace.domain.reader import reader_groups
from interlace.ports.graph import GraphDatabase
from interlace.queries.expansion import ExpandEntitiesRow, expand_entities
from interlace.search.candidates import Candidate
from interlace.search.legs.protocol import Input, Scope, SearchContext
from interlace.search.pagerank import MentionEdge, rank_chunks
from interlace.search.profile import GraphProfile
from interlace.search.visible_expansion import VisibleMentions, expand_visible
from interlace.search.weights import FusionWeights

HOPS = 3
"""Steps of the expansion: from entities to chunks, on to their entities, and to chunks again."""
MENTIONS = "mentions"
"""The count of mentions that an expansion returned."""


@dataclass(frozen=True, slots=True)
class GraphLeg:
    """Personalised PageRank from the query's entities and the first-stage chunks."""

    graph: GraphDatabase
    profile: GraphProfile
    name: ClassVar[str] = "graph"
    needs: ClassVar[Input] = "first_stage"

    def search(self, context: SearchContext) -> list[Candidate]:
        """Return the chunks that PageRank reaches, each with its best path; none if there is nothing to start from."""
        seeds = context.entities.seeds
        if not seeds.weights and not context.first_stage:
            return []
        chunks = sorted(context.first_stage)
        if reader_groups() is None:
            rows = expand(self.graph, context.scope, sorted(seeds.weights), chunks, self.profile)
            mentions, names = _mentions(rows), {row.entity: row.name for row in rows}
        else:
            # Names from visible documents cost a read of all their mentions: only those on the paths shown are read, later.
            degrees = {match.entity: match.degree for match in seeds.matches}
            weighed = {seed: degrees[seed] for seed in seeds.weights}
            visible = context.entities.visible
            mentions, names = _mentions(expand_visible(visible, context.scope, weighed, chunks, self.profile)), {}
        context.counts[MENTIONS] = len(mentions)
        return rank_chunks(
            mentions,
            seeds.weights,
            context.first_stage,
            total_chunks=seeds.total_chunks,
            residual_terms=seeds.residual_terms,
            profile=constants(self.profile, context.weights),
            names={**names, **context.entities.names},
            limit=context.scope.limit,
        )


def expand(
    graph: GraphDatabase, scope: Scope, seeds: Sequence[str], chunks: Sequence[str], bounds: GraphProfile
) -> list[ExpandEntitiesRow]:
    """Return what a bounded expansion from entities and chunks (ids) reaches."""
    return expand_entities(
        graph,
        tenant=scope.tenant,
        seeds=list(seeds),
        chunks=list(chunks),
        chunks_per_entity=bounds.chunks_per_entity,
        entities_per_chunk=bounds.entities_per_chunk,
        hub_cap=bounds.hub_cap,
        seed_cap=bounds.seed_cap,
        bridges=bounds.bridges,
        title=bounds.title,
        filter=scope.filter,
        timeout=scope.timeout,
    )


def constants(profile: GraphProfile, weights: FusionWeights) -> GraphProfile:
    """Return the constants for a query, without the boosts that it leaves out."""
    return replace(
        profile,
        title=profile.title if weights.uses("titles") else 1.0,
        context=profile.context if weights.uses("context_words") else 0.0,
    )


def _mentions(rows: Iterable[ExpandEntitiesRow | VisibleMentions]) -> list[MentionEdge]:
    """Return each mention once; of duplicates the one with context words."""
    found: dict[tuple[str, str, str, str], MentionEdge] = {}
    for row in rows:
        for chunk, via, key, count, context in row.mentions:
            mention = (chunk, row.entity, via, key or "")
            if context or mention not in found:
                words = tuple(context.split()) if context else ()
                found[mention] = MentionEdge(chunk, row.entity, via, count, row.degree, words, key or "")
    return list(found.values())
