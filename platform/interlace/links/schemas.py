"""The answers of the link graph: strict and versioned, the same over HTTP, on the command line and in Python.

``SCHEMA_VERSION`` is raised whenever an answer that was valid would no longer be valid.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from interlace.domain.hits import LegName
from interlace.domain.policy import First
from interlace.domain.relations import Direction
from interlace.links.options import MAX_HOPS, NameMatching, PlannedMode

SCHEMA_VERSION: Literal[2] = 2


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Answer(_Strict):
    schema_version: Literal[2] = Field(description="version of this schema")


class DocumentRef(_Strict):
    """A document."""

    id: str = Field(description="the document")
    title: str = Field(description="its title")
    source_uri: str = Field(description="where it came from")


class LinkLabel(_Strict):
    """A link between two documents."""

    direction: Literal["in", "out"] = Field(description="seen from the document before it on the path")
    kind: str = Field(description="`markdown`, `wikilink`, `html` or `rst`")
    anchor: str = Field(description="part of the target that is named; empty for all of it")


class LinkNeighbor(DocumentRef):
    """A document that links lead to from another."""

    distance: int = Field(ge=1, description="links followed")
    path: tuple[str, ...] = Field(description="ids from the document asked about to this one")
    links: tuple[LinkLabel, ...] = Field(description="links between it and the document before it on the path")


class NeighborsAnswer(_Answer):
    """The documents around one."""

    document: DocumentRef
    direction: Direction
    hops: int = Field(ge=1, le=MAX_HOPS)
    neighbors: tuple[LinkNeighbor, ...] = Field(description="by distance, then by id")
    truncated: bool = Field(description="whether a bound on fan-out or documents, or the limit, cut something off")


class RelatedDocument(DocumentRef):
    """A document that is near another by links."""

    rank: int = Field(ge=1)
    score: float = Field(ge=0, le=1, description="probability by personalised PageRank")
    distance: int = Field(ge=1, description="links between the two, at least")
    path: tuple[str, ...] = Field(description="ids from the document asked about to this one")


class RelatedAnswer(_Answer):
    """The documents nearest to one, by personalised PageRank."""

    document: DocumentRef
    max_distance: int = Field(ge=1, le=MAX_HOPS)
    related: tuple[RelatedDocument, ...] = Field(description="best first, ties by id")
    truncated: bool = Field(description="whether a bound on fan-out or documents cut something off")


class MetadataAnswer(_Answer):
    """What is known about a document."""

    document: DocumentRef
    known_as: tuple[str, ...] = Field(description="keys by which links name it: `uri:`, `path:`, `name:`")
    tags: tuple[str, ...]
    media_type: str
    checksum: str = Field(description="SHA-256 of its bytes")
    version: int = Field(description="number of its version, from 1")
    indexed_at: str = Field(description="when this version was written, ISO 8601")
    metadata: Mapping[str, Any] = Field(description="from the document itself and from its sender")
    incoming: int = Field(ge=0, description="links from other documents")
    outgoing: int = Field(ge=0, description="links to other documents")


class UsedPolicy(_Strict):
    """What a search changed in the server's retrieval policy; empty parts stayed as they were."""

    first: First | None = Field(description="what answered first")
    min_graph_hits: int | None = Field(description="minimum candidates of the graph")
    min_graph_score: float | None = Field(description="minimum score of the graph's best candidate")
    min_source_coverage: float | None = Field(
        description="minimum share of different documents among the graph's first hits"
    )
    min_overlap: float | None = Field(description="minimum share of the words that known entities cover")


class UsedOptions(_Strict):
    """How a search was run."""

    mode: PlannedMode = Field(description="as asked")
    match: NameMatching = Field(description="how names were matched")
    policy: UsedPolicy | None = Field(description="as asked; empty: the server's own")
    limit: int
    filtered: bool = Field(description="whether a metadata filter was applied")
    model: str | None = Field(description="embedding model that was asked for; empty: the tenant's own")
    retrieval_mode: str = Field(description="the mode that answered")
    retrieval_path: tuple[str, ...] = Field(description="legs that answered")
    retrieval_reason: str = Field(description="why, in a sentence")
    intent: Mapping[str, Any] = Field(description="action, target, context and keywords")
    weights: Mapping[str, float] = Field(description="of the two lists, the proximity, and what a link counts")
    degraded: tuple[str, ...] = Field(description="legs that failed or were late")
    effort: Mapping[str, float] = Field(
        default_factory=dict, description="the work that the list of chunks took, Λ under `lambda`"
    )


class NameEvidence(_Strict):
    """How a document's names match."""

    rank: int = Field(ge=1, description="place in the list of names")
    match: float = Field(
        gt=0,
        le=1,
        description="share of the query's words that its title and path hold; 1 where the whole name or a pattern matches",
    )
    degree: float = Field(ge=0, le=1, description="2·incoming + 1·outgoing links, as a share of the most linked match")


class ChunkEvidence(_Strict):
    """The best chunk of a document."""

    rank: int = Field(ge=1, description="place of the document in the list of chunks")
    chunk_id: str
    section: str
    text: str
    legs: Mapping[LegName, int] = Field(description="leg to the rank it gave")


class LinkedHit(DocumentRef):
    """A document that answers, and why."""

    rank: int = Field(ge=1)
    score: float = Field(ge=0, description="score by fused ranks, times the boost")
    boost: float = Field(ge=1, description="1 + 0.5 · proximity · nearness")
    linked_with: str | None = Field(description="the best hit that links to it or is linked from it")
    names: NameEvidence | None = Field(description="if its names match")
    chunk: ChunkEvidence | None = Field(description="if a chunk of it answers")


class SearchAnswer(_Answer):
    """A planned search: the query, how it was run, and the documents that answer."""

    query: str
    search_options: UsedOptions
    hits: tuple[LinkedHit, ...] = Field(description="best first, ties by id")


ANSWERS: Mapping[str, type[_Answer]] = {
    "search_planned": SearchAnswer,
    "neighbors": NeighborsAnswer,
    "related": RelatedAnswer,
    "metadata": MetadataAnswer,
}


class PublishedSchemas(_Answer):
    """The JSON Schema of every answer."""

    schemas: Mapping[str, dict[str, Any]] = Field(description="call to JSON Schema, draft 2020-12")


def published_schemas() -> PublishedSchemas:
    """Return the JSON Schemas of the answers, by call."""
    return PublishedSchemas(
        schema_version=SCHEMA_VERSION,
        schemas={call: answer.model_json_schema(mode="serialization") for call, answer in ANSWERS.items()},
    )
