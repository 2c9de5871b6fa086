"""Where texts name an entity: the chunks that mention it, each with the sentence that does so first."""

from dataclasses import dataclass

from interlace.ports.graph import GraphDatabase
from interlace.queries.mentions import entity_mentions
from interlace.text.sentences import sentence_at

_MAX_SENTENCE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class MentioningChunk:
    """A chunk that mentions an entity.

    Args:
        chunk_id: the chunk.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
        sentence: the first sentence that names it, at most 300 characters.
        via: how the mentions were found, for example ``ner``, ``linker`` or ``title``.
        count: how often the chunk names it.
    """

    chunk_id: str
    document_id: str
    title: str
    source_uri: str
    sentence: str
    via: tuple[str, ...]
    count: int


def mentions_of(
    graph: GraphDatabase, tenant: str, entity_id: str, *, limit: int, after: str | None
) -> list[MentioningChunk]:
    """Return the chunks that mention an entity in order of id, starting after a given one; none for an unknown entity."""
    rows = entity_mentions(graph, tenant=tenant, id=entity_id, after=after, limit=limit)
    return [
        MentioningChunk(
            row.chunk_id,
            row.document_id,
            row.title,
            row.source_uri,
            sentence_at(row.text, row.offset or 0, _MAX_SENTENCE_CHARACTERS),
            tuple(sorted(row.via)),
            row.mentions,
        )
        for row in rows
    ]
