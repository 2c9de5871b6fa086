"""The composition root: settings in, wired services out. The only module that sees every layer."""

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from interlace.adapters.spacy.pipelines import language_of
from interlace.communities.service import CommunityService
from interlace.composition.enrichment import EnrichmentServices
from interlace.decisions.writer import DecisionWriter
from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.errors import InterlaceError
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.extraction.recognised_names import RecognisedNames
from interlace.extraction.syntax import SyntaxExtractor
from interlace.ingestion.labelling import DocumentLabels
from interlace.ingestion.ledger import Ledger
from interlace.ingestion.outbox import Outbox
from interlace.ingestion.preview import Previewer
from interlace.ingestion.processor import BatchProcessor
from interlace.ingestion.reader import Models
from interlace.ingestion.receiver import DocumentReceiver
from interlace.ingestion.sweeper import Sweeper
from interlace.jobs.service import Jobs
from interlace.parsing import TEXT_VERSION
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.ports.fetcher import PageFetcher
from interlace.reconciliation.service import Reconciler
from interlace.settings import Settings, load_settings
from interlace.vectors.rebuild import VectorRebuild
from interlace.vectors.restoration import Restorer
from interlace_stack.connect import connect

if TYPE_CHECKING:
    from interlace.parsing.sandbox.sandbox import ParserProcess


class Platform(EnrichmentServices):
    """Every service, made when it is first used, so that a command loads no model that it does not need.

    Args:
        settings: where the servers are; ``Platform.open()`` reads them from the environment and the local stack.
    """

    @classmethod
    def open(cls, settings: Settings | None = None) -> "Platform":
        """Return the platform of the environment's settings, joined to the local stack for what they leave open."""
        return cls(connect(settings or load_settings()))

    @cached_property
    def extractor(self) -> SyntaxExtractor:
        """The extractor of entities and facts."""
        return SyntaxExtractor(self.syntax_parser)

    @cached_property
    def jobs(self) -> Jobs:
        """Batch jobs."""
        return Jobs(self.graph)

    @cached_property
    def outbox(self) -> Outbox:
        """The transactional outbox: what is still to be projected to the vector index."""
        return Outbox(
            self.graph,
            self.vectors,
            Restorer(self.graph, self.vectors, lambda: tuple(self.embedders.values())),
            embeds=bool(self.embedders),
        )

    @cached_property
    def decisions(self) -> DecisionWriter:
        """Records decisions about entities and applies them."""
        return DecisionWriter(self.graph, self.older_chunks)

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the same bytes could give another graph. Embeddings, which may come and go, are not part of it."""
        return f"text-{TEXT_VERSION}:{self.settings.ingest.chunk_words} {self._extraction.fingerprint}"

    @cached_property
    def receiver(self) -> DocumentReceiver:
        """Receives documents and enqueues them."""
        return DocumentReceiver(
            self.graph, self.queue, fingerprint=self.fingerprint, batch_documents=self.settings.ingest.batch_documents
        )

    @cached_property
    def fetcher(self) -> PageFetcher:
        """Fetches documents that are named by their address."""
        from interlace.adapters.web.fetcher import WebFetcher

        return WebFetcher(self.settings.fetch, self.settings.ingest.max_bytes)

    @cached_property
    def labels(self) -> DocumentLabels:
        """Changes tags and metadata without a new upload."""
        return DocumentLabels(self.graph, self.outbox)

    @cached_property
    def sweeper(self) -> Sweeper:
        """Re-enqueues what a dead worker left behind, and dispatches the outbox."""
        return Sweeper(
            self.graph,
            self.queue,
            self.outbox,
            self.older_chunks,
            self.decisions,
            self.entity_vectors,
            batch_documents=self.settings.ingest.batch_documents,
            models=list(self.embedders),
            job_days=self.settings.worker.job_days,
            audit_days=self.settings.worker.audit_days,
            extracts=self.extraction_setup is not None,
            summaries_key=self.summaries_key,
        )

    @cached_property
    def vector_rebuild(self) -> VectorRebuild:
        """Rebuilds the vector index from the graph."""
        return VectorRebuild(
            self.graph,
            self.vectors,
            self.outbox.reconcile,
            self.embedders,
            {"entities": self.entity_vectors.project, "communities": self.communities.project},
        )

    @cached_property
    def reconciler(self) -> Reconciler:
        """Checks and repairs the invariants of graph and vector index."""
        return Reconciler(self.graph, self.vectors, self.outbox, self.older_chunks, self._refresh_communities)

    def _refresh_communities(self, tenant: str) -> None:
        """Refresh, making the service only now: it imports the library of graph algorithms."""
        self.communities.refresh(tenant)

    @cached_property
    def communities(self) -> CommunityService:
        """Detects communities."""
        return CommunityService(self.graph, self.analytics, self.vectors, self.embedders, self.settings.communities)

    @cached_property
    def processor(self) -> BatchProcessor:
        """Processes batches of documents: loads parser process and models."""
        from interlace.adapters.redis.celery_app import SOFT_LIMIT

        ingest = self.settings.ingest
        return BatchProcessor(
            self.graph,
            self.vectors,
            Ledger(self.graph, lease_seconds=ingest.lease_seconds, max_attempts=ingest.max_attempts),
            self.outbox,
            self.graph_writer,
            self.older_chunks,
            Models(
                parser=self._parser,
                chunker=self._chunk,
                extract=self._extraction.extract,
                embedders=tuple(self.embedders.values()),
                fingerprint=self.fingerprint,
            ),
            SOFT_LIMIT,
        )

    @cached_property
    def _extraction(self) -> ExtractionPipeline:
        others = {language: RecognisedNames(parser, language) for language, parser in self.syntax_parsers().items()}
        return ExtractionPipeline(self.extractor, others, language_of(self.settings.spacy.pipeline))

    def _chunk(self, document_id: str, parsed: ParsedDocument) -> tuple[Chunk, ...]:
        from interlace.parsing.chunking import chunk

        return chunk(document_id, parsed, self.settings.ingest.chunk_words)

    @cached_property
    def previewer(self) -> Previewer:
        """Previews an ingestion: starts the parser process and loads no model."""
        return Previewer(self.graph, self._parser, self._chunk, self.fingerprint, self.extraction_estimate)

    @cached_property
    def _parser(self) -> "ParserProcess":
        from interlace.parsing.sandbox.sandbox import ParserProcess

        return ParserProcess(ParseLimits(max_bytes=self.settings.ingest.max_bytes))

    def warm(self) -> None:
        """Load the models and connect to the database, so that the first batch does not wait for them."""
        with suppress(InterlaceError):
            self.extractor.run_pipeline(["Warm."])
            _ = self.processor
            self.graph.ping()

    def close(self) -> None:
        """Close connections and the parser process, each after what uses it; nothing is created just to be closed."""
        users = ("_parser", "enricher", "summary_writer", "cached_links", "processor", "searches", "visible_cache")
        servers = ("analytics", "queue", "rate_limiter", "vectors", "statements", "graph")
        for name in users + servers:
            if vars(self).get(name) is not None:
                vars(self)[name].close()
