"""The legs that need no walk: dense, keyword, community, tags, and file names and paths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interlace.cypher_files import query
from interlace.domain.filters import Filter
from interlace.domain.lexical import query_terms
from interlace.entities.names import key_of, tokens
from interlace.ports.graph import GraphDatabase
from interlace.ports.vectors import SparseVector, VectorIndex
from interlace.retrieval.fusion import LegHit
from interlace.settings import QuerySettings

_TAGGED = query("retrieve/tagged_chunks")
_NAMED = query("retrieve/named_documents")
_COMMUNITY_CHUNKS = query("retrieve/community_chunks")
_TAG_IN_TEXT = re.compile(r"#([\w/-]+)")
_COMMUNITIES = 5
_MEMBERS = 10


@dataclass(frozen=True, slots=True)
class Scope:
    """What every leg of a query works on.

    Args:
        tenant: whose documents.
        text: the question.
        where: the metadata filter, for the vector index.
        allowed: ids of the documents that satisfy it, for the graph; none when there is no filter.
        limit: hits a leg may bring.
        timeout: seconds it may take.
    """

    tenant: str
    text: str
    where: Filter | None
    allowed: Sequence[str] | None
    limit: int
    timeout: float


def dense(vectors: VectorIndex, scope: Scope, question: NDArray[np.float32], model: str) -> list[LegHit]:
    """Return passages whose embedding is near the question's."""
    found = vectors.search(
        scope.tenant,
        "chunks",
        question,
        using=model,
        limit=scope.limit,
        where=scope.where,
        timeout=scope.timeout,
    )
    return [LegHit(point.id, point.score) for point in found]


def keyword(vectors: VectorIndex, scope: Scope) -> list[LegHit]:
    """Return passages that share words with the question, by BM25."""
    terms = _sparse(scope.text)
    if not terms.indices:
        return []
    found = vectors.search(
        scope.tenant, "chunks", terms, using="bm25", limit=scope.limit, where=scope.where, timeout=scope.timeout
    )
    return [LegHit(point.id, point.score) for point in found]


def community(
    vectors: VectorIndex,
    graph: GraphDatabase,
    scope: Scope,
    question: NDArray[np.float32] | None,
    model: str,
    *,
    settings: QuerySettings,
) -> list[LegHit]:
    """Return passages of the communities whose summaries are near the question: similarity times share of central members."""
    wanted: NDArray[np.float32] | SparseVector = question if question is not None else _sparse(scope.text)
    found = vectors.search(
        scope.tenant,
        "communities",
        wanted,
        using=model if question is not None else "bm25",
        limit=_COMMUNITIES,
        timeout=scope.timeout,
    )
    if not found:
        return []
    scores = {point.id: point.score for point in found}
    rows = graph.read(
        _COMMUNITY_CHUNKS,
        timeout=scope.timeout,
        tenant=scope.tenant,
        ids=sorted(scores),
        members=_MEMBERS,
        chunksPerEntity=settings.chunks_per_entity,
        hubCap=settings.hub_cap,
        limit=scope.limit,
        allowed=scope.allowed,
    )
    best: dict[str, float] = {}
    for row in rows:
        best[row["chunk"]] = max(best.get(row["chunk"], 0.0), row["score"] * scores[row["community"]])
    ranked = sorted(best, key=lambda chunk: (-best[chunk], chunk))
    return [LegHit(chunk, best[chunk]) for chunk in ranked[: scope.limit]]


def tags(graph: GraphDatabase, scope: Scope, keywords: Sequence[str]) -> list[LegHit]:
    """Return the first passages of documents that carry tags named in the question, written ``#tag`` or as plain words."""
    wanted = sorted({tag.lower() for tag in _TAG_IN_TEXT.findall(scope.text)} | set(keywords))
    if not wanted:
        return []
    rows = graph.read(
        _TAGGED,
        timeout=scope.timeout,
        tenant=scope.tenant,
        tags=wanted,
        limit=scope.limit,
        allowed=scope.allowed,
    )
    return [LegHit(row["chunk"], row["score"]) for row in rows]


def paths(graph: GraphDatabase, scope: Scope) -> list[LegHit]:
    """Return the first passages of documents whose title or file name the question names in full."""
    words = sorted({token.form for token in tokens(scope.text)})
    if not words:
        return []
    # Only letters and digits are left in words, so nothing here is syntax to Lucene.
    search = f'+tenant:"{scope.tenant}" +(title:({" ".join(words)}) path:({" ".join(words)}))'
    rows = graph.read(
        _NAMED,
        timeout=scope.timeout,
        tenant=scope.tenant,
        search=search,
        limit=scope.limit,
        allowed=scope.allowed,
    )
    asked = f" {key_of(scope.text)} "
    return [LegHit(row["chunk"], row["score"]) for row in rows if _names(asked, row["title"], row["path"])]


def _names(asked: str, title: str, path: str) -> bool:
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return any(key and f" {key} " in asked for key in (key_of(title), key_of(stem), key_of(path)))


def _sparse(text: str) -> SparseVector:
    indices, values = query_terms(text)
    return SparseVector(indices, values)
