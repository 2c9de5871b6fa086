"""What a hit shows people: its text and source, its place in each leg, the path with its sentences, and Cypher to see it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from interlace.cypher_files import query
from interlace.domain.hits import Hit, LegRank, LinkedChunk, PathStep, Ranked
from interlace.ports.graph import GraphDatabase, Row
from interlace.search.fusion import FusedHit, LegHit
from interlace.search.legs.graph import Walked
from interlace.text.sentences import sentence_at

_HYDRATE = query("chunks/hydrate_chunks")
_LOCATE = query("chunks/locate_chunks")
_MENTIONS = query("entities/path_mentions")
_SHOW = query("entities/show_path")
_METADATA = "metadata."
_SHOWN_ENTITIES = 8
_LONGEST_SENTENCE = 300
_COVERED = 10
NOTHING: Mapping[str, Mapping[str, float]] = MappingProxyType({})


def describe_hits(
    graph: GraphDatabase,
    tenant: str,
    fused: Sequence[FusedHit],
    walked: Walked,
    *,
    limit: int,
    similarity: Mapping[str, float] | None = None,
    judged: Mapping[str, Mapping[str, float]] = NOTHING,
) -> tuple[Hit, ...]:
    """Return the first hits as people see them; chunks that the graph does not hold (any more) are left out.

    Args:
        graph: the graph.
        tenant: whose chunks.
        fused: best first, with some to spare.
        walked: what the walk found, for the paths.
        limit: hits wanted.
        similarity: chunk to cosine with the remainder; given when the figures behind each hit are wanted.
        judged: chunk to what a cross-encoder adds to the figures.
    """
    ids = dict.fromkeys([hit.chunk for hit in fused] + [hit.linked.chunk for hit in fused if hit.linked])
    rows = {row["id"]: row for row in graph.run(_HYDRATE, tenant=tenant, ids=list(ids))}
    shown = [hit for hit in fused if hit.chunk in rows][:limit]
    mentions = _path_mentions(graph, tenant, shown, walked)
    return tuple(
        replace(
            _hit(tenant, rank, hit, rows[hit.chunk], _path(hit.chunk, walked, mentions)),
            linked_with=_linked_with(hit, rows),
            figures={} if similarity is None else {**_figures(hit, walked, similarity), **judged.get(hit.chunk, {})},
        )
        for rank, hit in enumerate(shown, start=1)
    )


def _figures(hit: FusedHit, walked: Walked, similarity: Mapping[str, float]) -> dict[str, float]:
    figures = {"rrf": hit.rrf}
    if hit.chunk in walked.ranked:
        figures["walk"] = walked.ranked[hit.chunk].score
    if hit.chunk in similarity:
        figures["similarity"] = similarity[hit.chunk]
    if hit.linked:
        figures["nearness"] = hit.linked.nearness
    return figures


def _linked_with(hit: FusedHit, rows: Mapping[str, Row]) -> LinkedChunk | None:
    if hit.linked is None or hit.linked.chunk not in rows:
        return None
    document = rows[hit.linked.chunk]["document"]
    return LinkedChunk(hit.linked.chunk, document["id"], document["title"])


def source_coverage(graph: GraphDatabase, tenant: str, chunks: Sequence[str]) -> float:
    """Return the distinct documents among the first ten chunks as a share (0 to 1) of those chunks; 0 without any."""
    first = list(chunks[:_COVERED])
    rows = graph.run(_LOCATE, tenant=tenant, ids=first) if first else []
    return len({row["documentId"] for row in rows}) / len(rows) if rows else 0.0


def locate(graph: GraphDatabase, tenant: str, lists: Mapping[str, Sequence[LegHit]]) -> dict[str, tuple[Ranked, ...]]:
    """Return every list with the documents of its chunks."""
    ids = sorted({hit.chunk for hits in lists.values() for hit in hits})
    rows = {row["id"]: row for row in graph.run(_LOCATE, tenant=tenant, ids=ids)} if ids else {}
    return {
        leg: tuple(
            Ranked(hit.chunk, rows[hit.chunk]["documentId"], rows[hit.chunk]["sourceUri"], hit.score)
            for hit in hits
            if hit.chunk in rows
        )
        for leg, hits in lists.items()
    }


def _hit(tenant: str, rank: int, hit: FusedHit, row: Row, path: tuple[PathStep, ...]) -> Hit:
    document = row["document"]
    return Hit(
        rank=rank,
        score=hit.score,
        chunk_id=hit.chunk,
        document_id=document["id"],
        title=document["title"],
        source_uri=document["sourceUri"],
        section=row["section"],
        text=row["text"],
        start=row["start"],
        end=row["end"],
        tags=tuple(document.get("tags") or ()),
        metadata={key[len(_METADATA) :]: value for key, value in document.items() if key.startswith(_METADATA)},
        legs=tuple(
            LegRank(leg, part.rank, part.score, part.weight, part.share)
            for leg, part in sorted(hit.legs.items(), key=lambda item: (-item[1].share, item[0]))
        ),
        path=path,
        boosts={
            "graph": hit.rerank.prior,
            "similarity": hit.rerank.similarity,
            "proximity": hit.rerank.proximity,
        },
        cypher=_cypher(tenant, hit.chunk, path),
    )


def _path_mentions(
    graph: GraphDatabase, tenant: str, hits: Sequence[FusedHit], walked: Walked
) -> dict[tuple[str, str], Row]:
    pairs: set[tuple[str, str]] = set()
    for hit in hits:
        pairs.update(_pairs(hit.chunk, walked))
    if not pairs:
        return {}
    wanted = [{"chunk": chunk, "entity": entity} for chunk, entity in sorted(pairs)]
    return {(row["chunk"], row["entity"]): row for row in graph.run(_MENTIONS, tenant=tenant, pairs=wanted)}


def _pairs(chunk: str, walked: Walked) -> list[tuple[str, str]]:
    """Return the (found, name) pairs along the path to a found, in order: each name with the found it leads to."""
    ranked = walked.ranked.get(chunk)
    if ranked is None:
        return []
    steps = ranked.path
    pairs = []
    for here, after in pairwise(steps):
        pairs.append((after.id, here.id) if here.kind == "entity" else (here.id, after.id))
    return pairs


def _path(chunk: str, walked: Walked, mentions: Mapping[tuple[str, str], Row]) -> tuple[PathStep, ...]:
    steps = []
    for found, entity in _pairs(chunk, walked):
        row = mentions.get((found, entity))
        if row is not None:
            name = walked.names.get(entity, "")
            steps.append(
                PathStep(
                    entity, name, found, row["title"], sentence_at(row["text"], row["offset"] or 0, _LONGEST_SENTENCE)
                )
            )
    return tuple(steps)


def _cypher(tenant: str, chunk: str, path: Sequence[PathStep]) -> str:
    """Return a query that a person can paste: ids are UUIDs of ours, so they need no escape."""
    chunks = list(dict.fromkeys([*(step.chunk_id for step in path), chunk]))
    entities = list(dict.fromkeys(step.entity_id for step in path))
    text = _SHOW.text
    if not entities:
        text = text.replace("c.id IN $chunks AND e.id IN $entities", "c.id IN $chunks")
        text += f"\nLIMIT {_SHOWN_ENTITIES}"
    values: dict[str, Any] = {"$chunks": chunks, "$entities": entities, "$tenant": tenant}
    for name, value in values.items():
        text = text.replace(name, _literal(value))
    return text


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return f"'{value}'"
