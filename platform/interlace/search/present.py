"""The present stage: hits with text and source, contributions of the legs, the path with its sentences, and Cypher that shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from interlace.cypher_files import query
from interlace.domain.hits import Hit, LegRank, LinkedChunk, PathStep, Ranked, Sort
from interlace.domain.reader import reader_groups
from interlace.entities.visible_cache import VisibleView
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import HydrateChunksRow, hydrate_chunks, locate_chunks
from interlace.queries.mentions import PathMentionsRow, path_mentions
from interlace.search.candidates import Candidate, RankedCandidate, Step
from interlace.search.execution import Run, Task
from interlace.text.sentences import sentence_at

_SHOW = query("expansion/show_path")
_METADATA = "metadata."
_MAX_ENTITIES = 8
_MAX_SENTENCE_CHARACTERS = 300
_COVERED = 10


def describe_hits(
    run: Run,
    graph: GraphDatabase,
    tenant: str,
    ranked: Sequence[RankedCandidate],
    paths: Mapping[str, tuple[Step, ...]],
    visible: VisibleView,
    *,
    limit: int,
    figures: bool = False,
) -> tuple[Hit, ...]:
    """Return the first candidates as hits; chunks that are missing from the graph are left out.

    The sentences of the paths are read in parallel with the chunks; if that fails or is late, hits have no paths.

    Args:
        run: the search.
        graph: the graph.
        tenant: whose chunks.
        ranked: best first, with some to spare.
        paths: chunk to its path through the graph.
        visible: what a reader who is restricted to groups may know of entities.
        limit: hits wanted.
        figures: whether hits carry the figures behind their features.
    """
    first = ranked[:limit]
    sentences = _start_sentences(run, graph, tenant, [paths.get(each.id, ()) for each in first])
    rows = _hydrated(graph, tenant, first)
    if any(each.id not in rows for each in first):
        # Others take the places of chunks that were deleted meanwhile.
        rows |= _hydrated(graph, tenant, ranked[limit:])
        first = [each for each in ranked if each.id in rows][:limit]
        sentences = _start_sentences(run, graph, tenant, [paths.get(each.id, ()) for each in first])
    paths = _named_paths(visible, {each.id: paths.get(each.id, ()) for each in first})
    mentions = (run.wait("path_sentences", sentences) if sentences else None) or {}
    return tuple(
        replace(
            _hit(tenant, rank, each, rows[each.id], _path(paths[each.id], mentions)),
            linked_with=_linked_with(each, rows),
            figures=each.figures if figures else {},
        )
        for rank, each in enumerate(first, start=1)
    )


def _hydrated(graph: GraphDatabase, tenant: str, ranked: Sequence[RankedCandidate]) -> dict[str, HydrateChunksRow]:
    ids = dict.fromkeys([each.id for each in ranked] + [each.linked.id for each in ranked if each.linked])
    return {row.id: row for row in hydrate_chunks(graph, tenant=tenant, ids=list(ids))} if ids else {}


def sorted_hits(hits: tuple[Hit, ...], sort: Sort) -> tuple[Hit, ...]:
    """Return the hits in the requested order, with ranks to match; hits of the same date stay in order of relevance."""
    if sort == "relevance":
        return hits
    ordered = sorted(hits, key=lambda hit: hit.dated, reverse=sort == "newest")
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1))


def _linked_with(each: RankedCandidate, rows: Mapping[str, HydrateChunksRow]) -> LinkedChunk | None:
    if each.linked is None or each.linked.id not in rows:
        return None
    document = rows[each.linked.id].document
    return LinkedChunk(each.linked.id, document["id"], document["title"])


def source_coverage(graph: GraphDatabase, tenant: str, chunks: Sequence[str]) -> float:
    """Return the distinct documents among the first ten chunks as a share (0 to 1) of those chunks; 0 without any."""
    first = list(chunks[:_COVERED])
    rows = locate_chunks(graph, tenant=tenant, ids=first) if first else []
    return len({row.document_id for row in rows}) / len(rows) if rows else 0.0


def locate(
    graph: GraphDatabase, tenant: str, lists: Mapping[str, Sequence[Candidate]]
) -> dict[str, tuple[Ranked, ...]]:
    """Return every list with the documents of its chunks."""
    ids = sorted({hit.id for hits in lists.values() for hit in hits})
    rows = {row.id: row for row in locate_chunks(graph, tenant=tenant, ids=ids)} if ids else {}
    return {
        leg: tuple(
            Ranked(hit.id, rows[hit.id].document_id, rows[hit.id].source_uri, hit.score)
            for hit in hits
            if hit.id in rows
        )
        for leg, hits in lists.items()
    }


def _hit(tenant: str, rank: int, each: RankedCandidate, row: HydrateChunksRow, path: tuple[PathStep, ...]) -> Hit:
    document = row.document
    return Hit(
        rank=rank,
        score=each.score,
        chunk_id=each.id,
        document_id=document["id"],
        title=document["title"],
        source_uri=document["sourceUri"],
        section=row.section,
        text=row.text,
        start=row.start,
        end=row.end,
        tags=tuple(document.get("tags") or ()),
        metadata={key[len(_METADATA) :]: value for key, value in document.items() if key.startswith(_METADATA)},
        legs=tuple(
            LegRank(leg, part.rank, part.score, part.weight, part.share)
            for leg, part in sorted(each.legs.items(), key=lambda item: (-item[1].share, item[0]))
        ),
        path=path,
        boosts={
            "graph": each.features.graph,
            "similarity": each.features.similarity,
            "keyword": each.features.keyword,
            "document": each.features.document,
            "proximity": each.features.proximity,
            **each.features.boosts,
        },
        cypher=_cypher(tenant, each.id, path),
        position=row.position,
        section_type=row.section_type,
        created_at=document.get("createdAt"),
        modified_at=document.get("modifiedAt"),
        indexed_at=document.get("indexedAt"),
    )


def _named_paths(visible: VisibleView, paths: Mapping[str, tuple[Step, ...]]) -> Mapping[str, tuple[Step, ...]]:
    """Return the paths with names of entities, which they lack for a reader who is restricted to groups."""
    unnamed = {step.id for path in paths.values() for step in path if step.kind == "entity" and not step.name}
    if not unnamed or reader_groups() is None:
        return paths
    names = {entity_id: each.state.name for entity_id, each in visible.entities(unnamed).items()}
    return {
        chunk: tuple(step._replace(name=names.get(step.id, step.name)) for step in path)
        for chunk, path in paths.items()
    }


def _start_sentences(
    run: Run, graph: GraphDatabase, tenant: str, paths: Sequence[Sequence[Step]]
) -> Task[dict[tuple[str, str], PathMentionsRow]] | None:
    """Start to read where the chunks of paths mention their entities; None without paths."""
    pairs = sorted({(chunk.id, entity.id) for path in paths for chunk, entity in _mentions(path)})
    if not pairs:
        return None
    wanted = [{"chunk": chunk, "entity": entity} for chunk, entity in pairs]
    return run.start(
        "path_sentences",
        lambda: {(row.chunk, row.entity): row for row in path_mentions(graph, tenant=tenant, pairs=wanted)},
    )


def _mentions(path: Sequence[Step]) -> list[tuple[Step, Step]]:
    """Return the mentions along a path, in order: chunk and entity, whichever of the two comes first."""
    return [(after, here) if here.kind == "entity" else (here, after) for here, after in pairwise(path)]


def _path(path: Sequence[Step], mentions: Mapping[tuple[str, str], PathMentionsRow]) -> tuple[PathStep, ...]:
    return tuple(
        PathStep(
            entity.id,
            entity.name,
            chunk.id,
            row.title,
            sentence_at(row.text, row.offset or 0, _MAX_SENTENCE_CHARACTERS),
        )
        for chunk, entity in _mentions(path)
        if (row := mentions.get((chunk.id, entity.id))) is not None
    )


def _cypher(tenant: str, chunk: str, path: Sequence[PathStep]) -> str:
    """Return a query to paste into Neo4j Browser; ids are our own UUIDs, so they need no escape."""
    chunks = list(dict.fromkeys([*(step.chunk_id for step in path), chunk]))
    entities = list(dict.fromkeys(step.entity_id for step in path))
    text = _SHOW.text
    if not entities:
        text = text.replace("c.id IN $chunks AND e.id IN $entities", "c.id IN $chunks")
        text += f"\nLIMIT {_MAX_ENTITIES}"
    values: dict[str, Any] = {"$chunks": chunks, "$entities": entities, "$tenant": tenant}
    for name, value in values.items():
        text = text.replace(name, _literal(value))
    return text


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return f"'{value}'"
