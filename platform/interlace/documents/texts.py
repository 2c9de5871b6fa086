"""The texts of documents as they are kept: chunk by chunk, with offsets in the document's text."""

from dataclasses import dataclass

from interlace.documents.repository import DocumentRepository
from interlace.domain.errors import NotFoundError
from interlace.ports.graph import GraphDatabase
from interlace.queries.chunks import document_chunks, hydrate_chunks


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk and where it stands.

    Args:
        id: the chunk.
        document_id: its document.
        title: the document's title.
        source_uri: where the document came from.
        section: headings above the chunk, joined by ``>``; empty at the document's top.
        text: the chunk.
        start: offset of its first character in the document's text.
        end: offset after its last character.
        position: its place in the document, from 0.
        section_type: ``body``, ``Tool``, ``atom``, or a type of atlas sections.
    """

    id: str
    document_id: str
    title: str
    source_uri: str
    section: str
    text: str
    start: int
    end: int
    position: int
    section_type: str


@dataclass(frozen=True, slots=True)
class Texts:
    """Reads chunks."""

    graph: GraphDatabase

    def chunk(self, tenant: str, chunk_id: str) -> ChunkText:
        """Return one chunk.

        Raises:
            NotFoundError: the tenant has no such chunk.
        """
        rows = hydrate_chunks(self.graph, tenant=tenant, ids=[chunk_id])
        if not rows:
            raise NotFoundError(f"There is no chunk {chunk_id}; a changed document has other chunks than before.")
        row = rows[0]
        document, place = row.document, (row.start, row.end, row.position, row.section_type)
        title, uri = document["title"], document["sourceUri"]
        return ChunkText(row.id, document["id"], title, uri, row.section, row.text, *place)

    def chunks(self, tenant: str, document_id: str, *, limit: int, after: int = -1) -> list[ChunkText]:
        """Return a document's chunks in the order of its text, those that begin after an offset.

        Raises:
            NotFoundError: the tenant has no such document.
        """
        rows = document_chunks(self.graph, tenant=tenant, id=document_id, after=after, limit=limit)
        if not rows:
            DocumentRepository(self.graph).get(tenant, document_id)
        return [ChunkText(**row._asdict()) for row in rows]
