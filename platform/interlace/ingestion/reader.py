"""The reading half of a batch: parse, chunk, extract, embed. It writes neither to the graph nor to the vector index."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from interlace.domain.atoms import fingerprint_with_strategy
from interlace.domain.documents import Chunk, ParsedDocument, Source
from interlace.domain.errors import ParseError
from interlace.domain.extraction import Extraction
from interlace.ingestion.difference import fresh_chunks, stored_chunks
from interlace.ingestion.labels import exported_patch, with_sent
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.stopwatch import Stopwatch
from interlace.ingestion.versions import Claim, NewVersion
from interlace.ports.graph import GraphDatabase
from interlace.ports.models import Embedder
from interlace.vectors.projection import Dense, embed, model_text

_logger = logging.getLogger(__name__)


class Parser(Protocol):
    """Parses sources in a confined process."""

    def parse(self, sources: Sequence[Source]) -> list[ParsedDocument | ParseError]:
        """Return a parsed document or an error for each source, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """What reads text during ingestion.

    Args:
        parser: bytes to documents.
        chunker: document id and document to chunks.
        extract: chunks, each with its document, to mentions and facts.
        embedders: none when embeddings are off, several when questions may choose between them.
        fingerprint: changes whenever the same bytes could give another graph.
    """

    parser: Parser
    chunker: Callable[[str, ParsedDocument], tuple[Chunk, ...]]
    extract: Callable[[Sequence[tuple[ParsedDocument, Chunk]]], list[Extraction]]
    embedders: Sequence[Embedder]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Documents read and ready to be projected and written.

    Args:
        versions: one per document; those that could not be read are missing.
        fresh: the chunks that the graph does not hold yet.
        vectors: of the fresh chunks, by model; empty when embeddings are off or no chunk is fresh.
    """

    versions: Sequence[NewVersion]
    fresh: Sequence[Chunk]
    vectors: Dense


@dataclass(frozen=True, slots=True)
class BatchReader:
    """Reads batches of claimed documents."""

    graph: GraphDatabase
    ledger: Ledger
    models: Models

    def read(self, tenant: str, claims: Sequence[Claim]) -> ReadBatch:
        """Read documents; those that cannot be read are quarantined with their reasons."""
        stopwatch = Stopwatch()
        parsed = self._parse(tenant, claims)
        stopwatch.lap("parse")
        versions, fresh = self._extract(tenant, parsed)
        stopwatch.lap("extract")
        vectors = embed(self.models.embedders, [model_input(chunk) for chunk in fresh])
        stopwatch.lap("embed")
        _logger.info("Read %d documents, %d new chunks: %s", len(claims), len(fresh), stopwatch)
        return ReadBatch(versions, fresh, vectors)

    def _parse(self, tenant: str, claims: Sequence[Claim]) -> list[tuple[Claim, ParsedDocument]]:
        sources = [
            Source(uri=claim.source_uri, media_type=claim.media_type, content=claim.content, metadata=claim.metadata)
            for claim in claims
        ]
        parsed: list[tuple[Claim, ParsedDocument]] = []
        for claim, result in zip(claims, self.models.parser.parse(sources), strict=True):
            try:
                if isinstance(result, ParseError):
                    raise result
                parsed.append((claim, with_sent(result, claim.metadata)))
            except ParseError as error:
                self.ledger.quarantine(tenant, claim, error.reason, error.message)
        return parsed

    def _extract(
        self, tenant: str, parsed: Sequence[tuple[Claim, ParsedDocument]]
    ) -> tuple[list[NewVersion], list[Chunk]]:
        self.ledger.advance(tenant, [claim for claim, _ in parsed], "parsed")
        chunked = [(claim, document, self.models.chunker(claim.id, document)) for claim, document in parsed]
        stored = stored_chunks(self.graph, tenant, self.models.fingerprint, [claim.id for claim, _ in parsed])
        fresh = fresh_chunks(((document, chunks) for _, document, chunks in chunked), stored)
        found = dict(zip(fresh, self.models.extract(list(fresh.values())), strict=True)) if fresh else {}
        versions = [
            NewVersion(
                claim,
                fingerprint_with_strategy(self.models.fingerprint, claim.metadata),
                document,
                chunks,
                {chunk.id: found[chunk.id] for chunk in chunks if chunk.id in found},
                patch=exported_patch(claim.metadata),
            )
            for claim, document, chunks in chunked
        ]
        self.ledger.advance(tenant, [claim for claim, _ in parsed], "extracted")
        return versions, [chunk for _, chunk in fresh.values()]


def model_input(chunk: Chunk) -> str:
    """Return what models read of a chunk: title and headings, then the text."""
    return model_text(chunk.context, chunk.text)
