"""The composition root: settings in, wired services out. The only module that sees every layer."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.redis.queue import CeleryQueue
from interlace.communities.service import CommunityService
from interlace.cypher_files import query, query_names
from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.errors import InterlaceError, SettingsError
from interlace.domain.extraction import Extraction
from interlace.domain.hits import QueryRequest
from interlace.entities.registry import Registries
from interlace.extraction.merge import merge
from interlace.extraction.structure import extract_structure
from interlace.ingestion.intake import Intake
from interlace.ingestion.jobs import Jobs
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.processor import BatchProcessor, Models
from interlace.ingestion.sweeper import Sweeper
from interlace.ingestion.writer import GraphWriter
from interlace.parsing.limits import ParseLimits
from interlace.ports.analytics import GraphAnalytics
from interlace.ports.models import Embedder
from interlace.ports.vectors import VectorIndex
from interlace.retrieval.coordinator import Coordinator
from interlace.settings import IngestSettings, Settings, load_settings
from interlace.stack.connect import connect

if TYPE_CHECKING:
    from interlace.adapters.spacy.extractor import SpacyExtractor

# Raise whenever parsers or chunker would make something else of the same bytes.
TEXT_VERSION = 1


class Platform:
    """Every service, made when first asked for, so that a command loads no model that it does not use.

    Args:
        settings: where the servers are; ``Platform.open()`` reads them from the environment and the local stack.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @classmethod
    def open(cls, settings: Settings | None = None) -> "Platform":
        """Return the platform of the environment's settings, joined to the local stack for what they leave open."""
        return cls(connect(settings or load_settings()))

    @cached_property
    def graph(self) -> Neo4jDatabase:
        """The graph database."""
        return Neo4jDatabase(self.settings.neo4j)

    @cached_property
    def vectors(self) -> VectorIndex:
        """The vector index."""
        from interlace.adapters.qdrant.index import QdrantVectorIndex

        return QdrantVectorIndex(self.settings.qdrant)

    @cached_property
    def queue(self) -> CeleryQueue:
        """The task queue."""
        return CeleryQueue(self.settings.redis, self.settings.worker)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedding model; none when embeddings are off."""
        if not self.settings.embedding.enabled:
            return None
        from interlace.adapters.onnx.embedder import OnnxEmbedder

        embedding = self.settings.embedding
        if embedding.folder is None:
            raise SettingsError(
                f"The embedding model {embedding.model} is not on this machine: `interlace up` fetches it, "
                "INTERLACE_EMBEDDING__FOLDER names a folder that has one, INTERLACE_EMBEDDING__ENABLED=false does without."
            )
        return OnnxEmbedder(embedding.folder, embedding.model, threads=embedding.threads)

    @cached_property
    def extractor(self) -> "SpacyExtractor":
        """The extraction pipeline."""
        from interlace.adapters.spacy.extractor import SpacyExtractor

        return SpacyExtractor(self.settings.spacy.pipeline)

    @cached_property
    def registries(self) -> Registries:
        """All names, a tenant at a time."""
        return Registries(self.graph)

    @cached_property
    def jobs(self) -> Jobs:
        """Batch jobs."""
        return Jobs(self.graph)

    @cached_property
    def outbox(self) -> Outbox:
        """Projections to come."""
        return Outbox(self.graph, self.vectors)

    @cached_property
    def fingerprint(self) -> str:
        """What changes whenever the same bytes could give another graph or other vectors; known without loading a model."""
        embedding = self.settings.embedding
        model = embedding.model if embedding.enabled else "none"
        return f"text-{TEXT_VERSION}:{self.settings.ingest.chunk_words} {self.extractor.fingerprint} {model}"

    @cached_property
    def intake(self) -> Intake:
        """Where documents come in."""
        return Intake(
            self.graph,
            self.queue,
            fingerprint=self.fingerprint,
            batch_documents=self.settings.ingest.batch_documents,
        )

    @cached_property
    def sweeper(self) -> Sweeper:
        """Finishes what was left."""
        return Sweeper(self.graph, self.queue, self.outbox, batch_documents=self.settings.ingest.batch_documents)

    @cached_property
    def communities(self) -> CommunityService:
        """Makes communities."""
        return CommunityService(self.graph, self.analytics, self.vectors, self.embedder, self.settings.communities)

    @cached_property
    def analytics(self) -> GraphAnalytics:
        """The graph algorithms of the database."""
        from interlace.adapters.neo4j.analytics import Neo4jAnalytics

        return Neo4jAnalytics(self.settings.neo4j)

    @cached_property
    def coordinator(self) -> Coordinator:
        """Answers questions."""
        return Coordinator(self.graph, self.vectors, self.embedder, self.registries, self.settings.query)

    @cached_property
    def processor(self) -> BatchProcessor:
        """Processes batches of documents: loads parser process and models."""
        ingest = self.settings.ingest
        return BatchProcessor(
            self.graph,
            self.vectors,
            Ledger(self.graph, lease_seconds=ingest.lease_seconds, max_attempts=ingest.max_attempts),
            self.outbox,
            GraphWriter(self.graph, self.registries),
            self._models,
        )

    @cached_property
    def _models(self) -> Models:
        from interlace.parsing.chunking import chunk
        from interlace.parsing.sandbox import ParserProcess

        words = self.settings.ingest.chunk_words
        return Models(
            parser=ParserProcess(_parse_limits(self.settings.ingest)),
            chunker=lambda document, parsed: chunk(document, parsed, words),
            extract=self._extract,
            embedder=self.embedder,
            fingerprint=self.fingerprint,
        )

    def _extract(self, passages: Sequence[tuple[ParsedDocument, Chunk]]) -> list[Extraction]:
        found = self.extractor.extract([chunk for _, chunk in passages])
        structure = [extract_structure(document, chunk) for document, chunk in passages]
        return [merge(pair) for pair in zip(found, structure, strict=True)]

    def warm(self) -> None:
        """Load the models and let the database plan, so that the first batch need not wait for either."""
        with suppress(InterlaceError):
            self._plan("ingest/")
            self.extractor.run_pipeline(["Warm."])
            _ = self.processor

    def warm_queries(self) -> None:
        """Ask a first question, so that no caller waits for the model, the names and the database's plans."""
        with suppress(InterlaceError):
            self._plan("retrieve/")
            self.coordinator.query(self.settings.tenant, QueryRequest(text="Which names are known here?", limit=1))

    def _plan(self, folder: str) -> None:
        self.graph.prepare(query(name) for name in query_names() if name.startswith(folder))

    def close(self) -> None:
        """Close connections and the parser process; services that were never used are not made for it."""
        made = self.__dict__
        if "_models" in made:
            made["_models"].parser.close()
        for name in ("coordinator", "analytics", "queue", "vectors", "graph"):
            if name in made:
                made[name].close()


def _parse_limits(ingest: IngestSettings) -> ParseLimits:
    return ParseLimits(max_bytes=ingest.max_bytes, seconds=ingest.parse_seconds, memory_bytes=ingest.parse_memory_bytes)
