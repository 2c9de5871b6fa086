"""Personalised PageRank over the bounded neighbourhood of a question, and the best path to each chunk.

The restart falls on the seed entities (and a little on first-stage chunks); edges lead from an entity to the chunks that mention it and
from a chunk to the entities that it mentions. A title counts as several mentions; a mention whose context shares words with the
residual query counts more. Sources: Haveliwala 2002, "Topic-Sensitive PageRank"; HippoRAG (arXiv 2405.14831) for retrieval.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from interlace.search.best_paths import Index, Probabilities, Transitions, best_paths
from interlace.search.candidates import Candidate, is_direct
from interlace.search.profile import PROFILE, GraphProfile
from interlace.text.rarity import inverse_frequency
from interlace.text.similarity import StemOverlap


class MentionEdge(NamedTuple):
    """A mention that the expansion returned.

    Args:
        chunk: id of the chunk.
        entity: id of the entity it mentions.
        via: ``ner``, ``short``, ``acronym``, ``linker``, ``link``, ``declared``, ``llm`` or ``title`` (the chunk's document is about the entity).
        occurrences: in the chunk.
        degree: chunks that mention the entity, in the whole graph.
        context: case-folded words around the occurrences; may be empty.
        key: the normalised form that the linker found; a chunk may hold several forms of an entity, and each is a mention.
    """

    chunk: str
    entity: str
    via: str
    occurrences: int
    degree: int
    context: tuple[str, ...] = ()
    key: str = ""


Edges = Mapping[tuple[str, str], Sequence[MentionEdge]]
"""Chunk and entity to the mentions that make their edge."""


def rank_chunks(
    mentions: Iterable[MentionEdge],
    seeds: Mapping[str, float],
    first_stage: Mapping[str, float],
    *,
    total_chunks: int,
    residual_terms: Sequence[str] = (),
    profile: GraphProfile = PROFILE.graph,
    names: Mapping[str, str] = MappingProxyType({}),
    limit: int | None = None,
) -> list[Candidate]:
    """Rank the chunks that PageRank reaches, best first, ties by id; scores are stationary probabilities.

    The result depends on the set of mentions alone, not on the order of rows.

    Args:
        mentions: rows of the expansion; several mentions of an entity by the same chunk make one edge.
        seeds: entity to weight above 0 (``find_seeds``).
        first_stage: chunk to weight above 0 (``first_stage``).
        total_chunks: number of chunks of the tenant.
        residual_terms: content words of the residual query.
        profile: constants.
        names: entity to its name, for the paths.
        limit: chunks wanted; all without it.
    """
    edges = _edges(mentions)
    graph = _build(edges, seeds, first_stage, total_chunks, residual_terms, profile)
    if not graph.chunks:
        return []
    scores = _bipartite_pagerank(graph, profile)
    order = [at for at in np.lexsort((np.arange(len(scores)), -scores)) if scores[at] > 0][:limit]
    paths = best_paths(graph, profile.damping, order, names)
    found = {graph.chunks[at]: (float(scores[at]), path) for at, path in zip(order, paths, strict=True)}
    mentioned = _mentioned({chunk for chunk, (_, path) in found.items() if is_direct(path)}, edges)
    return [Candidate(chunk, score, path, *mentioned.get(chunk, ())) for chunk, (score, path) in found.items()]


def personalised_pagerank(
    source: Index, target: Index, probability: Probabilities, restart: Probabilities, *, damping: float, iterations: int
) -> Probabilities:
    """Return the probability of each node after some power iterations.

    Args:
        source: edge to the node it leaves, ``(e,)``.
        target: edge to the node it enters, ``(e,)``.
        probability: of the edge among those that leave its source, ``(e,)``.
        restart: probability of restarting at each node, ``(n,)``.
        damping: probability of following an edge rather than restarting.
        iterations: rounds.

    Returns:
        ``(n,) float64``.
    """
    rank = restart
    for _ in range(iterations):
        followed = np.bincount(target, weights=probability * rank[source], minlength=len(restart))
        rank = damping * followed + (1 - damping) * restart
    return rank


def _bipartite_pagerank(graph: Transitions, profile: GraphProfile) -> Probabilities:
    """Return the probability of each chunk: entities are the nodes after the chunks."""
    chunks = len(graph.chunks)
    entity = graph.column + chunks
    rank = personalised_pagerank(
        np.concatenate((entity, graph.row)),
        np.concatenate((graph.row, entity)),
        np.concatenate((graph.to_chunk, graph.to_entity)),
        np.concatenate((graph.chunk_restart, graph.entity_restart)),
        damping=profile.damping,
        iterations=profile.iterations,
    )
    return rank[:chunks]


def _edges(mentions: Iterable[MentionEdge]) -> Edges:
    edges: dict[tuple[str, str], list[MentionEdge]] = {}
    # A set, because two rows of the expansion may hold the same mention.
    for mention in set(mentions):
        edges.setdefault((mention.chunk, mention.entity), []).append(mention)
    return edges


def _mentioned(chunks: set[str], edges: Edges) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return for chunks the entities that their documents are about, and those that they mention."""
    found: dict[str, tuple[list[str], list[str]]] = {chunk: ([], []) for chunk in chunks}
    for (chunk, entity), mentions in edges.items():
        if chunk in found:
            subjects, mentioned = found[chunk]
            mentioned.append(entity)
            if any(mention.via == "title" for mention in mentions):
                subjects.append(entity)
    return {chunk: (frozenset(subjects), frozenset(mentioned)) for chunk, (subjects, mentioned) in found.items()}


def _build(
    edges: Edges,
    seeds: Mapping[str, float],
    first_stage: Mapping[str, float],
    total: int,
    residual_terms: Sequence[str],
    profile: GraphProfile,
) -> Transitions:
    # Sorted, so that sums of floats do not depend on the order of rows.
    pairs = sorted(edges)
    chunks = sorted({chunk for chunk, _ in pairs} | set(first_stage))
    entities = sorted({entity for _, entity in pairs} | set(seeds))
    chunk_at = {chunk: index for index, chunk in enumerate(chunks)}
    entity_at = {entity: index for index, entity in enumerate(entities)}
    row = np.array([chunk_at[chunk] for chunk, _ in pairs], dtype=np.intp)
    column = np.array([entity_at[entity] for _, entity in pairs], dtype=np.intp)
    weight = np.array([_weight(edges[pair], total, profile) for pair in pairs])
    terms = StemOverlap(residual_terms)
    gain = np.array([_context_gain(edges[pair], terms, profile) for pair in pairs])
    share = profile.first_stage_restart if seeds else 1.0
    return Transitions(
        chunks,
        entities,
        row,
        column,
        to_chunk=_normalized(weight, column, len(entities)),
        to_entity=_normalized(weight * gain, row, len(chunks)),
        chunk_restart=_restart(chunks, first_stage, share),
        entity_restart=_restart(entities, seeds, 1 - share if first_stage else 1.0),
    )


def _weight(mentions: Sequence[MentionEdge], total: int, profile: GraphProfile) -> float:
    """Return (1 + ln(1 + count)) · idf, times ``profile.title`` for a title."""
    count, degree, title = 0, 0, 1.0
    for mention in mentions:
        degree = max(degree, mention.degree)
        if mention.via == "title":
            title = profile.title
        else:
            count += mention.occurrences
    return (1 + math.log1p(count)) * inverse_frequency(degree, total) * title


def _context_gain(mentions: Sequence[MentionEdge], terms: StemOverlap, profile: GraphProfile) -> float:
    return math.exp(profile.context * max(terms.recall(mention.context) for mention in mentions))


def _normalized(weight: Probabilities, group: Index, groups: int) -> Probabilities:
    total = np.bincount(group, weights=weight, minlength=groups)
    total[total == 0] = 1
    return np.asarray(weight / total[group], dtype=np.float64)


def _restart(ids: Sequence[str], weights: Mapping[str, float], share: float) -> Probabilities:
    restart = np.array([weights.get(each, 0.0) for each in ids])
    total = restart.sum()
    return np.asarray(restart * (share / total) if total else restart, dtype=np.float64)
