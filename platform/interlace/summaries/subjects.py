"""Which entities and communities a language model writes about, and which chunks it reads for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from more_itertools import chunked

from interlace.domain.hits import Hit
from interlace.domain.ids import stable_id
from interlace.ports.graph import GraphDatabase
from interlace.queries import summaries as queries

Kind = Literal["description", "summary"]
SENTENCES: Final = MappingProxyType({"description": 2, "summary": 4})
"""Most sentences wanted."""
CHUNKS: Final = 5
"""Chunks that the model reads for one text."""
_PAGE = 500


@dataclass(frozen=True, slots=True)
class EvidenceChunk:
    """A chunk as the model reads it; ``checksum`` is that of its text."""

    checksum: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of one text.

    Args:
        id: of the text: the same evidence about the same name gives the same text, whatever the subject's id is.
        kind: summary or description.
        name: of the entity, or the most central names of the community.
        about: ids of the entities or communities.
        sources: the chunks, in order of id.
    """

    id: str
    kind: Kind
    name: str
    about: tuple[str, ...]
    sources: tuple[EvidenceChunk, ...]


def read_subjects(graph: GraphDatabase, tenant: str, key: str, limit: int) -> list[Subject]:
    """Return the subjects to write about: the largest communities and the most mentioned entities, ``limit`` of each, each text once."""
    wanted: list[tuple[Kind, str, str, list[str]]] = [
        ("summary", row.id, row.name, row.chunks[:CHUNKS])
        for row in queries.largest_communities(graph, tenant=tenant, limit=limit)
    ]
    wanted += [
        ("description", row.id, row.name, list(dict.fromkeys([*row.openings, *row.stating]))[:CHUNKS])
        for row in queries.most_mentioned_entities(graph, tenant=tenant, limit=limit, chunks=CHUNKS)
    ]
    sources = _sources(graph, tenant, {chunk for *_, chunks in wanted for chunk in chunks})
    found: dict[str, Subject] = {}
    for kind, about, name, chunks in wanted:
        read = tuple(sources[chunk] for chunk in sorted(chunks) if chunk in sources)
        if read:
            text_id = _text_id(tenant, key, kind, name, read)
            before = found[text_id].about if text_id in found else ()
            found[text_id] = Subject(text_id, kind, name, (*before, about), read)
    return list(found.values())


def _sources(graph: GraphDatabase, tenant: str, chunks: Iterable[str]) -> dict[str, EvidenceChunk]:
    return {
        row.id: EvidenceChunk(row.checksum, _hit(row))
        for page in chunked(sorted(chunks), _PAGE)
        for row in queries.evidence_chunks(graph, tenant=tenant, ids=page)
    }


def _text_id(tenant: str, key: str, kind: Kind, name: str, sources: Sequence[EvidenceChunk]) -> str:
    read = (f"{each.hit.chunk_id} {each.checksum} {each.hit.title}" for each in sources)
    return stable_id("generated-text", tenant, key, kind, name, *read)


def _hit(row: queries.EvidenceChunksRow) -> Hit:
    """Return a chunk as evidence: no question found it, and its headings are left out because they could change unnoticed."""
    return Hit(
        rank=1,
        score=0.0,
        chunk_id=row.id,
        document_id=row.document,
        title=row.title,
        source_uri=row.source_uri,
        section="",
        text=row.text,
        start=0,
        end=len(row.text),
        tags=(),
        metadata={},
        legs=(),
        path=(),
        boosts={},
        cypher="",
    )
